import { z } from 'zod'
import { validationError } from '../../../lib/errors.ts'
import {
  formatScaled,
  isFiat,
  parseMinor,
  parseScaled,
  readMoney,
  wireAmount,
} from '../../../lib/money/money.ts'
import { rawNumber } from '../../../lib/text/json.ts'
import {
  countryCode,
  dateTime,
  ok,
  shortText,
  success,
  uuid,
  wireDecimal,
} from '../../../lib/requests/wire.ts'
import type { Chargeable, Fee, FeeSchedule, NewSchedule } from './record.ts'

const amountLimit = 1e15
const percentDecimals = 4

const wireDirection = z.enum(['payin', 'payout'])
const recordOf = { payin: 'inbound', payout: 'outbound' } as const
const wireOf = { inbound: 'payin', outbound: 'payout' } as const
const method = z.enum(['bank_transfer', 'card', 'mobile_money', 'crypto'])
const currency = z
  .string()
  .refine(isFiat, 'must be a known ISO 4217 currency, such as NGN')
  .meta({ example: 'NGN' })
const amount = z.number().nonnegative().lt(amountLimit)

export const createScheduleBody = z
  .object({
    org_id: uuid
      .nullish()
      .meta({ description: 'Left out or null: the schedule applies to every organisation.' }),
    label: shortText,
    direction: wireDirection.nullish(),
    payment_method: method.nullish(),
    country: countryCode.nullish(),
    currency: currency.nullish(),
    percent: z
      .number()
      .min(0)
      .max(100)
      .default(0)
      .refine(
        (value) => parseScaled(String(value), percentDecimals) !== undefined,
        'has more than four decimals',
      )
      .meta({ example: 1.5 }),
    fixed: amount.default(0),
    minimum: amount.default(0),
    maximum: amount.nullish(),
    returned_on_refund: z.boolean().default(false),
  })
  .refine(
    ({ currency: named, fixed, minimum, maximum }) =>
      (named !== undefined && named !== null) ||
      (fixed === 0 && minimum === 0 && (maximum === undefined || maximum === null)),
    { path: ['currency'], message: 'must be named where fixed, minimum or maximum is' },
  )
  .refine(({ minimum, maximum }) => maximum === undefined || maximum === null || maximum >= minimum, {
    path: ['maximum'],
    message: 'must not be below minimum',
  })
export const scheduleParams = z.object({ schedule_id: uuid })
export const listSchedulesQuery = z.object({ org_id: uuid.optional() })
export const quoteQuery = z.object({
  direction: wireDirection,
  payment_method: method,
  country: countryCode,
  currency,
  amount: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,4})?$/, 'must be a decimal number such as 1500.00')
    .meta({ example: '1500.00' }),
})

const schedule = z
  .object({
    schedule_id: uuid,
    org_id: uuid.nullable(),
    label: z.string(),
    direction: wireDirection.nullable(),
    payment_method: method.nullable(),
    country: z.string().nullable(),
    currency: z.string().nullable(),
    percent: wireDecimal,
    fixed: wireDecimal,
    minimum: wireDecimal,
    maximum: wireDecimal.nullable(),
    returned_on_refund: z.boolean(),
    created_at: dateTime,
    retired_at: dateTime.nullable(),
  })
  .meta({ id: 'FeeSchedule' })

