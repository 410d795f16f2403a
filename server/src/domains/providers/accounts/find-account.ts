import type { Tx } from '../../../kernel/db/database.ts'
import type { ProviderAccount } from './record.ts'
import { findAccountAcrossOrgs, selectAccounts } from './store.ts'

/** An account of the organisation or of the installation, in the caller's transaction. */
export const findAccountIn = async (
  tx: Tx,
  orgId: string,
  wanted: { provider: string; accountId: string },
): Promise<ProviderAccount | undefined> =>
  (await selectAccounts(tx, orgId, { provider: wanted.provider })).find(
    ({ accountId }) => accountId === wanted.accountId,
  )

/** Of any owner, for the operator. */
export const findAnyAccountAcrossOrgs = async (
  tx: Tx,
  accountId: string,
): Promise<Pick<ProviderAccount, 'orgId' | 'accountId'> | undefined> => findAccountAcrossOrgs(tx, accountId)
