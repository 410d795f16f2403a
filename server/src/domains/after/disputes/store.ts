import { sql, type CompiledQuery } from 'kysely'
import type { DisputeReason, DisputeState } from '../../../connectors/kit/disputes.ts'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { assertWritten } from '../../../kernel/db/errors.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { BookedMove, Dispute, DisputeAction, DisputeFilters, PendingAction } from './record.ts'

const changing = (dispute: Dispute) => ({
  state: dispute.state,
  round: dispute.round,
  reason: dispute.reason,
  provider_reason: dispute.providerReason,
  provider_status: dispute.providerStatus,
  amount_minor: dispute.amountMinor.toString(),
  due_by: dispute.dueBy,
  reported_at: dispute.reportedAt,
  moves: dispute.moves,
  withdrawn_minor: dispute.withdrawnMinor.toString(),
  action: dispute.pending?.action ?? null,
  action_state: dispute.pending?.state ?? null,
  action_reference: dispute.pending?.reference ?? null,
  action_by: dispute.pending?.userId ?? null,
  action_at: dispute.pending?.startedAt ?? null,
  submitted_at: dispute.submittedAt,
  reminded_at: dispute.remindedAt,
  event_count: dispute.eventCount,
  version: dispute.version,
  updated_at: dispute.updatedAt,
  closed_at: dispute.closedAt,
})

/** The unique index makes one of two first messages at the same moment fail; its sender reads the row and continues. */
export const insertDispute = (orgId: string, dispute: Dispute): CompiledQuery =>
  statements
    .insertInto('disputes')
    .values({
      org_id: orgId,
      dispute_id: dispute.disputeId,
      payment_id: dispute.paymentId,
      provider: dispute.provider,
      account_id: dispute.accountId,
      custody: dispute.custody,
      provider_ref: dispute.providerRef,
      currency: dispute.currency,
      created_at: dispute.createdAt,
      ...changing(dispute),
    })
    .compile()

/** Fenced by the version. */
export const updateDispute = (orgId: string, seenVersion: number, dispute: Dispute): CompiledQuery =>
  statements
    .with('written', (db) =>
      db
        .updateTable('disputes')
        .set(changing(dispute))
        .where('org_id', '=', orgId)
        .where('dispute_id', '=', dispute.disputeId)
        .where('version', '=', seenVersion)
        .returning('dispute_id'),
    )
    .selectFrom('written')
    .select(assertWritten('staleVersion').as('fence'))
    .compile()

export const insertMoves = (orgId: string, disputeId: string, moves: readonly BookedMove[]): CompiledQuery =>
  statements
    .insertInto('dispute_moves')
    .values(
      moves.map((move) => ({
        org_id: orgId,
        dispute_id: disputeId,
        move_no: move.moveNo,
        amount_minor: move.amountMinor.toString(),
        currency: move.currency,
        excess_minor: move.excessMinor.toString(),
        cost_minor: move.costMinor.toString(),
        cost_currency: move.costCurrency,
        exchanged_minor: move.exchangedMinor?.toString() ?? null,
        exchanged_currency: move.exchangedCurrency,
      })),
    )
    .compile()

const columns = [
  'org_id as orgId',
  'dispute_id as disputeId',
  'payment_id as paymentId',
  'provider',
  'account_id as accountId',
  'custody',
  'provider_ref as providerRef',
  'state',
  'round',
  'reason',
  'provider_reason as providerReason',
  'provider_status as providerStatus',
  'amount_minor',
  'currency',
  'due_by as dueBy',
  'reported_at as reportedAt',
  'moves',
  'withdrawn_minor',
  'action',
  'action_state',
  'action_reference',
  'action_by',
  'action_at',
  'submitted_at as submittedAt',
  'reminded_at as remindedAt',
  'event_count as eventCount',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'closed_at as closedAt',
] as const

interface ActionColumns {
  action: string | null
  action_state: string | null
  action_reference: string | null
  action_by: string | null
  action_at: Date | null
}

function pendingOf(row: ActionColumns): PendingAction | null {
  if (row.action === null || row.action_reference === null || row.action_at === null) return null
  return {
    action: row.action as DisputeAction, // check constraint
    state: row.action_state === 'sending' ? 'sending' : 'unknown',
    reference: row.action_reference,
    userId: row.action_by ?? '',
    startedAt: row.action_at,
  }
}

type Row = Omit<
  Dispute,
  'amountMinor' | 'withdrawnMinor' | 'state' | 'round' | 'reason' | 'custody' | 'pending'
> &
  ActionColumns & {
    amount_minor: string
    withdrawn_minor: string
    state: string
    round: number
    reason: string
    custody: string
  }

