import type { Database } from '../../../kernel/db/database.ts'
import type { BeneficiaryAccount } from './record.ts'
import { selectAccounts } from './store.ts'

/** The accounts of those beneficiaries that exist, by id, in one query and without their personal data. */
export async function listAccounts(
  deps: { db: Database },
  orgId: string,
  beneficiaryIds: readonly string[],
): Promise<Map<string, BeneficiaryAccount>> {
  const accounts = await deps.db.inOrg(orgId, (tx) => selectAccounts(tx, orgId, beneficiaryIds))
  return new Map(accounts.map((account) => [account.beneficiaryId, account]))
}
