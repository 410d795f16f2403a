import { listArchivedRanges } from '../../../../kernel/db/archive/archived.ts'
import type { Database } from '../../../../kernel/db/database.ts'
import type { Finding } from '../../../../kernel/ledger/audit.ts'
import type { Violation } from '../../../../kernel/ledger/audit-check.ts'
import type { ExportedHead } from './export-heads.ts'
import type { AuditBlock } from './record.ts'
import { blockProblems, leafOf } from './rules.ts'
import {
  countEntriesAcrossOrgs,
  selectBlocksAcrossOrgs,
  selectEntriesAcrossOrgs,
  selectStrayEntriesAcrossOrgs,
} from './store.ts'

const blocksPerPage = 20
const examplesLimit = 20
/** Sealing runs every few seconds; an entry that waits for this long shows that it has stopped. */
const waitingLimitSeconds = 600

/**
 * Recomputes every block from the entries as they are now, and compares the chains with the heads that were exported.
 * It names each entry and each block that differs. Of entries whose month was archived the blocks alone are examined.
 */
export async function verifyLogAcrossOrgs(
  db: Database['readAcrossOrgs'],
  exported: readonly ExportedHead[] = [],
): Promise<Finding[]> {
  const violations: Violation[] = []
  const unseen = new Map(exported.map((head) => [head.org_id, head]))
  const ranges = await listArchivedRanges(db, 'audit_log')
  const isArchived = (id: string): boolean => ranges.some(({ fromId, toId }) => id >= fromId && id < toId)
  let examined = 0
  let archived = 0
  let missing = 0
  let before: AuditBlock | undefined
  for (;;) {
    const page: AuditBlock[] = await selectBlocksAcrossOrgs(db, before, blocksPerPage)
    if (page.length === 0) break
    const ids = page.flatMap(({ orgId, auditIds }) => auditIds.map((auditId) => ({ orgId, auditId })))
    const rows = await selectEntriesAcrossOrgs(db, ids)
    for (const block of page) {
      const previous = before?.orgId === block.orgId ? before : undefined
      for (const problem of blockProblems(previous, block))
        violations.push({ subject: subjectOf(block.orgId), problem })
      const found = entryViolations(block, rows, isArchived)
      const absent = block.auditIds.filter((auditId) => !rows.has(auditId))
      missing += absent.length
      archived += absent.filter(isArchived).length
      violations.push(...found, ...headViolations(unseen, block))
      examined += block.rowCount
      before = block
    }
  }
  for (const head of unseen.values()) violations.push(missingHead(head))
  return [
    findingOf('the audit log is as it was sealed', examined - archived, violations),
    await findUnsealed(db, missing),
  ]
}

const subjectOf = (orgId: string): string => `organisation ${orgId}`

function entryViolations(
  { orgId, blockNo, auditIds, leafHashes }: AuditBlock,
  rows: Awaited<ReturnType<typeof selectEntriesAcrossOrgs>>,
  isArchived: (auditId: string) => boolean,
): Violation[] {
  return auditIds.flatMap((auditId, index) => {
    const row = rows.get(auditId)
    if (!row && isArchived(auditId)) return []
    const verb = row ? 'changed' : 'removed'
    if (row && leafHashes[index]?.equals(leafOf({ auditId, row }))) return []
    const problem = `entry ${auditId} of block ${blockNo} was ${verb} after it was written`
    return [{ subject: subjectOf(orgId), problem }]
  })
}

/** Takes the head off the list when its block is found. */
function headViolations(unseen: Map<string, ExportedHead>, block: AuditBlock): Violation[] {
  const head = unseen.get(block.orgId)
  if (head?.block_no !== block.blockNo) return []
  unseen.delete(block.orgId)
  if (head.block_hash === block.blockHash.toString('hex')) return []
  const problem = `block ${block.blockNo} is not the one that was exported: the chain was written anew`
  return [{ subject: subjectOf(block.orgId), problem }]
}

const missingHead = ({ org_id, block_no, sealed_at }: ExportedHead): Violation => ({
  subject: subjectOf(org_id),
  problem: `block ${block_no} of ${sealed_at} was exported and is missing: the end of the chain was removed`,
})

async function findUnsealed(db: Database['readAcrossOrgs'], missing: number): Promise<Finding> {
  const { total, sealed, waiting, oldestWaitingSeconds } = await countEntriesAcrossOrgs(db)
  const strays =
    total > sealed - missing + waiting ? await selectStrayEntriesAcrossOrgs(db, examplesLimit) : []
  const violations = strays.map(({ orgId, auditId }) => ({
    subject: subjectOf(orgId),
    problem: `entry ${auditId} is in no block and does not wait for one`,
  }))
  if (oldestWaitingSeconds > waitingLimitSeconds)
    violations.push({
      subject: 'the worker',
      problem: `${waiting} entries wait to be sealed, one of them since ${Math.round(oldestWaitingSeconds)} s`,
    })
  return findingOf(
    'every entry of the audit log is in a block, or was written a moment ago',
    total,
    violations,
  )
}

const findingOf = (promise: string, examined: number, violations: readonly Violation[]): Finding => ({
  promise,
  examined,
  violations: violations.length,
  examples: violations.slice(0, examplesLimit),
})
