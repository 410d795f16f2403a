import { checkEndedPayment } from '../../payments/supervision/check-ended-payment.ts'
import type { Account, ReconciliationDeps } from './record.ts'
import { comparedNightlyMs, longestLookBackMs } from './rules.ts'
import { findReviewPosition, selectCompletedAcrossOrgs, writeReviewPosition } from './store.ts'

const dayMs = 24 * 60 * 60_000
const readTogether = 50

/**
 * Asks the provider again about payments that it completed long ago: a list since yesterday has none that it took back
 * since. The oldest are asked about first, from where the last review ended. Returns whether there is more.
 */
export async function reviewOlder(
  deps: ReconciliationDeps,
  { ownerId, accountId }: Account,
): Promise<'more' | 'done'> {
  const nowMs = (await deps.db.now()).getTime()
  const [oldestMs, youngestMs] = [nowMs - longestLookBackMs, nowMs - comparedNightlyMs]
  const reached = await deps.db.acrossOrgs((tx) => findReviewPosition(tx, ownerId, accountId))
  const fromMs = Math.max(oldestMs, reached?.getTime() ?? 0)
  const toMs = Math.min(fromMs + dayMs, youngestMs)
  const span = { from: new Date(fromMs), to: new Date(toMs), limit: readTogether }
  const payments = await deps.db.acrossOrgs((tx) => selectCompletedAcrossOrgs(tx, accountId, span))
  for (const { orgId, paymentId } of payments)
    await checkEndedPayment(deps, { orgId, paymentId, isReported: false })
  const last = payments.length < readTogether ? span.to : positionAfter(payments, fromMs)
  const isDone = last.getTime() >= youngestMs
  // The next night starts with the oldest again.
  const next = isDone ? new Date(oldestMs) : last
  await deps.db.batchAcrossOrgs([writeReviewPosition(ownerId, accountId, next)])
  return isDone ? 'done' : 'more'
}

/** Others of the same millisecond may follow, so the next piece begins before the last one. */
function positionAfter(payments: readonly { createdAt: Date }[], fromMs: number): Date {
  const lastMs = payments.at(-1)?.createdAt.getTime() ?? fromMs
  return new Date(lastMs - 1 > fromMs ? lastMs - 1 : lastMs)
}
