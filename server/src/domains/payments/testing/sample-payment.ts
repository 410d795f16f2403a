import { newId } from '../../../lib/ids.ts'
import type { planFact } from '../attempts/plan-fact.ts'
import { newAttempt } from '../attempts/prepare-attempt.ts'
import { defaultPollSchedule } from '../attempts/rules.ts'
import type { LoadedPayment, Payment, RouteCandidate, StoredAttempt } from '../record.ts'
import { noSums } from '../sums/record.ts'

export const sampleNow = new Date('2026-03-01T12:00:00Z')

export const sampleRoute: RouteCandidate = {
  provider: 'paystack',
  configId: newId(),
  accountId: newId(),
  custody: 'pooled',
}

/** A pooled payout of 20.29 NGN under way, for tests of rules that need no database. */
export const samplePayout = (change: Partial<Payment> = {}): Payment => ({
  orgId: newId(),
  paymentId: newId(),
  userId: 'user',
  direction: 'outbound',
  method: 'bank_transfer',
  country: 'NG',
  source: { amountMinor: 2_029n, currency: 'NGN' },
  target: { amountMinor: 2_029n, currency: 'NGN' },
  status: 'processing',
  version: 3,
  eventCount: 2,
  orgRateId: null,
  clientReference: null,
  description: null,
  beneficiaryId: null,
  linkId: null,
  onBehalfOf: null,
  fundingAccountId: null,
  custody: null,
  provider: 'paystack',
  accountId: null,
  providerPaymentId: null,
  providerStatus: null,
  card: null,
  privateSealed: Buffer.alloc(0),
  erasedAt: null,
  nextAction: null,
  routing: { candidates: [sampleRoute], considered: [] },
  failureCode: null,
  failureMessage: null,
  returnUrl: null,
  metadata: null,
  comments: null,
  refundedMinor: 0n,
  sums: noSums,
  fee: null,
  requestId: newId(),
  createdAt: sampleNow,
  updatedAt: sampleNow,
  ...change,
})

export const sampleAttempt = (change: Partial<StoredAttempt> = {}): StoredAttempt => ({
  ...newAttempt({ attempts: [] }, sampleRoute, {
    now: sampleNow,
    sendDeadlineMs: 1_000,
    clock: { now: () => sampleNow },
  }),
  ...change,
})

export const withAttempt = (payment: Payment, change: Partial<StoredAttempt>): LoadedPayment => ({
  payment,
  attempts: [sampleAttempt(change)],
})

/** Planning reads no other dependency. */
export const planningDeps = (now: Date): Parameters<typeof planFact>[0] =>
  ({
    clock: { now: () => now },
    sendDeadlineMs: 1_000,
    pollSchedule: defaultPollSchedule,
    funding: () => [],
  }) as unknown as Parameters<typeof planFact>[0]

/** The table that each statement writes first, in order: what a plan writes, without how. */
export const writtenTables = (planned: readonly { sql: string }[]): string[] =>
  planned.map(({ sql }) => {
    const [, verb = '', table = ''] = /(insert into|update|delete from)\s+"?(\w+)/.exec(sql) ?? []
    return `${verb.split(' ')[0]} ${table}`
  })
