import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Adjustment, AdjustmentDeps } from './record.ts'
import { selectAdjustments } from './store.ts'

export function listAdjustments(
  deps: AdjustmentDeps,
  caller: Caller,
  input: { orgId: string | undefined; paymentId: string | undefined; page: PageRequest },
): Promise<Page<Adjustment>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { paymentId } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'ledger-adjustments', filters: { paymentId } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectAdjustments(tx, orgId, { paymentId, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.adjustmentId }),
  })
}
