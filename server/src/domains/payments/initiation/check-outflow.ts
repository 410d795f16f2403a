import type { Database } from '../../../kernel/db/database.ts'
import { isOutflowLimit } from '../../../kernel/db/errors.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { ApprovalCause, DailyLimit, Outflow } from '../../pricing/approval-policies/record.ts'
import { dailyValueOf } from '../../pricing/approval-policies/rules.ts'
import { assertOutflowBelow } from '../store.ts'

/** The window over which an approval policy adds up what leaves the organisation. */
export const dailyWindowMs = 24 * 60 * 60_000

/** The daily limit that an outflow would reach, together with the payments of the last 24 hours. */
export async function findReachedDaily(
  deps: { db: Database; clock: Clock },
  orgId: string,
  outflow: Outflow,
  limits: readonly DailyLimit[],
): Promise<ApprovalCause | undefined> {
  for (const limit of limits) {
    const value = dailyValueOf(limit, outflow)
    const leftMinor = value === undefined ? 0n : limit.limitMinor - value
    if (leftMinor <= 0n || (await reachesDailyLimit(deps, orgId, { ...limit, limitMinor: leftMinor })))
      return { kind: 'daily', policy: limit.policy }
  }
  return undefined
}

/** Whether the payments of the last 24 hours reach the limit already. */
export async function reachesDailyLimit(
  deps: { db: Database; clock: Clock },
  orgId: string,
  limit: DailyLimit,
): Promise<boolean> {
  // Payments have the time of the process that wrote them, which is ready only if its clock is right.
  const now = deps.clock.now()
  const since = new Date(now.getTime() - dailyWindowMs)
  try {
    await deps.db.batchInOrg(orgId, [assertOutflowBelow(orgId, since, limit)])
    return false
  } catch (error) {
    if (isOutflowLimit(error)) return true
    throw error
  }
}
