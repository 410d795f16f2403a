import { sql, type CompiledQuery } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { stampIn, stampNow } from '../../../kernel/db/money-clock.ts'
import type { StoredAttempt } from '../record.ts'
import type { FoundAttempt } from './record.ts'
import { isOpen, type AttemptState } from '../lifecycle/rules.ts'

const columns = [
  'attempt_no as attemptNo',
  'provider',
  'account_id as accountId',
  'custody',
  'config_id as configId',
  'reference',
  'state',
  'state_changes',
  'provider_ref as providerRef',
  'provider_status as providerStatus',
  'outcome_code as outcomeCode',
  'outcome_message as outcomeMessage',
  'cost_minor',
  'cost_currency',
  'reached_customer as reachedCustomer',
  'not_found_count as notFoundCount',
  'inquiries',
  'page_inquiries as pageInquiries',
  'page_inquired_at as pageInquiredAt',
  'forwarded_returns as forwardedReturns',
  'otp_tries as otpTries',
  'wrong_otps as wrongOtps',
  'resolution_id as resolutionId',
  'deadline_at as deadlineAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export async function selectAttempts(tx: Tx, orgId: string, paymentId: string): Promise<StoredAttempt[]> {
  const rows = await tx.db
    .selectFrom('attempts')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .orderBy('attempt_no')
    .execute()
  return rows.map(
    ({ cost_minor: costMinor, cost_currency: costCurrency, state_changes: stateChanges, ...row }) => ({
      ...row,
      cost:
        costMinor === null || costCurrency === null
          ? null
          : { amountMinor: BigInt(costMinor), currency: costCurrency },
      state: row.state as AttemptState, // check constraint
      stateChanges: stateChanges as unknown as StoredAttempt['stateChanges'], // written by updateAttempt
      custody: row.custody as StoredAttempt['custody'], // check constraint
    }),
  )
}

/** We choose the references at random, so one identifies at most one attempt across all organisations. */
export const findAttemptByReferenceAcrossOrgs = (
  tx: Tx,
  reference: string,
): Promise<FoundAttempt | undefined> =>
  tx.db
    .selectFrom('attempts')
    .select([
      'org_id as orgId',
      'payment_id as paymentId',
      'attempt_no as attemptNo',
      'account_id as accountId',
    ])
    .where('reference', '=', reference)
    .executeTakeFirst()

/** By the provider's own id, at the account that issued it. */
export const findAttemptByProviderRefAcrossOrgs = (
  tx: Tx,
  accountId: string,
  providerRef: string,
): Promise<(FoundAttempt & { reference: string }) | undefined> =>
  tx.db
    .selectFrom('attempts')
    .select([
      'org_id as orgId',
      'payment_id as paymentId',
      'attempt_no as attemptNo',
      'account_id as accountId',
      'reference',
    ])
    .where('account_id', '=', accountId)
    .where('provider_ref', '=', providerRef)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

const insertAttemptRow = compileOnce<ReturnType<typeof toInsertedColumns>>(({ deadlineMs, ...row }) =>
  statements
    .insertInto('attempts')
    .values({ ...row, created_at: stampNow(), updated_at: stampNow(), deadline_at: stampIn(deadlineMs) })
    .compile(),
)

export const insertAttempt = (orgId: string, paymentId: string, attempt: StoredAttempt): CompiledQuery =>
  insertAttemptRow(toInsertedColumns(orgId, paymentId, attempt))

const toInsertedColumns = (orgId: string, paymentId: string, attempt: StoredAttempt) => ({
  org_id: orgId,
  payment_id: paymentId,
  attempt_no: attempt.attemptNo,
  provider: attempt.provider,
  account_id: attempt.accountId,
  custody: attempt.custody,
  config_id: attempt.configId,
  reference: attempt.reference,
  state: attempt.state,
  deadlineMs: attempt.deadlineAt.getTime() - attempt.createdAt.getTime(),
})

interface AttemptKey {
  orgId: string
  paymentId: string
  attemptNo: number
}

type AttemptUpdate = AttemptKey & ReturnType<typeof toUpdatedColumns> & ReturnType<typeof toAnswerTimes>

const updateAttemptRow = compileOnce<AttemptUpdate>(
  ({ orgId, paymentId, attemptNo, isAnswered, isEnded, ...row }) =>
    statements
      .updateTable('attempts')
      .set((eb) => ({
        ...row,
        updated_at: stampNow(),
        ...(isAnswered !== undefined && { answered_at: eb.fn.coalesce('answered_at', stampNow()) }),
        ...(isEnded !== undefined && { ended_at: eb.fn.coalesce('ended_at', stampNow()) }),
      }))
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .where('attempt_no', '=', attemptNo)
      .compile(),
)

/** When the attempt that collected the payment ended. */
export async function findCompletedAt(tx: Tx, orgId: string, paymentId: string): Promise<Date | undefined> {
  const row = await tx.db
    .selectFrom('attempts')
    .select(['ended_at', 'updated_at'])
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'succeeded')
    .executeTakeFirst()
  return row?.ended_at ?? row?.updated_at
}

