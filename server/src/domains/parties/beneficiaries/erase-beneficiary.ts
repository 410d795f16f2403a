import type { Tx } from '../../../kernel/db/database.ts'
import { openUnlessErased } from './reads.ts'
import type { BeneficiaryDeps, BeneficiaryDetails } from './record.ts'
import { deleteBeneficiaryRow, selectBeneficiaries } from './store.ts'

const pageSize = 500

/**
 * The beneficiaries whose details match. There is no index over sealed details, so all of the organisation's are
 * opened.
 */
export async function findBeneficiariesBy(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'>,
  orgId: string,
  matches: (details: BeneficiaryDetails, country: string) => boolean,
): Promise<string[]> {
  const found: string[] = []
  let before: { createdAt: Date; id: string } | undefined
  for (;;) {
    const page = { userId: undefined, limit: pageSize, before }
    const rows = await deps.db.inOrg(orgId, (tx) => selectBeneficiaries(tx, orgId, page))
    for (const row of rows) {
      const opened = await openUnlessErased(deps, row)
      if (opened && matches(opened.details, opened.country)) found.push(opened.beneficiaryId)
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return found
    before = { createdAt: last.createdAt, id: last.beneficiaryId }
  }
}

/** In the transaction that ends an erasure, whose audit entry covers it. */
export async function eraseBeneficiaries(
  tx: Tx,
  orgId: string,
  beneficiaryIds: readonly string[],
): Promise<void> {
  for (const beneficiaryId of beneficiaryIds) await deleteBeneficiaryRow(tx, orgId, beneficiaryId)
}