export const scheduleResponse = success(schedule)
export const schedulesResponse = success(z.array(schedule))
export const quoteResponse = success(
  z.object({ total_fees: wireDecimal, currency: z.string(), fee_ids: z.array(uuid) }),
)
export function fromSchedule(body: z.infer<typeof createScheduleBody>): NewSchedule {
  const named = body.currency ?? null
  const minor = (value: number, path: string): bigint => {
    if (value === 0 || named === null) return 0n
    const parsed = parseMinor(String(value), named)
    if (parsed === undefined) throw validationError(`${path}: has more decimals than ${named} has.`)
    return parsed
  }
  return {
    orgId: body.org_id ?? null,
    label: body.label,
    direction: body.direction ? recordOf[body.direction] : null,
    method: body.payment_method ?? null,
    country: body.country ?? null,
    currency: named,
    rateMillionths: Number(parseScaled(String(body.percent), percentDecimals) ?? 0n),
    fixedMinor: minor(body.fixed, 'fixed'),
    minimumMinor: minor(body.minimum, 'minimum'),
    maximumMinor: body.maximum === undefined || body.maximum === null ? null : minor(body.maximum, 'maximum'),
    isReturned: body.returned_on_refund,
  }
}

/** The terms of a schedule that waits for a second operator. Its amounts are in minor units. */
export const requestedSchedule = z.object({
  org_id: z.uuid().nullable(),
  label: z.string(),
  direction: z.enum(['inbound', 'outbound']).nullable(),
  payment_method: method.nullable(),
  country: z.string().nullable(),
  currency: z.string().nullable(),
  rate_millionths: z.int(),
  fixed_minor: z.string(),
  minimum_minor: z.string(),
  maximum_minor: z.string().nullable(),
  returned_on_refund: z.boolean(),
})

export const toRequested = (schedule: NewSchedule): z.infer<typeof requestedSchedule> => ({
  org_id: schedule.orgId,
  label: schedule.label,
  direction: schedule.direction,
  payment_method: schedule.method,
  country: schedule.country,
  currency: schedule.currency,
  rate_millionths: schedule.rateMillionths,
  fixed_minor: schedule.fixedMinor.toString(),
  minimum_minor: schedule.minimumMinor.toString(),
  maximum_minor: schedule.maximumMinor?.toString() ?? null,
  returned_on_refund: schedule.isReturned,
})

export const fromRequested = (requested: z.infer<typeof requestedSchedule>): NewSchedule => ({
  orgId: requested.org_id,
  label: requested.label,
  direction: requested.direction,
  method: requested.payment_method,
  country: requested.country,
  currency: requested.currency,
  rateMillionths: requested.rate_millionths,
  fixedMinor: BigInt(requested.fixed_minor),
  minimumMinor: BigInt(requested.minimum_minor),
  maximumMinor: requested.maximum_minor === null ? null : BigInt(requested.maximum_minor),
  isReturned: requested.returned_on_refund,
})

export function fromQuote(query: z.infer<typeof quoteQuery>): Chargeable {
  const money = readMoney(query.amount, query.currency)
  if (!money) throw validationError(`amount: has more decimals than ${query.currency} has.`)
  return {
    direction: recordOf[query.direction],
    method: query.payment_method,
    country: query.country,
    amount: money,
  }
}

export const toSchedule = (row: FeeSchedule): z.input<typeof schedule> => {
  const wire = (minor: bigint) => (row.currency === null ? rawNumber('0.0') : wireAmount(minor, row.currency))
  return {
    schedule_id: row.scheduleId,
    org_id: row.orgId,
    label: row.label,
    direction: row.direction && wireOf[row.direction],
    payment_method: row.method,
    country: row.country,
    currency: row.currency,
    percent: rawNumber(formatScaled(BigInt(row.rateMillionths), percentDecimals)),
    fixed: wire(row.fixedMinor),
    minimum: wire(row.minimumMinor),
    maximum: row.maximumMinor === null ? null : wire(row.maximumMinor),
    returned_on_refund: row.isReturned,
    created_at: row.createdAt.toISOString(),
    retired_at: row.retiredAt?.toISOString() ?? null,
  }
}

export const toQuote = (payment: Chargeable, fee: Fee | null): z.input<typeof quoteResponse> =>
  ok('What the payment would cost.', {
    total_fees: wireAmount(fee?.amountMinor ?? 0n, payment.amount.currency),
    currency: payment.amount.currency,
    fee_ids: fee ? [fee.scheduleId] : [],
  })
