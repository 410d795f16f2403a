import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Attempt, Inquiry, Outcome, RefundRequest } from '../kit/connector.ts'
import { absent } from './absent.ts'
import { isPayin, type ContractHarness, type LogEntry, type PayinFlow } from './harness.ts'
import { amountOf, answered, completePayment, expectAccepted, webhookResult } from './steps.ts'
import { updatesAbout, webhooksUntil } from './webhook-cases.ts'
import type { Fixture } from './fixture.ts'

export function refundCases(harness: ContractHarness, fixture: () => Fixture): void {
  describe('refunds', () => {
    const flow = harness.refunds?.flow ?? harness.flows.find(isPayin)
    if (!harness.refunds || !flow) {
      absent('refunds')
      return
    }
    amountCases(flow, harness.refunds, fixture)
    lostAnswerCases(flow, harness.refunds.found ?? flow.foundByReference !== false, fixture)
    webhookReportCases(flow, harness, fixture)
  })
}

function amountCases(flow: PayinFlow, { partial }: { partial: boolean }, fixture: () => Fixture): void {
  test('a full refund is accepted once, found and completed', async () => {
    const { attempt, refund, outcome, accepted } = await startRefund(fixture(), flow, 'full')
    expectAccepted(outcome)
    expect(accepted().map(amountOf)).toEqual([attempt.amount])
    expect(await settled(fixture(), attempt, refund)).toMatchObject({ state: { state: 'completed' } })
  })

  test.skipIf(!partial)('a partial refund moves exactly its amount', async () => {
    const { attempt, refund, outcome, accepted } = await startRefund(fixture(), flow, 'partial')
    expectAccepted(outcome)
    expect(accepted().map(amountOf)).toEqual([refund.amount])
    expect(refund.amount.amountMinor).toBeLessThan(attempt.amount.amountMinor)
    expect(await settled(fixture(), attempt, refund)).toMatchObject({ state: { state: 'completed' } })
  })

  test('the same refund sent again is accepted once', async () => {
    const { attempt, refund, accepted } = await startRefund(fixture(), flow, 'full')
    const again = await sendRefund(fixture(), attempt, refund)
    expect(['accepted', 'unknown']).toContain(again.kind)
    expect(accepted()).toHaveLength(1)
  })

  test('a refund of more than was paid is refused and nothing moves', async () => {
    const attempt = await completePayment(fixture(), flow)
    const sequence = fixture().lastSequence()
    const amount = { ...attempt.amount, amountMinor: attempt.amount.amountMinor * 2n }
    const refund = { reference: randomUUID(), providerRef: null, amount, isPartial: false }
    const outcome = await sendRefund(fixture(), attempt, refund)
    expect(outcome).toMatchObject({ kind: 'declined', failure: { message: expect.stringMatching(/./) } })
    expect(refundsSince(fixture(), sequence)).toEqual([])
  })
}

/** `isFound`: the provider finds a refund by our reference. */
function lostAnswerCases(flow: PayinFlow, isFound: boolean, fixture: () => Fixture): void {
  test.each(['timeout_after', 'error_500_accepted', 'cut_answer', 'malformed_200'] as const)(
    '%s: unknown, and an inquiry finds the refund',
    async (fault) => {
      const attempt = await completePayment(fixture(), flow)
      const sent = await fixture().withFault({ on: operationOf(fixture()), fault }, () =>
        refundOf(fixture(), attempt, 'full'),
      )
      expect(sent.outcome).toMatchObject({ kind: 'unknown' })
      expect(sent.accepted()).toHaveLength(1)
      const inquiry = await fixture().connector.inquireRefund?.(attempt, sent.refund)
      expect(inquiry?.kind).toBe(isFound ? 'accepted' : 'unknown')
    },
  )

  test.each(['timeout_before', 'error_500', 'down'] as const)(
    '%s: unknown, and an inquiry finds nothing',
    async (fault) => {
      const attempt = await completePayment(fixture(), flow)
      const sent = await fixture().withFault({ on: operationOf(fixture()), fault }, () =>
        refundOf(fixture(), attempt, 'full'),
      )
      expect(sent.outcome).toMatchObject({ kind: 'unknown' })
      expect(sent.accepted()).toEqual([])
      const inquiry = await fixture().connector.inquireRefund?.(attempt, sent.refund)
      expect(inquiry?.kind).toBe(isFound ? 'not_found' : 'unknown')
    },
  )
}

function webhookReportCases(flow: PayinFlow, harness: ContractHarness, fixture: () => Fixture): void {
  const isReported = harness.webhooks.kind !== 'none' && harness.refunds?.isReported !== false
  test.skipIf(!isReported)('its webhook reports the refund', async () => {
    const before = fixture().receiver.received().length
    const { attempt, refund } = await startRefund(fixture(), flow, 'full')
    await settled(fixture(), attempt, refund)
    const requests = await webhooksUntil(fixture(), {
      before,
      about: refund,
      state: 'completed',
    })
    const updates = updatesAbout(fixture(), requests, refund)
    expect(updates.at(-1)).toMatchObject({ subject: 'refund', state: { state: 'completed' } })
  })
}

interface SentRefund {
  attempt: Attempt
  refund: RefundRequest
  outcome: Outcome
  accepted: () => LogEntry[]
}

async function startRefund(fixture: Fixture, flow: PayinFlow, size: 'full' | 'partial'): Promise<SentRefund> {
  return refundOf(fixture, await completePayment(fixture, flow), size)
}

async function refundOf(fixture: Fixture, attempt: Attempt, size: 'full' | 'partial'): Promise<SentRefund> {
  const { amountMinor, currency } = attempt.amount
  const isPartial = size === 'partial'
  const amount = { amountMinor: isPartial ? amountMinor / 4n : amountMinor, currency }
  const refund = { reference: randomUUID(), providerRef: null, amount, isPartial }
  const sequence = fixture.lastSequence()
  const outcome = await sendRefund(fixture, attempt, refund)
  const providerRef = outcome.kind === 'accepted' ? outcome.providerRef : null
  const accepted = () => refundsSince(fixture, sequence)
  return { attempt, refund: { ...refund, providerRef }, outcome, accepted }
}

function sendRefund({ connector }: Fixture, attempt: Attempt, refund: RefundRequest): Promise<Outcome> {
  if (!connector.refund) throw new Error(`${connector.name} has no refund`)
  return connector.refund(attempt, refund)
}

async function settled(
  fixture: Fixture,
  attempt: Attempt,
  refund: RefundRequest,
): Promise<Inquiry | undefined> {
  await fixture.simulator.settle()
  const reported = await webhookResult(fixture, refund)
  return reported ?? answered(fixture, refund, async () => fixture.connector.inquireRefund?.(attempt, refund))
}

const operationOf = ({ harness }: Fixture): 'refund' | 'payout' => harness.refunds?.by ?? 'refund'

const refundsSince = (fixture: Fixture, sequence: number): LogEntry[] =>
  fixture.acceptedSince(sequence).filter(({ kind }) => kind === operationOf(fixture))
