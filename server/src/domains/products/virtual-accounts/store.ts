import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import { guardedAmount } from '../../../kernel/ledger/guarded.ts'
import { account as ledgerAccount } from '../../../kernel/ledger/transfers.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { VirtualAccount, AccountFilters, NewAccountRow } from './record.ts'

const ledgerRow = {
  orgId: 'a.org_id',
  account: sql<string>`${ledgerAccount.virtual('')} || a.account_id::text`,
}

const selectAccounts = (tx: Tx) =>
  tx.db
    .selectFrom('virtual_accounts as a')
    .select([
      'a.org_id as orgId',
      'a.account_id as accountId',
      'a.user_id as userId',
      'a.customer_id as customerId',
      'a.name',
      'a.currency',
      'a.account_type as accountType',
      'a.status',
      'a.freeze_id as freezeId',
      'a.provider',
      'a.provider_account_id as providerAccountId',
      'a.custody',
      'a.details_sealed as detailsSealed',
      guardedAmount('available_minor', ledgerRow).as('availableMinor'),
      guardedAmount('held_minor', ledgerRow).as('heldMinor'),
      'a.created_at as createdAt',
      'a.updated_at as updatedAt',
    ])

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['executeTakeFirstOrThrow']>>

const toAccount = (row: AccountRow): VirtualAccount => ({
  ...row,
  accountType: row.accountType as VirtualAccount['accountType'], // check constraint
  status: row.status as VirtualAccount['status'], // check constraint
  custody: row.custody as VirtualAccount['custody'], // check constraint
  availableMinor: BigInt(row.availableMinor),
  heldMinor: BigInt(row.heldMinor),
})

export async function findAccount(
  tx: Tx,
  orgId: string,
  accountId: string,
): Promise<VirtualAccount | undefined> {
  const row = await selectAccounts(tx)
    .where('a.org_id', '=', orgId)
    .where('a.account_id', '=', accountId)
    .executeTakeFirst()
  return row && toAccount(row)
}

export async function findAccountAcrossOrgs(tx: Tx, accountId: string): Promise<VirtualAccount | undefined> {
  const row = await selectAccounts(tx).where('a.account_id', '=', accountId).executeTakeFirst()
  return row && toAccount(row)
}

export async function selectAccountPage(
  tx: Tx,
  orgId: string,
  page: AccountFilters & { limit: number; before: Position | undefined },
): Promise<VirtualAccount[]> {
  let query = selectAccounts(tx).where('a.org_id', '=', orgId)
  if (page.userId !== undefined) query = query.where('a.user_id', '=', page.userId)
  if (page.customerId !== undefined) query = query.where('a.customer_id', '=', page.customerId)
  if (page.currency !== undefined) query = query.where('a.currency', '=', page.currency)
  if (page.status !== undefined) query = query.where('a.status', '=', page.status)
  if (page.before) query = query.where(beforePosition('a.created_at', 'a.account_id', page.before))
  const rows = await query
    .orderBy('a.created_at', 'desc')
    .orderBy('a.account_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toAccount)
}

export async function insertAccount(tx: Tx, orgId: string, row: NewAccountRow): Promise<void> {
  await tx.db
    .insertInto('virtual_accounts')
    .values({
      org_id: orgId,
      account_id: row.accountId,
      user_id: row.userId,
      customer_id: row.customerId,
      name: row.name,
      currency: row.currency,
      account_type: row.accountType,
      provider: row.provider,
      provider_account_id: row.providerAccountId,
      custody: row.custody,
      details_sealed: row.detailsSealed,
      number_index: row.numberIndex,
    })
    .execute()
}

export async function updateAccountStatus(
  tx: Tx,
  orgId: string,
  change: { accountId: string; status: VirtualAccount['status']; freezeId: string | null; updatedAt: Date },
): Promise<void> {
  await tx.db
    .updateTable('virtual_accounts')
    .set({ status: change.status, freeze_id: change.freezeId, updated_at: change.updatedAt })
    .where('org_id', '=', orgId)
    .where('account_id', '=', change.accountId)
    .execute()
}

const sameNumberLimit = 10

/** More than one when accounts at the provider, or the provider, have given the same number twice. */
export async function selectAccountsByNumberAcrossOrgs(
  tx: Tx,
  numberIndex: Buffer,
): Promise<VirtualAccount[]> {
  const rows = await selectAccounts(tx)
    .where('a.number_index', '=', numberIndex)
    .limit(sameNumberLimit)
    .execute()
  return rows.map(toAccount)
}
