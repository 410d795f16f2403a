import { sql } from 'kysely'
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
