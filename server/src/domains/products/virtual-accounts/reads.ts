import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { notFound } from '../../../lib/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type {
  AccountDeps,
  AccountDetails,
  AccountFilters,
  OpenedVirtualAccount,
  VirtualAccount,
} from './record.ts'
import { accountContext, numberIndex } from './rules.ts'
import {
  findAccount,
  findAccountAcrossOrgs,
  selectAccountPage,
  selectAccountsByNumberAcrossOrgs,
} from './store.ts'

export async function getAccount(
  deps: { db: Database; vault: Vault },
  orgId: string,
  input: { accountId: string },
): Promise<OpenedVirtualAccount> {
  const found = await deps.db.inOrg(orgId, (tx) => findAccount(tx, orgId, input.accountId))
  if (!found) throw notFound('The virtual account')
  return openDetails(deps, found)
}

async function openDetails(deps: { vault: Vault }, account: VirtualAccount): Promise<OpenedVirtualAccount> {
  const { orgId, accountId, detailsSealed } = account
  const details = detailsSealed
    ? ((await deps.vault.open(orgId, accountContext(accountId), detailsSealed)) as AccountDetails) // sealed by us from this type
    : null
  return { ...account, details }
}

export async function listAccounts(
  deps: Pick<AccountDeps, 'db' | 'vault'> & { cursorKey: KeyRing },
  caller: Caller,
  input: { filters: AccountFilters; page: PageRequest },
): Promise<Page<OpenedVirtualAccount>> {
  const { orgId } = caller
  const page = await readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'virtual-accounts', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectAccountPage(tx, orgId, { ...input.filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.accountId }),
  })
  return { ...page, items: await Promise.all(page.items.map((row) => openDetails(deps, row))) }
}

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