/** The counts that a caller claims before it calls the provider have updates of their own. */
export const updateAttempt = (orgId: string, paymentId: string, attempt: StoredAttempt): CompiledQuery =>
  updateAttemptRow({
    orgId,
    paymentId,
    attemptNo: attempt.attemptNo,
    ...toUpdatedColumns(attempt),
    ...toAnswerTimes(attempt),
  })

const toUpdatedColumns = (attempt: StoredAttempt) => ({
  state: attempt.state,
  state_changes: attempt.stateChanges && JSON.stringify(attempt.stateChanges),
  provider_ref: attempt.providerRef,
  provider_status: attempt.providerStatus,
  outcome_code: attempt.outcomeCode,
  outcome_message: attempt.outcomeMessage,
  cost_minor: attempt.cost?.amountMinor.toString() ?? null,
  cost_currency: attempt.cost?.currency ?? null,
  reached_customer: attempt.reachedCustomer,
  not_found_count: attempt.notFoundCount,
  inquiries: attempt.inquiries,
  wrong_otps: attempt.wrongOtps,
  resolution_id: attempt.resolutionId,
})

/** What routing learns from: the first of each counts, whatever happens to the attempt afterwards. */
const toAnswerTimes = ({ state }: StoredAttempt) => ({
  isAnswered: state === 'sending' ? undefined : true,
  isEnded: isOpen(state) ? undefined : true,
})

interface OpenAttempt {
  paymentId: string
  attemptNo: number
}

const updateOpenAttempt = (tx: Tx, orgId: string, { paymentId, attemptNo }: OpenAttempt) =>
  tx.db
    .updateTable('attempts')
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .where('attempt_no', '=', attemptNo)
    .where('is_open', '=', true)

/** Returns how many tries are taken now, this one included; undefined when none was left. */
export async function claimOtpTry(
  tx: Tx,
  orgId: string,
  attempt: OpenAttempt,
  triesLimit: number,
): Promise<number | undefined> {
  const row = await updateOpenAttempt(tx, orgId, attempt)
    .set(({ eb }) => ({ otp_tries: eb('otp_tries', '+', 1) }))
    .where('otp_tries', '<', triesLimit)
    .returning('otp_tries as tries')
    .executeTakeFirst()
  return row?.tries
}

/** For a password that did not reach the provider. */
export const releaseOtpTry = (orgId: string, { paymentId, attemptNo }: OpenAttempt): CompiledQuery =>
  statements
    .updateTable('attempts')
    .set(({ eb }) => ({ otp_tries: eb('otp_tries', '-', 1) }))
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .where('attempt_no', '=', attemptNo)
    .where('otp_tries', '>', 0)
    .compile()

/** Fenced by the count that the caller saw, so that of many pages in many processes one asks. */
export async function claimPageInquiry(
  tx: Tx,
  orgId: string,
  attempt: OpenAttempt,
  { expectedInquiries, now }: { expectedInquiries: number; now: Date },
): Promise<boolean> {
  const row = await updateOpenAttempt(tx, orgId, attempt)
    .set({ page_inquiries: expectedInquiries + 1, page_inquired_at: now })
    .where('page_inquiries', '=', expectedInquiries)
    .returning('attempt_no')
    .executeTakeFirst()
  return row !== undefined
}

export async function claimForwardedReturn(
  tx: Tx,
  orgId: string,
  attempt: OpenAttempt,
  returnsLimit: number,
): Promise<boolean> {
  const row = await updateOpenAttempt(tx, orgId, attempt)
    .set(({ eb }) => ({ forwarded_returns: eb('forwarded_returns', '+', 1) }))
    .where('forwarded_returns', '<', returnsLimit)
    .returning('attempt_no')
    .executeTakeFirst()
  return row !== undefined
}

export const insertInquiry = (
  orgId: string,
  paymentId: string,
  inquiry: { inquiryId: string; attemptNo: number; result: string; detail: string | null },
): CompiledQuery =>
  statements
    .insertInto('inquiries')
    .values({
      org_id: orgId,
      payment_id: paymentId,
      inquiry_id: inquiry.inquiryId,
      attempt_no: inquiry.attemptNo,
      result: inquiry.result,
      detail: inquiry.detail,
    })
    .compile()

export interface UnknownAttempts {
  provider: string
  count: number
  oldestAgeSeconds: number
}

/** Attempts whose outcome is unknown, by provider. */
export async function countUnknownAcrossOrgs(tx: Tx): Promise<UnknownAttempts[]> {
  const { rows } = await sql<UnknownAttempts>`
    select provider, count(*)::integer as count,
           extract(epoch from now() - min(created_at))::float8 as "oldestAgeSeconds"
    from attempts where is_open and state = 'unknown' group by provider`.execute(tx.db)
  return rows
}
