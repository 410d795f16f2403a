import { z } from 'zod'
import { formatMinor, isFiat, parseMinor, wireAmount } from '../../../lib/money/money.ts'
import { ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { ApprovalPolicy } from './record.ts'

const amountLimit = 1e15

export const orgParams = z.object({ org_id: uuid })

const fits = (amount: number, currency: string): boolean =>
  isFiat(currency) && parseMinor(String(amount), currency) !== undefined

export const setPoliciesBody = z.object({
  policies: z
    .array(
      z
        .object({
          currency: z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' }),
          payout_from: z.number().positive().lt(amountLimit),
          daily_from: z
            .number()
            .positive()
            .lt(amountLimit)
            .nullish()
            .meta({ description: 'The sum over 24 hours from which every payout needs approval.' }),
        })
        .refine((policy) => fits(policy.payout_from, policy.currency), {
          path: ['payout_from'],
          message: 'has more decimals than the currency has',
        })
        .refine((policy) => fits(policy.daily_from ?? 0, policy.currency), {
          path: ['daily_from'],
          message: 'has more decimals than the currency has',
        }),
    )
    .max(200)
    .refine(
      (policies) => new Set(policies.map(({ currency }) => currency)).size === policies.length,
      'one per currency',
    ),
})

export const approvalPolicy = z.object({
  currency: z.string(),
  payout_from: wireDecimal,
  daily_from: wireDecimal.nullable(),
})

export const policiesResponse = success(z.object({ policies: z.array(approvalPolicy) }))

export const fromPolicies = (body: z.infer<typeof setPoliciesBody>): ApprovalPolicy[] =>
  body.policies.map(({ currency, payout_from, daily_from }) => ({
    currency,
    payoutFromMinor: parseMinor(String(payout_from), currency) ?? 0n,
    dailyFromMinor: daily_from ? (parseMinor(String(daily_from), currency) ?? null) : null,
  }))

/** As stored in a change request: decimals as text, because JSON numbers lose digits. */
const requestedPolicy = z.object({
  currency: z.string(),
  payout_from: z.string(),
  daily_from: z.string().nullable(),
})
export const requestedPolicies = z.object({
  before: z.array(requestedPolicy),
  policies: z.array(requestedPolicy),
})

export const toRequested = (policy: ApprovalPolicy): z.infer<typeof requestedPolicy> => ({
  currency: policy.currency,
  payout_from: formatMinor(policy.payoutFromMinor, policy.currency),
  daily_from: policy.dailyFromMinor === null ? null : formatMinor(policy.dailyFromMinor, policy.currency),
})

export const fromRequested = (policies: readonly z.infer<typeof requestedPolicy>[]): ApprovalPolicy[] =>
  policies.map(({ currency, payout_from, daily_from }) => ({
    currency,
    payoutFromMinor: parseMinor(payout_from, currency) ?? 0n,
    dailyFromMinor: daily_from === null ? null : (parseMinor(daily_from, currency) ?? null),
  }))

export const toPolicy = (policy: ApprovalPolicy) => ({
  currency: policy.currency,
  payout_from: wireAmount(policy.payoutFromMinor, policy.currency),
  daily_from: policy.dailyFromMinor === null ? null : wireAmount(policy.dailyFromMinor, policy.currency),
})

export const toPolicies = (policies: readonly ApprovalPolicy[]): z.input<typeof policiesResponse> =>
  ok('Payouts of these amounts or more need a second approval.', { policies: policies.map(toPolicy) })
