import { z } from 'zod'
import { isFiat, parseMinor, wireAmount } from '../../../lib/money/money.ts'
import { ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { CreditLimit, OrgBalance } from './record.ts'

const amountLimit = 1e15
const currenciesLimit = 200

export const orgParams = z.object({ org_id: uuid })

const balance = z
  .object({
    currency: z.string().meta({ example: 'NGN' }),
    custody: z.enum(['pooled', 'own']),
    available: wireDecimal,
    held: wireDecimal,
    in_transit: wireDecimal,
    credit_limit: wireDecimal.nullable(),
  })
  .meta({ id: 'Balance' })

export const balancesResponse = success(z.array(balance))

export const creditLimitsBody = z.object({
  limits: z
    .array(
      z
        .object({
          currency: z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' }),
          amount: z.number().nonnegative().lt(amountLimit),
        })
        .refine(
          ({ currency, amount }) => isFiat(currency) && parseMinor(String(amount), currency) !== undefined,
          { path: ['amount'], message: 'has more decimals than the currency has' },
        ),
    )
    .max(currenciesLimit)
    .refine(
      (limits) => new Set(limits.map(({ currency }) => currency)).size === limits.length,
      'one per currency',
    ),
})

export const creditLimitsResponse = success(
  z.object({ limits: z.array(z.object({ currency: z.string(), amount: wireDecimal })) }),
)

export const toBalances = (balances: readonly OrgBalance[]): z.input<typeof balancesResponse> =>
  ok(
    'Balances by currency and custody.',
    balances.map(({ currency, ...row }) => ({
      currency,
      custody: row.custody,
      available: wireAmount(row.availableMinor, currency),
      held: wireAmount(row.heldMinor, currency),
      in_transit: wireAmount(row.inTransitMinor, currency),
      credit_limit: row.creditLimitMinor === null ? null : wireAmount(row.creditLimitMinor, currency),
    })),
  )

export const fromCreditLimits = ({ limits }: z.infer<typeof creditLimitsBody>): CreditLimit[] =>
  limits.map(({ currency, amount }) => ({
    currency,
    limitMinor: parseMinor(String(amount), currency) ?? 0n,
  }))

export const toCreditLimit = ({ currency, limitMinor }: CreditLimit) => ({
  currency,
  amount: wireAmount(limitMinor, currency),
})

export const toCreditLimits = (limits: readonly CreditLimit[]): z.input<typeof creditLimitsResponse> =>
  ok('How far below zero each pooled balance may go.', { limits: limits.map(toCreditLimit) })
