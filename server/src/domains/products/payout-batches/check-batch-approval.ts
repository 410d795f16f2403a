import { Decimal } from 'decimal.js'
import { toRate } from '../../../lib/money/decimal.ts'
import type { Money } from '../../../lib/money/money.ts'
import { checkApproval, type ApprovalDeps } from '../../pricing/approval-policies/check-approval.ts'
import type { DailyLimit } from '../../pricing/approval-policies/record.ts'
import { reachesDailyLimit } from '../../payments/initiation/check-outflow.ts'
import type { BatchTotal } from './record.ts'
import { selectUnsentSums } from './store.ts'

/**
 * Whether a second person has to approve the batch: its total in one currency reaches a policy, or together with the
 * payments of 24 hours and with what other batches have not sent yet it reaches a daily limit.
 */
export async function checkBatchApproval(
  deps: ApprovalDeps,
  orgId: string,
  totals: readonly BatchTotal[],
): Promise<boolean> {
  let limits: readonly DailyLimit[] = []
  for (const { currency, amountMinor } of totals) {
    const amount = { currency, amountMinor }
    const approval = await checkApproval(deps, orgId, { source: amount, target: amount })
    if (approval.cause) return true
    // The limits do not depend on the amount, and an amount that no rate can convert has needed approval above.
    limits = approval.dailyLimits
  }
  if (limits.length === 0) return false
  const unsent = await deps.db.inOrg(orgId, (tx) => selectUnsentSums(tx, orgId))
  for (const limit of limits) {
    const leftMinor = limit.limitMinor - valueIn(limit, [...totals, ...unsent])
    if (leftMinor <= 0n) return true
    if (await reachesDailyLimit(deps, orgId, { ...limit, limitMinor: leftMinor })) return true
  }
  return false
}

/** Rounded up. An amount that cannot be valued could be any sum, so it counts as the whole limit. */
function valueIn({ limitMinor, weights }: DailyLimit, sums: readonly Money[]): bigint {
  const values = sums.map(({ currency, amountMinor }) => {
    const weight = weights.get(currency)
    return weight === undefined ? toRate(limitMinor.toString()) : toRate(weight).mul(amountMinor.toString())
  })
  const value = values.reduce((sum, one) => sum.add(one), toRate('0'))
  return BigInt(value.toDecimalPlaces(0, Decimal.ROUND_UP).toFixed())
}
