import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Attempt, Inquiry, Outcome, RefundRequest } from '../kit/connector.ts'
import { absent } from './absent.ts'
import { isPayin, type ContractHarness, type LogEntry, type PayinFlow } from './harness.ts'
import { amountOf, answered, completePayment, expectAccepted, webhookResult } from './steps.ts'
import { updatesAbout, webhooksUntil } from './webhook-cases.ts'
import type { World } from './world.ts'

export function refundCases(harness: ContractHarness, world: () => World): void {
  describe('refunds', () => {
    const flow = harness.refunds?.flow ?? harness.flows.find(isPayin)
    if (!harness.refunds || !flow) {
      absent('refunds')
      return
    }
    amountCases(flow, harness.refunds, world)
    lostAnswerCases(flow, harness.refunds.found ?? flow.foundByReference !== false, world)
    webhookReportCases(flow, harness, world)
  })
}

function amountCases(flow: PayinFlow, { partial }: { partial: boolean }, world: () => World): void {
  test('a full refund is accepted once, found and completed', async () => {
    const { attempt, refund, outcome, accepted } = await startRefund(world(), flow, 'full')
    expectAccepted(outcome)
    expect(accepted().map(amountOf)).toEqual([attempt.amount])
    expect(await settled(world(), attempt, refund)).toMatchObject({ state: { state: 'completed' } })
  })

  test.skipIf(!partial)('a partial refund moves exactly its amount', async () => {
    const { attempt, refund, outcome, accepted } = await startRefund(world(), flow, 'partial')
    expectAccepted(outcome)
    expect(accepted().map(amountOf)).toEqual([refund.amount])
    expect(refund.amount.amountMinor).toBeLessThan(attempt.amount.amountMinor)
    expect(await settled(world(), attempt, refund)).toMatchObject({ state: { state: 'completed' } })
  })

  test('the same refund sent again is accepted once', async () => {
    const { attempt, refund, accepted } = await startRefund(world(), flow, 'full')
    const again = await sendRefund(world(), attempt, refund)
    expect(['accepted', 'unknown']).toContain(again.kind)
    expect(accepted()).toHaveLength(1)
  })

  test('a refund of more than was paid is refused and nothing moves', async () => {
    const attempt = await completePayment(world(), flow)
    const sequence = world().lastSequence()
    const amount = { ...attempt.amount, amountMinor: attempt.amount.amountMinor * 2n }
    const refund = { reference: randomUUID(), providerRef: null, amount, isPartial: false }
    const outcome = await sendRefund(world(), attempt, refund)
    expect(outcome).toMatchObject({ kind: 'declined', failure: { message: expect.stringMatching(/./) } })
    expect(refundsSince(world(), sequence)).toEqual([])
  })
}

/** `isFound`: our reference finds refunds. */
function lostAnswerCases(flow: PayinFlow, isFound: boolean, world: () => World): void {
  test.each(['timeout_after', 'error_500_accepted', 'cut_answer', 'malformed_200'] as const)(
    '%s: unknown, and an inquiry finds the refund',
    async (fault) => {
      const attempt = await completePayment(world(), flow)
      const sent = await world().withFault({ on: operationOf(world()), fault }, () =>
        refundOf(world(), attempt, 'full'),
      )
      expect(sent.outcome).toMatchObject({ kind: 'unknown' })
      expect(sent.accepted()).toHaveLength(1)
      const inquiry = await world().connector.inquireRefund?.(attempt, sent.refund)
      expect(inquiry?.kind).toBe(isFound ? 'accepted' : 'unknown')
    },
  )

  test.each(['timeout_before', 'error_500', 'down'] as const)(
    '%s: unknown, and an inquiry finds nothing',
    async (fault) => {
      const attempt = await completePayment(world(), flow)
      const sent = await world().withFault({ on: operationOf(world()), fault }, () =>
        refundOf(world(), attempt, 'full'),
      )
      expect(sent.outcome).toMatchObject({ kind: 'unknown' })
      expect(sent.accepted()).toEqual([])
      const inquiry = await world().connector.inquireRefund?.(attempt, sent.refund)
      expect(inquiry?.kind).toBe(isFound ? 'not_found' : 'unknown')
    },
  )
}

function webhookReportCases(flow: PayinFlow, harness: ContractHarness, world: () => World): void {
  const isReported = harness.webhooks.kind !== 'none' && harness.refunds?.isReported !== false
  test.skipIf(!isReported)('its webhook reports the refund', async () => {
    const before = world().receiver.received().length
    const { attempt, refund } = await startRefund(world(), flow, 'full')
    await settled(world(), attempt, refund)
    const requests = await webhooksUntil(world(), {
      before,
      about: refund,
      state: 'completed',
    })
    const updates = updatesAbout(world(), requests, refund)
    expect(updates.at(-1)).toMatchObject({ subject: 'refund', state: { state: 'completed' } })
  })
}

interface SentRefund {
  attempt: Attempt
  refund: RefundRequest
  outcome: Outcome
  accepted: () => LogEntry[]
}

async function startRefund(world: World, flow: PayinFlow, size: 'full' | 'partial'): Promise<SentRefund> {
  return refundOf(world, await completePayment(world, flow), size)
}

async function refundOf(world: World, attempt: Attempt, size: 'full' | 'partial'): Promise<SentRefund> {
  const { amountMinor, currency } = attempt.amount
  const isPartial = size === 'partial'
  const amount = { amountMinor: isPartial ? amountMinor / 4n : amountMinor, currency }
  const refund = { reference: randomUUID(), providerRef: null, amount, isPartial }
  const sequence = world.lastSequence()
  const outcome = await sendRefund(world, attempt, refund)
  const providerRef = outcome.kind === 'accepted' ? outcome.providerRef : null
  const accepted = () => refundsSince(world, sequence)
  return { attempt, refund: { ...refund, providerRef }, outcome, accepted }
}

function sendRefund({ connector }: World, attempt: Attempt, refund: RefundRequest): Promise<Outcome> {
  if (!connector.refund) throw new Error(`${connector.name} has no refund`)
  return connector.refund(attempt, refund)
}

async function settled(world: World, attempt: Attempt, refund: RefundRequest): Promise<Inquiry | undefined> {
  await world.simulator.settle()
  const reported = await webhookResult(world, refund)
  return reported ?? answered(world, refund, async () => world.connector.inquireRefund?.(attempt, refund))
}

const operationOf = ({ harness }: World): 'refund' | 'payout' => harness.refunds?.by ?? 'refund'

const refundsSince = (world: World, sequence: number): LogEntry[] =>
  world.acceptedSince(sequence).filter(({ kind }) => kind === operationOf(world))
