import { z } from 'zod'
import { isFiat, parseMinor, wireAmount } from '../../lib/money.ts'
import { ok, success, uuid, wireDecimal } from '../../lib/wire.ts'
import type { ApprovalPolicy } from './record.ts'

const amountLimit = 1e15

export const orgParams = z.object({ org_id: uuid })

export const setPoliciesBody = z.object({
  policies: z
    .array(
      z
        .object({
          currency: z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' }),
          payout_from: z.number().positive().lt(amountLimit),
        })
        .refine(
          (policy) =>
            isFiat(policy.currency) && parseMinor(String(policy.payout_from), policy.currency) !== undefined,
          {
            path: ['payout_from'],
            message: 'has more decimals than the currency has',
          },
        ),
    )
    .max(200)
    .refine(
      (policies) => new Set(policies.map(({ currency }) => currency)).size === policies.length,
      'one per currency',
    ),
})

export const policiesResponse = success(
  z.object({ policies: z.array(z.object({ currency: z.string(), payout_from: wireDecimal })) }),
)

export const fromPolicies = (body: z.infer<typeof setPoliciesBody>): ApprovalPolicy[] =>
  body.policies.map(({ currency, payout_from }) => ({
    currency,
    payoutFromMinor: parseMinor(String(payout_from), currency) ?? 0n,
  }))

export const toPolicy = (policy: ApprovalPolicy) => ({
  currency: policy.currency,
  payout_from: wireAmount(policy.payoutFromMinor, policy.currency),
})

export const toPolicies = (policies: readonly ApprovalPolicy[]): z.input<typeof policiesResponse> =>
  ok('Payouts of these amounts or more need a second approval.', { policies: policies.map(toPolicy) })