function toDispute(row: Row): Dispute {
  const {
    amount_minor,
    withdrawn_minor,
    action,
    action_state,
    action_reference,
    action_by,
    action_at,
    ...rest
  } = row
  return {
    ...rest,
    amountMinor: BigInt(amount_minor),
    withdrawnMinor: BigInt(withdrawn_minor),
    state: row.state as DisputeState, // check constraint
    round: row.round === 2 ? 2 : 1,
    reason: row.reason as DisputeReason, // written from this type only
    custody: row.custody as Custody, // check constraint
    pending: pendingOf({ action, action_state, action_reference, action_by, action_at }),
  }
}

export async function findDispute(tx: Tx, orgId: string, disputeId: string): Promise<Dispute | undefined> {
  const row = await tx.db
    .selectFrom('disputes')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('dispute_id', '=', disputeId)
    .executeTakeFirst()
  return row && toDispute(row)
}

export async function findDisputeByProviderRef(
  tx: Tx,
  orgId: string,
  key: { accountId: string; providerRef: string },
): Promise<Dispute | undefined> {
  const row = await tx.db
    .selectFrom('disputes')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('account_id', '=', key.accountId)
    .where('provider_ref', '=', key.providerRef)
    .executeTakeFirst()
  return row && toDispute(row)
}

export async function selectDisputes(
  tx: Tx,
  orgId: string,
  page: DisputeFilters & { limit: number; before: Position | undefined },
): Promise<Dispute[]> {
  let query = tx.db.selectFrom('disputes').select(columns).where('org_id', '=', orgId)
  if (page.state !== undefined) query = query.where('state', '=', page.state)
  if (page.provider !== undefined) query = query.where('provider', '=', page.provider)
  if (page.paymentId !== undefined) query = query.where('payment_id', '=', page.paymentId)
  // What has ended is no longer due.
  if (page.dueBefore !== undefined)
    query = query.where('due_by', '<', page.dueBefore).where('closed_at', 'is', null)
  if (page.before) query = query.where(beforePosition('created_at', 'dispute_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('dispute_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toDispute)
}

export async function selectDueDisputes(
  tx: Tx,
  orgId: string,
  due: { before: Date; limit: number },
): Promise<Dispute[]> {
  const rows = await tx.db
    .selectFrom('disputes')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('closed_at', 'is', null)
    .where('state', 'in', ['warning', 'needs_response'])
    .where('due_by', '<', due.before)
    .orderBy('due_by')
    .limit(due.limit)
    .execute()
  return rows.map(toDispute)
}

export async function selectMoves(tx: Tx, orgId: string, disputeId: string): Promise<BookedMove[]> {
  const rows = await tx.db
    .selectFrom('dispute_moves')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('dispute_id', '=', disputeId)
    .orderBy('move_no')
    .execute()
  return rows.map((row) => ({
    moveNo: row.move_no,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    excessMinor: BigInt(row.excess_minor),
    costMinor: BigInt(row.cost_minor),
    costCurrency: row.cost_currency,
    exchangedMinor: row.exchanged_minor === null ? null : BigInt(row.exchanged_minor),
    exchangedCurrency: row.exchanged_currency,
  }))
}

/** The open disputes of all organisations at an account, the ones that changed longest ago first. */
export const selectOpenDisputesAcrossOrgs = (
  tx: Tx,
  accountId: string,
  limit: number,
): Promise<{ orgId: string; disputeId: string; providerRef: string }[]> =>
  tx.db
    .selectFrom('disputes')
    .select(['org_id as orgId', 'dispute_id as disputeId', 'provider_ref as providerRef'])
    .where('account_id', '=', accountId)
    .where('closed_at', 'is', null)
    .orderBy('updated_at')
    .limit(limit)
    .execute()

/** Those whose response has an unknown outcome, or whose reminder is still to come. */
export async function selectWaitingDisputesAcrossOrgs(
  tx: Tx,
  waitingFor: 'response' | 'reminder',
  after: string | undefined,
  limit: number,
): Promise<Dispute[]> {
  let query = tx.db.selectFrom('disputes').select(columns)
  query =
    waitingFor === 'response'
      ? query.where('action', 'is not', null)
      : query.where('closed_at', 'is', null).where('due_by', 'is not', null).where('reminded_at', 'is', null)
  if (after !== undefined) query = query.where('dispute_id', '>', after)
  const rows = await query.orderBy('dispute_id').limit(limit).execute()
  return rows.map(toDispute)
}

export const selectOpenDisputesOf = (tx: Tx, orgId: string, paymentIds: readonly string[]) =>
  sql<{ paymentId: string }>`select payment_id as "paymentId" from disputes where org_id = ${orgId}
    and payment_id = any(${[...paymentIds]}::uuid[]) and closed_at is null`.execute(tx.db)
