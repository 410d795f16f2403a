import type { Database } from '../../../kernel/db/database.ts'
import { createCache, type Cache } from '../../../lib/flow/bounded-cache.ts'
import type { Chargeable, Fee, FeeSchedule, FeeScheduleSource } from './record.ts'
import { chooseSchedule, feeOf } from './rules.ts'
import { selectActiveSchedules } from './store.ts'

const cacheLimit = 20_000
const cacheTtlMs = 2_000

export function createFeeScheduleSource(db: Database): FeeScheduleSource {
  const cache: Cache<FeeSchedule[]> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  return {
    list: (orgId) => cache.get(orgId, () => db.inOrg(orgId, (tx) => selectActiveSchedules(tx, orgId))),
    invalidate: () => cache.clear(),
  }
}

/** The fee of a payment as the schedules are now; null when none applies or nothing is due. */
export async function pricePayment(
  deps: { feeSchedules: FeeScheduleSource },
  orgId: string,
  payment: Chargeable,
): Promise<Fee | null> {
  const schedule = chooseSchedule(await deps.feeSchedules.list(orgId), payment)
  const amountMinor = schedule ? feeOf(schedule, payment.amount) : 0n
  if (!schedule || amountMinor === 0n) return null
  const { scheduleId, isReturned } = schedule
  return { scheduleId, isReturned, amountMinor, currency: payment.amount.currency }
}
