import type { Tx } from '../../../kernel/db/database.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { VirtualAccount } from './record.ts'
import { numberIndex } from './rules.ts'
import { findAccount, findAccountAcrossOrgs, selectAccountsByNumberAcrossOrgs } from './store.ts'

/** In the caller's transaction. Undefined as organisation searches all of them; only the operator may. */
export const findAccountIn = (
  tx: Tx,
  orgId: string | undefined,
  accountId: string,
): Promise<VirtualAccount | undefined> =>
  orgId === undefined ? findAccountAcrossOrgs(tx, accountId) : findAccount(tx, orgId, accountId)

/** The accounts that were opened at a provider under this number, of any organisation. */
export const listByNumberAcrossOrgs = (
  tx: Tx,
  deps: { accountNumberKey: KeyRing },
  named: { provider: string; accountNumber: string },
): Promise<VirtualAccount[]> =>
  selectAccountsByNumberAcrossOrgs(
    tx,
    numberIndex(deps.accountNumberKey, named.provider, named.accountNumber),
  )
