import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { ProviderHealth } from './record.ts'
import { selectHealth, selectHealthAcrossOrgs } from './store.ts'

/** What the organisation's attempts show; for the operator, those of every organisation. */
export async function getProviderHealth(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  input: { windowMinutes: number; provider: string | undefined },
): Promise<ProviderHealth> {
  const { orgId } = caller
  const until = deps.clock.now()
  const since = new Date(until.getTime() - input.windowMinutes * 60_000)
  const window = { since, provider: input.provider }
  const found = caller.permissions.has('platform:read')
    ? await deps.db.acrossOrgs((tx) => selectHealthAcrossOrgs(tx, window))
    : await deps.db.inOrg(orgId, (tx) => selectHealth(tx, orgId, window))
  return { since, until, ...found }
}
