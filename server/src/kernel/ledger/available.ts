import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import { statements, type Tx } from '../db/database.ts'

/** The owner of the provider account that holds an amount: the installation, shared by all, or the organisation. */
export type Custody = 'pooled' | 'own'

/**
 * The kinds of transfers that report what a provider has already done, as SQL patterns. They are never refused, and may
 * take a pooled balance below its limit; the same transaction then raises `negative_balance`.
 */
export const forcedKinds = [
  'payout.late',
  'fee.late',
  'payin.reversed%',
  'refund.elsewhere%',
  'refund.excess',
  'dispute.%',
] as const

export const isForced = (kind: string): boolean =>
  forcedKinds.some((pattern) =>
    pattern.endsWith('%') ? kind.startsWith(pattern.slice(0, -1)) : kind === pattern,
  )

interface AvailableBalance {
  account: string
  currency: string
  postedMinor: bigint
  /** Set aside for payouts and refunds under way. */
  heldMinor: bigint
}

/**
 * Fails the batch when the debits before it take the account below the organisation's credit limit. Debits of one
 * account queue from here to their commit; credits never wait.
 */
export const assertCovered = (orgId: string, debited: { account: string; currency: string }): CompiledQuery =>
  sql`select assert_covered(${orgId}::uuid, ${debited.account}, ${debited.currency})`.compile(statements)

export interface Shortfall {
  /** What would have been left; negative. */
  remainingMinor: bigint
  creditLimitMinor: bigint
}

/** What was missing, when a batch failed because the balance does not cover it. */
export function shortfallOf(error: unknown): Shortfall | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'SY010' && 'detail' in error))
    return undefined
  const detail = JSON.parse(String(error.detail)) as { remaining: string; limit: string } // written by assert_covered
  return { remainingMinor: BigInt(detail.remaining), creditLimitMinor: BigInt(detail.limit) }
}

/**
 * A query of `account, currency, posted_minor, held_minor`, for other statements. Its cost is that of the transfers
 * since the last fold, whatever the age of the account.
 */
export const availableSums = (orgId: string): RawBuilder<unknown> =>
  sql`select account, currency, posted_minor, held_minor from available_balances(${orgId}::uuid)`

export async function availableBalances(tx: Tx, orgId: string): Promise<AvailableBalance[]> {
  const { rows } = await sql<{ account: string; currency: string; posted: string; held: string }>`
    select account, currency, posted_minor::text as posted, held_minor::text as held
    from (${availableSums(orgId)}) sums order by account, currency`.execute(tx.db)
  return rows.map((row) => ({
    account: row.account,
    currency: row.currency,
    postedMinor: BigInt(row.posted),
    heldMinor: BigInt(row.held),
  }))
}

/** Folds the transfers that no open transaction can precede any more; returns how many balances changed. */
export async function foldBalancesAcrossOrgs(tx: Tx): Promise<number> {
  const { rows } = await sql<{ folded: string }>`select fold_balances()::text as folded`.execute(tx.db)
  return Number(rows[0]?.folded ?? 0)
}
