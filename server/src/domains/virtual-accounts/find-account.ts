import type { Tx } from '../../db/database.ts'
import type { VirtualAccount } from './record.ts'
import { numberIndex } from './rules.ts'
import { findAccount, findAccountAcrossOrgs, findAccountByNumberAcrossOrgs } from './store.ts'

/** In the caller's transaction. Undefined as organisation searches all of them; only the operator may. */
export const findAccountIn = (
  tx: Tx,
  orgId: string | undefined,
  accountId: string,
): Promise<VirtualAccount | undefined> =>
  orgId === undefined ? findAccountAcrossOrgs(tx, accountId) : findAccount(tx, orgId, accountId)

/** The account that a provider opened under this number, of any organisation. */
export const findByNumberAcrossOrgs = (
  tx: Tx,
  deps: { accountNumberKey: Buffer },
  named: { provider: string; accountNumber: string },
): Promise<VirtualAccount | undefined> =>
  findAccountByNumberAcrossOrgs(tx, numberIndex(deps.accountNumberKey, named.provider, named.accountNumber))
