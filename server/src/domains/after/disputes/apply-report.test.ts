import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ProviderDispute } from '../../../connectors/kit/disputes.ts'
import { statements } from '../../../kernel/db/database.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import type { StoredAttempt } from '../../payments/record.ts'
import { applyOutcome } from './apply-outcome.ts'
import { applyReport } from './apply-report.ts'
import { loadDispute } from './reads.ts'
import type { Dispute } from './record.ts'
import { disputable, paid } from './testing/disputed-payments.ts'

/** What single reports of a provider, and its answers to a response, change about a dispute. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let paymentId: string
beforeEach(async () => {
  org = await openPayments(t)
  paymentId = (await paid(t, org, disputable.stripe)).id
})

const reportOf = (change: Partial<ProviderDispute> = {}): ProviderDispute => ({
  dedupeKey: 'any',
  providerRef: `dispute of ${paymentId}`,
  payment: { reference: 'any' },
  state: 'needs_response',
  round: 1,
  providerStatus: 'open',
  reason: 'fraudulent',
  providerReason: '10.4',
  amount: { amountMinor: 25_00n, currency: 'GBP' },
  ...change,
})
async function report(
  change: Partial<ProviderDispute> = {},
  record?: Parameters<typeof applyReport>[3],
  db = t.deps.db,
): Promise<Dispute> {
  const loaded = await loadPayment(t.deps, org.orgId, paymentId)
  const attempt = loaded.attempts.find(({ state }) => state === 'succeeded') as StoredAttempt // it is paid
  return applyReport({ ...t.deps, db }, { loaded, attempt }, reportOf(change), record)
}
/** A response whose outcome is not known. */
async function respond({ disputeId }: Dispute, action: 'submit' | 'accept'): Promise<Dispute> {
  await t.owner.query(
    `update disputes set action = $2, action_state = 'unknown', action_reference = gen_random_uuid(),
       action_by = 'ann', action_at = now() where dispute_id = $1`,
    [disputeId, action],
  )
  return loadDispute(t.deps, { orgId: org.orgId, disputeId })
}
const summaries = async (): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${paymentId}`)).map(({ summary }) => String(summary))
const numberOfEvents = async ({ disputeId }: Dispute): Promise<number> =>
  (await loadDispute(t.deps, { orgId: org.orgId, disputeId })).eventCount

describe('a report', () => {
  it('is the first version of a dispute, and each one with news the next', async () => {
    expect((await report()).version).toBe(1)
    expect((await report({ providerStatus: 'reviewed' })).version).toBe(2)
    expect((await report({ providerStatus: 'reviewed' })).version).toBe(2)
  })

  it('of a dispute that another report opens at the same moment is about that dispute', async () => {
    // A warning demands nothing, so that the sums of the payment stay as they are.
    const warning = { state: 'warning' } as const
    const opened: Dispute[] = []
    const batchInOrg: typeof t.deps.db.batchInOrg = async (orgId, batch) => {
      if (opened.length === 0) opened.push(await report(warning))
      return t.deps.db.batchInOrg(orgId, batch)
    }
    const later = await report({ ...warning, providerStatus: 'later' }, undefined, {
      ...t.deps.db,
      batchInOrg,
    })
    expect([later.disputeId, later.version, later.providerStatus]).toEqual([opened[0]?.disputeId, 2, 'later'])
  })

  it('replaces the reason, but not by none', async () => {
    await report()
    const reasons = async (change: Partial<ProviderDispute>) => {
      const { reason, providerReason } = await report(change)
      return [reason, providerReason]
    }
    expect(await reasons({ reason: 'general', providerReason: '' })).toEqual(['fraudulent', '10.4'])
    expect(await reasons({ reason: 'duplicate', providerReason: '12.6' })).toEqual(['duplicate', '12.6'])
  })

  it('brings the provider’s own status with another state, and with the same', async () => {
    await report()
    expect((await report({ providerStatus: 'waiting' })).providerStatus).toBe('waiting')
    const reviewed = await report({ state: 'under_review', providerStatus: 'reviewing' })
    expect([reviewed.state, reviewed.providerStatus]).toEqual(['under_review', 'reviewing'])
    expect((await report({ providerStatus: 'late' })).providerStatus).toBe('reviewing')
  })

  it('says whether the provider has evidence', async () => {
    expect((await report()).submittedAt).toBeNull()
    expect((await report({ hasEvidence: false })).submittedAt).toBeNull()
    const { submittedAt } = await report({ hasEvidence: true })
    expect(submittedAt).not.toBeNull()
    expect((await report({ hasEvidence: true, providerStatus: 'later' })).submittedAt).toEqual(submittedAt)
  })

  it('has one number in the order of events, also when it opens and closes the dispute at once', async () => {
    const lost = await report({ state: 'lost' })
    expect(await numberOfEvents(lost)).toBe(1)
    expect(lost.closedAt).not.toBeNull()
  })

  it('of another result is a question to a person, which names both', async () => {
    await report({ state: 'won' })
    expect((await report({ state: 'lost' })).state).toBe('won')
    expect(await summaries()).toEqual([
      'stripe reports a dispute as lost that is won here. Nothing was changed.',
    ])
  })

  it('of money in another currency is a question to a person', async () => {
    const moves = [{ amount: { amountMinor: 30_00n, currency: 'EUR' } }]
    expect((await report({ funds: { moves } })).moves).toBe(0)
    expect(await summaries()).toEqual([
      'stripe moved money of a dispute in EUR, but the payment was in GBP. It was not booked.',
    ])
  })

  it('of a later deadline moves the reminder to two days before it', async () => {
    const { disputeId } = await report({ dueBy: new Date('2040-01-10T00:00:00Z') })
    const remindedAt = async () =>
      (await t.owner.query('select due_at from outbox where outbox_id = $1', [disputeId])).rows
    expect(await remindedAt()).toEqual([{ due_at: new Date('2040-01-08T00:00:00Z') }])
    await report({ dueBy: new Date('2040-01-20T00:00:00Z') })
    expect(await remindedAt()).toEqual([{ due_at: new Date('2040-01-18T00:00:00Z') }])
  })

  it('is recorded with what became of it, and an answer to our question only if it was news', async () => {
    const results: string[] = []
    const record = (isAsked: boolean) => ({
      isAsked,
      inbox: (result: string) => {
        results.push(result)
        return sql`select 1`.compile(statements)
      },
    })
    await report({}, record(true))
    await report({}, record(true))
    await report({}, record(false))
    await report({ state: undefined, providerStatus: 'moved' }, record(false))
    expect(results).toEqual(['dispute needs_response', 'nothing new', 'dispute changed'])
  })
})

describe('a report after a response whose outcome is not known', () => {
  it.each([
    ['that the bank reviews it: evidence was received', 'submit', 'under_review', 'under_review', false],
    ['that it waits: evidence may be under way', 'submit', 'needs_response', 'needs_response', true],
    ['that it is lost: evidence does not make that acceptance', 'submit', 'lost', 'lost', false],
    [
      'that the bank reviews it: an acceptance may be under way',
      'accept',
      'under_review',
      'under_review',
      true,
    ],
    ['that it is lost: that is the acceptance', 'accept', 'lost', 'accepted', false],
    ['that it is won: it was not accepted', 'accept', 'won', 'won', false],
  ] as const)('%s', async (...row) => {
    const [, action, reported, state, isPending] = row
    await respond(await report(), action)
    const after = await report({ state: reported, providerStatus: 'news' })
    expect([after.state, after.pending !== null]).toEqual([state, isPending])
  })
})

describe('the answer to a response', () => {
  it('accepted: it is closed as accepted, in an event of its own', async () => {
    const sent = await respond(await report(), 'accept')
    const after = await applyOutcome(t.deps, sent, { kind: 'accepted' })
    expect(after).toMatchObject({ state: 'accepted', pending: null, closedAt: expect.any(Date) })
    expect(await numberOfEvents(sent)).toBe(2)
  })

  it('the dispute in the answer counts at once', async () => {
    const sent = await respond(await report(), 'submit')
    const dispute = reportOf({ state: 'won', providerStatus: 'won' })
    const after = await applyOutcome(t.deps, sent, { kind: 'accepted', dispute })
    expect([after.state, after.providerStatus]).toEqual(['won', 'won'])
  })

  it('evidence in answer to a warning demands the money, which then cannot be refunded', async () => {
    const sent = await respond(await report({ state: 'warning' }), 'submit')
    const disputedMinor = async () =>
      (await loadPayment(t.deps, org.orgId, paymentId)).payment.sums.disputedMinor
    expect(await disputedMinor()).toBe(0n)
    const after = await applyOutcome(t.deps, sent, { kind: 'accepted' })
    expect([after.state, await disputedMinor()]).toEqual(['under_review', 25_00n])
  })

  it('unknown: nothing is told to anybody', async () => {
    const sent = await respond(await report(), 'accept')
    await applyOutcome(t.deps, sent, { kind: 'unknown', reason: 'timeout' })
    expect(await numberOfEvents(sent)).toBe(1)
  })
})
