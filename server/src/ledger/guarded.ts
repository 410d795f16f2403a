import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** What an account that cannot go below zero holds: its balance is both together. */
export interface GuardedBalance {
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

/** Until the commit nobody else moves money of these accounts. In the order of names, as transfers lock them. */
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

/** A transfer asked for more than an account has. */
export const isBelowZero = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'guarded_balances_not_below_zero'
