import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { badSpan, unknownTimeZone } from './errors.ts'
import type { Trends } from './record.ts'
import { addDays, coversAll, daysIn, isTimeZone, spanLimitDays, spanOf } from './rules.ts'
import { selectTrends, selectTrendsAcrossOrgs } from './store.ts'

/** Groups payments by the day they were created on, in the caller's time zone, with their current state. */
export async function getTrends(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  input: { orgId: string | undefined; from: string | undefined; to: string | undefined; timeZone: string },
): Promise<Trends> {
  const isForAll = coversAll(caller, input.orgId)
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { timeZone } = input
  if (!isTimeZone(timeZone)) throw unknownTimeZone()
  const span = spanOf(input, deps.clock.now(), timeZone)
  const days = daysIn(span)
  if (days < 1 || days > spanLimitDays) throw badSpan(spanLimitDays)
  const until = addDays(span.to, 1)
  const asked = { from: span.from, until, timeZone }
  const series = isForAll
    ? await deps.db.acrossOrgs((tx) => selectTrendsAcrossOrgs(tx, asked))
    : await deps.db.inOrg(orgId, (tx) => selectTrends(tx, orgId, asked))
  return { ...span, timeZone, series }
}
