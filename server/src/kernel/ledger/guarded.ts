import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'

/** The balance of an account that cannot go below zero: available plus held. */
interface GuardedBalance {
  account: string
  currency: string
  availableMinor: bigint
  heldMinor: bigint
}

export async function openGuardedAccount(
  tx: Tx,
  orgId: string,
  opened: { account: string; currency: string },
): Promise<void> {
  await tx.db
    .insertInto('guarded_balances')
    .values({ org_id: orgId, account: opened.account, currency: opened.currency })
    .execute()
}

/** Locks the balances until the commit, in the order of account names, which is the order that transfers use. */
export async function lockGuarded(
  tx: Tx,
  orgId: string,
  accounts: readonly string[],
): Promise<GuardedBalance[]> {
  const rows = await tx.db
    .selectFrom('guarded_balances')
    .select(['account', 'currency', 'available_minor', 'held_minor'])
    .where('org_id', '=', orgId)
    .where('account', '=', sql<string>`any(${[...accounts]}::text[])`)
    .orderBy('account')
    .forUpdate()
    .execute()
  return rows.map((row) => ({
    account: row.account,
    currency: row.currency,
    availableMinor: BigInt(row.available_minor),
    heldMinor: BigInt(row.held_minor),
  }))
}

/** Whether a transfer failed because it would take an account below zero. */
export const isBelowZero = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'guarded_balances_not_below_zero'

/** An amount of the account that a row of another statement names, for that statement's select list. */
export const guardedAmount = (
  column: 'available_minor' | 'held_minor',
  row: { orgId: string; account: RawBuilder<string> },
): RawBuilder<string> =>
  sql<string>`(
    select guarded.${sql.ref(column)} from guarded_balances guarded
    where guarded.org_id = ${sql.ref(row.orgId)} and guarded.account = ${row.account}
  )`

/** Counts an entry of the account's statement, and returns its `entry_count` and the `balance` after it. */
export const countEntry = (orgId: string, account: string): RawBuilder<unknown> =>
  sql`
    update guarded_balances set entry_count = entry_count + 1
    where org_id = ${orgId} and account = ${account}
    returning entry_count, available_minor + held_minor as balance`
