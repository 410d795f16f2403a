import { z } from 'zod'
import { formatMinor, isFiat, parseMinor, wireAmount } from '../../../lib/money/money.ts'
import { ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { ApprovalPolicy, OutflowPolicy } from './record.ts'

const amountLimit = 1e15

export const orgParams = z.object({ org_id: uuid })

const fits = (amount: number, currency: string): boolean =>
  isFiat(currency) && parseMinor(String(amount), currency) !== undefined

const limit = z.number().positive().lt(amountLimit)

export const setPoliciesBody = z.object({
  policies: z
    .array(
      z
        .object({
          currency: z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' }),
          payout_from: limit,
          daily_from: limit
            .nullish()
            .meta({ description: 'The sum over 24 hours from which every payout needs approval.' }),
          refund_from: limit.nullish().meta({
            description: 'A refund of this amount or more needs approval; without it, refunds do not wait.',
          }),
          refund_daily_from: limit
            .nullish()
            .meta({ description: 'The sum over 24 hours from which every refund needs approval.' }),
        })
        .superRefine(({ currency, ...limits }, context) => {
          for (const [name, amount] of Object.entries(limits))
            if (!fits(amount ?? 0, currency))
              context.addIssue({
                code: 'custom',
                path: [name],
                message: 'has more decimals than the currency has',
              })
        }),
    )
    .max(200)
    .refine(
      (policies) => new Set(policies.map(({ currency }) => currency)).size === policies.length,
      'one per currency',
    ),
})

const approvalPolicy = z.object({
  currency: z.string(),
  payout_from: wireDecimal,
  daily_from: wireDecimal.nullable(),
  refund_from: wireDecimal.nullable(),
  refund_daily_from: wireDecimal.nullable(),
})

/** The part of a policy that a payout reaches. */
export const payoutPolicy = approvalPolicy.pick({ currency: true, payout_from: true, daily_from: true })

export const policiesResponse = success(z.object({ policies: z.array(approvalPolicy) }))

const toMinor = (amount: number | string | null | undefined, currency: string): bigint | null =>
  amount === null || amount === undefined ? null : (parseMinor(String(amount), currency) ?? null)

export const fromPolicies = (body: z.infer<typeof setPoliciesBody>): ApprovalPolicy[] =>
  body.policies.map(fromWire)

/** As stored in a change request: decimals as text, because JSON numbers lose digits. */
const requestedPolicy = z.object({
  currency: z.string(),
  payout_from: z.string(),
  daily_from: z.string().nullable(),
  refund_from: z.string().nullable(),
  refund_daily_from: z.string().nullable(),
})
export const requestedPolicies = z.object({
  before: z.array(requestedPolicy),
  policies: z.array(requestedPolicy),
})

interface WirePolicy {
  currency: string
  payout_from: number | string
  daily_from?: number | string | null | undefined
  refund_from?: number | string | null | undefined
  refund_daily_from?: number | string | null | undefined
}

const fromWire = ({ currency, ...limits }: WirePolicy): ApprovalPolicy => ({
  currency,
  payoutFromMinor: toMinor(limits.payout_from, currency) ?? 0n,
  dailyFromMinor: toMinor(limits.daily_from, currency),
  refundFromMinor: toMinor(limits.refund_from, currency),
  refundDailyFromMinor: toMinor(limits.refund_daily_from, currency),
})

const format = (minor: bigint | null, currency: string): string | null =>
  minor === null ? null : formatMinor(minor, currency)

export const toRequested = (policy: ApprovalPolicy): z.infer<typeof requestedPolicy> => ({
  currency: policy.currency,
  payout_from: formatMinor(policy.payoutFromMinor, policy.currency),
  daily_from: format(policy.dailyFromMinor, policy.currency),
  refund_from: format(policy.refundFromMinor, policy.currency),
  refund_daily_from: format(policy.refundDailyFromMinor, policy.currency),
})

export const fromRequested = (policies: readonly z.infer<typeof requestedPolicy>[]): ApprovalPolicy[] =>
  policies.map(fromWire)

const wireLimit = (minor: bigint | null, currency: string) =>
  minor === null ? null : wireAmount(minor, currency)

export const toPolicy = (policy: ApprovalPolicy): z.input<typeof approvalPolicy> => ({
  currency: policy.currency,
  payout_from: wireAmount(policy.payoutFromMinor, policy.currency),
  daily_from: wireLimit(policy.dailyFromMinor, policy.currency),
  refund_from: wireLimit(policy.refundFromMinor, policy.currency),
  refund_daily_from: wireLimit(policy.refundDailyFromMinor, policy.currency),
})

export const toPayoutPolicy = (policy: OutflowPolicy): z.input<typeof payoutPolicy> => ({
  currency: policy.currency,
  payout_from: wireAmount(policy.fromMinor, policy.currency),
  daily_from: wireLimit(policy.dailyFromMinor, policy.currency),
})

export const toPolicies = (policies: readonly ApprovalPolicy[]): z.input<typeof policiesResponse> =>
  ok('Payouts and refunds of these amounts or more need a second approval.', {
    policies: policies.map(toPolicy),
  })
