import type { Caller } from '../../../lib/requests/access.ts'
import { checkBatchApproval } from './check-batch-approval.ts'
import type { BatchDeps, CheckedRows } from './record.ts'
import { duplicateMs, fingerprintOf } from './rules.ts'
import { findDuplicateId } from './store.ts'
import { validateRows } from './validate-rows.ts'

/** The dry run: what would be refused, what it would cost, and whether it would need approval. Stores nothing. */
export async function checkRows(
  deps: BatchDeps,
  { orgId }: Caller,
  input: { rows: readonly Readonly<Record<string, unknown>>[] },
): Promise<{ checked: CheckedRows; needsApproval: boolean; duplicateOf: string | null }> {
  const checked = await validateRows(deps, orgId, input.rows)
  const fingerprint = fingerprintOf(checked.rows)
  const since = new Date(deps.clock.now().getTime() - duplicateMs)
  const duplicateId = await deps.db.inOrg(orgId, (tx) => findDuplicateId(tx, orgId, { fingerprint, since }))
  return {
    checked,
    needsApproval: await checkBatchApproval(deps, orgId, checked.totals),
    duplicateOf: duplicateId ?? null,
  }
}
