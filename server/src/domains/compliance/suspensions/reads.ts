import { notFound } from '../../../lib/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { suspensionKinds, type Suspension, type SuspensionDeps, type SuspensionKind } from './record.ts'
import {
  countInForceAcrossOrgs,
  findSuspensionAcrossOrgs,
  selectHeldBack,
  selectSuspensionsAcrossOrgs,
  type SuspensionFilters,
} from './store.ts'

export async function getSuspension(
  deps: Pick<SuspensionDeps, 'db'>,
  suspensionId: string,
): Promise<Suspension> {
  const found = await deps.db.acrossOrgs((tx) => findSuspensionAcrossOrgs(tx, suspensionId))
  if (!found) throw notFound('The suspension')
  return found
}

export const listSuspensions = (
  deps: Pick<SuspensionDeps, 'db' | 'cursorKey'>,
  { orgId }: Caller,
  { filters, page }: { filters: SuspensionFilters; page: PageRequest },
): Promise<Page<Suspension>> =>
  readPage(deps.cursorKey, page, {
    scope: { orgId, route: 'suspensions', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.acrossOrgs((tx) => selectSuspensionsAcrossOrgs(tx, { ...filters, limit, before })),
    positionOf: ({ suspendedAt, suspensionId }) => ({ createdAt: suspendedAt, id: suspensionId }),
  })

/** Every kind, also those of which none is in force. */
export async function countInForce(deps: {
  db: Database
}): Promise<{ kind: SuspensionKind; count: number }[]> {
  const counted = await deps.db.acrossOrgs((tx) => countInForceAcrossOrgs(tx))
  return suspensionKinds.map((kind) => ({
    kind,
    count: counted.find((one) => one.kind === kind)?.count ?? 0,
  }))
}

/**
 * Whether what was written may still be sent again. It is no guard: what is to be sent is refused by the database, in
 * the transaction that writes it (assert_not_suspended).
 */
export const isSendingHeldBack = (
  deps: { db: Database },
  orgId: string,
  { accountId }: { accountId: string | null },
): Promise<boolean> => deps.db.inOrg(orgId, (tx) => selectHeldBack(tx, orgId, accountId))
