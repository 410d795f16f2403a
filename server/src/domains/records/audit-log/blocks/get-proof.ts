import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { missingRow } from '../../../../kernel/db/archive/archived.ts'
import { conflict, notFound } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { EntryProof, SealedHeader } from './record.ts'
import { entryText, pathOf } from './rules.ts'
import { findBlockOfEntry, findEntry, findHead, selectHeaders } from './store.ts'

const chainLimit = 1_000

/** Shows that an entry is in a block, and how that block leads to a later one, such as an exported head. */
export async function getProof(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; auditId: string; untilBlock: number | undefined },
): Promise<EntryProof> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { auditId } = input
  return deps.db.inOrg(orgId, async (tx) => {
    const row = await findEntry(tx, orgId, auditId)
    if (!row) throw await missingRow(tx, 'audit_log', { what: 'The entry', id: auditId })
    const block = await findBlockOfEntry(tx, orgId, auditId)
    if (!block) throw conflict('The entry was written a moment ago and is not sealed yet. Try again in 10 s.')
    const { auditIds, leafHashes, ...header } = block
    const leafIndex = auditIds.indexOf(auditId)
    return {
      auditId,
      canonical: caller.permissions.has('personal-data:read') ? entryText(row) : undefined,
      leafHash: leafHashes[leafIndex] ?? Buffer.alloc(0),
      leafIndex,
      path: pathOf(leafHashes, leafIndex),
      block: header,
      chain: await selectHeaders(tx, orgId, {
        after: header.blockNo,
        to: input.untilBlock,
        limit: chainLimit,
      }),
    }
  })
}

/** The newest block of the organisation, for safekeeping by a third party. */
export async function getHead(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<SealedHeader> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const head = await deps.db.inOrg(orgId, (tx) => findHead(tx, orgId))
  if (!head) throw notFound('The first block of the audit log')
  return head
}
