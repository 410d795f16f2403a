import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import { assertWritten } from '../../../../kernel/db/errors.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import { countEntry } from '../../../../kernel/ledger/guarded.ts'
import { account as ledgerAccount } from '../../../../kernel/ledger/transfers.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import type { RawNumber } from '../../../../lib/text/json.ts'
import type { EventData } from '../../../events/webhooks/events.ts'
import { insertEventFromRow } from '../../../events/webhooks/publish-events.ts'
import type { Rail, VirtualTransaction, NewTransaction, TransactionFilters, Period } from './record.ts'

const columns = [
  'org_id as orgId',
  'transaction_id as transactionId',
  'account_id as accountId',
  'user_id as userId',
  'type',
  'status',
  'amount_minor as amountMinor',
  'currency',
  'description',
  'payment_rail as paymentRail',
  'reference',
  'entry_no as entryNo',
  'balance_after_minor as balanceAfterMinor',
  'booked_at as bookedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const selectTransactions = (tx: Tx) => tx.db.selectFrom('virtual_transactions').select(columns)
type Row = Awaited<ReturnType<ReturnType<typeof selectTransactions>['executeTakeFirstOrThrow']>>

const toTransaction = (row: Row): VirtualTransaction => ({
  ...row,
  type: row.type as VirtualTransaction['type'], // check constraint
  status: row.status as VirtualTransaction['status'], // check constraint
  paymentRail: row.paymentRail as Rail, // check constraint
  amountMinor: BigInt(row.amountMinor),
  balanceAfterMinor: row.balanceAfterMinor === null ? null : BigInt(row.balanceAfterMinor),
})

/** Pending until it is booked. Fails the whole transaction if a debit's account is not active. */
export const insertTransaction = (orgId: string, row: NewTransaction): CompiledQuery =>
  sql`
    with written as (
      insert into virtual_transactions (org_id, transaction_id, account_id, user_id, type, amount_minor, currency,
        description, payment_rail, reference, created_at, updated_at)
      select org_id, ${row.transactionId}, account_id, user_id, ${row.type}, ${row.amountMinor.toString()}::numeric,
        currency, ${row.description}, ${row.paymentRail}, ${row.reference}, ${row.createdAt}, ${row.createdAt}
      from virtual_accounts
      where org_id = ${orgId} and account_id = ${row.accountId} and currency = ${row.currency}
        and (status = 'active' or ${row.type} = 'credit')
      returning transaction_id
    )
    select assert_active(count(*)) from written`.compile(statements)

type BookingEventType = 'virtual_account.deposit' | 'virtual_account.withdrawal'

/** The data of a booking's event without the fields that the statement itself determines. */
export type KnownEventData = Omit<EventData<BookingEventType>, 'user_id' | 'balance_after' | 'sequence'>

interface Booking {
  transactionId: string
  accountId: string
  bookedAt: Date
  /** The decimals of the currency. */
  exponent: number
  event: { eventId: string; eventType: BookingEventType; data: KnownEventData }
}

/**
 * Gives a pending transaction its entry number and balance, and inserts its event. It runs after the transfers, which
 * have locked the balance row, so that entry numbers and balances have no gap.
 */
export const bookTransaction = (orgId: string, booking: Booking): CompiledQuery =>
  sql`
    with counted as (${countEntry(orgId, ledgerAccount.virtual(booking.accountId))}),
    booked as (
      update virtual_transactions t
      set status = 'completed', entry_no = counted.entry_count, balance_after_minor = counted.balance,
          booked_at = ${booking.bookedAt}, updated_at = ${booking.bookedAt}
      from counted
      where t.org_id = ${orgId} and t.transaction_id = ${booking.transactionId} and t.status = 'pending'
      returning t.user_id, t.entry_no, t.balance_after_minor
    ),
    recorded as (${bookingEvent(orgId, booking)})
    select ${assertWritten('transactionNotPending')} from recorded`.compile(statements)

const bookingEvent = (orgId: string, { accountId, bookedAt, exponent, event }: Booking) =>
  insertEventFromRow(orgId, 'booked', {
    ...event,
    resourceId: accountId,
    createdAt: bookedAt,
    data: {
      ...event.data,
      user_id: sql<string>`booked.user_id`,
      balance_after: sql<RawNumber>`amount_text(booked.balance_after_minor, ${exponent})::json`,
      sequence: sql<number>`booked.entry_no`,
    },
  })

/**
 * `failed` ends a pending transaction; `reversed` marks a booked one whose money came back as a separate credit.
 */
export const endTransaction = (
  orgId: string,
  end: { transactionId: string; status: 'failed' | 'reversed'; at: Date },
): CompiledQuery =>
  statements
    .with('ended', (db) =>
      db
        .updateTable('virtual_transactions')
        .set({ status: end.status, updated_at: end.at })
        .where('org_id', '=', orgId)
        .where('transaction_id', '=', end.transactionId)
        .where('status', '=', end.status === 'failed' ? 'pending' : 'completed')
        .returning('transaction_id'),
    )
    .selectFrom('ended')
    .select(assertWritten('transactionNotPending').as('fence'))
    .compile()

export async function findTransaction(
  tx: Tx,
  orgId: string,
  transactionId: string,
): Promise<VirtualTransaction | undefined> {
  const row = await selectTransactions(tx)
    .where('org_id', '=', orgId)
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  return row && toTransaction(row)
}

export async function selectTransactionPage(
  tx: Tx,
  orgId: string,
  page: TransactionFilters & { limit: number; before: Position | undefined },
): Promise<VirtualTransaction[]> {
  let query = selectTransactions(tx).where('org_id', '=', orgId).where('account_id', '=', page.accountId)
  if (page.type !== undefined) query = query.where('type', '=', page.type)
  if (page.status !== undefined) query = query.where('status', '=', page.status)
  if (page.before) query = query.where(beforePosition('created_at', 'transaction_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('transaction_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toTransaction)
}

const bookedIn = (tx: Tx, orgId: string, { accountId, from, to }: Period) => {
  let query = selectTransactions(tx)
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('entry_no', 'is not', null)
  if (from) query = query.where('booked_at', '>=', from)
  if (to) query = query.where('booked_at', '<', to)
  return query
}

export async function selectEntries(
  tx: Tx,
  orgId: string,
  page: Period & { afterEntry: number; limit: number },
): Promise<VirtualTransaction[]> {
  const rows = await bookedIn(tx, orgId, page)
    .where('entry_no', '>', page.afterEntry)
    .orderBy('entry_no')
    .limit(page.limit)
    .execute()
  return rows.map(toTransaction)
}

/** The balance before the first entry of a period, and after its last. */
export async function balancesAround(
  tx: Tx,
  orgId: string,
  period: Period,
): Promise<{ openingMinor: bigint; closingMinor: bigint }> {
  const last = async (before: Date | undefined): Promise<bigint> => {
    const row = await bookedIn(tx, orgId, { accountId: period.accountId, from: undefined, to: before })
      .orderBy('entry_no', 'desc')
      .limit(1)
      .executeTakeFirst()
    return BigInt(row?.balanceAfterMinor ?? 0)
  }
  return {
    openingMinor: period.from ? await last(period.from) : 0n,
    closingMinor: await last(period.to),
  }
}
