import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { ReconciliationRun, RunFilters } from './record.ts'
import { selectRuns } from './store.ts'

/** The operator also sees the runs of the installation's accounts. */
export function listRuns(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { filters: RunFilters; page: PageRequest },
): Promise<Page<ReconciliationRun>> {
  const { orgId } = caller
  const { filters } = input
  const withInstallation = caller.permissions.has('platform:read')
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'reconciliation-runs', filters: { ...filters } },
    read: (limit, before) => {
      const read = (tx: Tx): Promise<ReconciliationRun[]> =>
        selectRuns(tx, orgId, { withInstallation, filters, limit, before })
      return withInstallation ? deps.db.acrossOrgs(read) : deps.db.inOrg(orgId, read)
    },
    positionOf: ({ startedAt, runId }) => ({ createdAt: startedAt, id: runId }),
  })
}
