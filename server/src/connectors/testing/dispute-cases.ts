import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { genuineVerdict, webhookWaitMs } from './webhook-cases.ts'
import type { Attempt, WebhookRequest } from '../kit/connector.ts'
import type { DisputeEvidence, DisputeSubject, ProviderDispute } from '../kit/disputes.ts'
import { absent } from './absent.ts'
import type { Fixture } from './fixture.ts'
import { isPayin, shapeOf, type ContractHarness, type PayinFlow, type SimulatedDispute } from './harness.ts'
import { completePayment } from './steps.ts'

const longAgo = new Date('2020-01-01T00:00:00Z')
const evidence: DisputeEvidence = {
  texts: {
    customer_name: 'Ann',
    customer_email: 'ann@example.com',
    customer_phone: '08012345678',
    product_description: 'A chair',
  },
  files: [
    {
      purpose: 'receipt',
      name: 'receipt.pdf',
      contentType: 'application/pdf',
      bytes: Buffer.from('%PDF-1.4 a receipt'),
    },
  ],
}

export function disputeCases(harness: ContractHarness, fixture: () => Fixture): void {
  describe('disputes', () => {
    const flow = harness.refunds?.flow ?? harness.flows.find(isPayin)
    const connector = shapeOf(harness)
    if (!connector.readDisputes || !flow) {
      absent('disputes')
      return
    }
    test('an unsigned message can be asked about, and what can be submitted can be accepted', () => {
      const isUnsigned = harness.webhooks.kind === 'unsigned'
      expect(isUnsigned && connector.inquireDispute === undefined).toBe(false)
      expect(connector.acceptDispute !== undefined).toBe(connector.submitEvidence !== undefined)
    })
    messageCases(harness, flow, fixture)
    responseCases(flow, fixture)
    if (connector.inquireDispute && connector.listDisputes) lookUpCases(flow, fixture)
    else absent('a lookup of disputes')
    if (connector.disputesOf) paymentCases(flow, fixture)
  })
}

function messageCases(harness: ContractHarness, flow: PayinFlow, fixture: () => Fixture): void {
  test('an opened dispute is reported with its payment, and a repeat has the same key', async () => {
    const { attempt, dispute, requests } = await openDispute(fixture(), flow, { duplicate: true })
    const reports = requests.flatMap((request) => fixture().connector.readDisputes?.(request.rawBody) ?? [])
    expect(reports[0]).toMatchObject({ providerRef: dispute.id, state: 'needs_response', round: 1 })
    expect(reports[0]?.dueBy).toBeInstanceOf(Date)
    expect(await referenceIn(fixture(), reports[0])).toBe(attempt.reference)
    const amount = reports[0]?.amount
    if (amount && 'amountMinor' in amount) expect(amount).toEqual(attempt.amount)
    const keys = reports.map(({ dedupeKey }) => dedupeKey)
    expect(new Set(keys).size).toBe(keys.length / 2)
  })

  test('a genuine message has the verdict of the provider’s webhooks, and a forged one is forged', async () => {
    const { requests } = await openDispute(fixture(), flow)
    const expected = genuineVerdict(harness)
    for (const request of requests)
      expect((await fixture().connector.verifyWebhook?.(request))?.kind).toBe(expected)
    const forged = await openDispute(fixture(), flow, { forge: true })
    for (const request of forged.requests)
      expect((await fixture().connector.verifyWebhook?.(request))?.kind).toBe('forged')
  })

  test.each(['', 'no json', '{}', '[]', 'null'])('an unknown body is no dispute: %j', (body) => {
    expect(fixture().connector.readDisputes?.(Buffer.from(body))).toEqual([])
  })

  test('a message about a payment is no dispute, and one about a dispute no payment', async () => {
    const { requests } = await openDispute(fixture(), flow)
    const updates = requests.flatMap((request) => fixture().connector.readWebhook?.(request.rawBody) ?? [])
    expect(updates).toEqual([])
  })
}

function responseCases(flow: PayinFlow, fixture: () => Fixture): void {
  test('evidence reaches the provider once', async () => {
    const { subject, dispute } = await openDispute(fixture(), flow)
    const outcome = await fixture().connector.submitEvidence?.(subject, evidence)
    expect(outcome?.kind).toBe('accepted')
    expect(simulated(fixture(), dispute.id)).toMatchObject({ isSubmitted: true })
    const again = await fixture().connector.submitEvidence?.(
      { ...subject, reference: randomUUID() },
      evidence,
    )
    expect(['unknown', 'declined', 'not_sent']).toContain(again?.kind)
  })

  test('an accepted dispute is given up', async () => {
    const { subject, dispute } = await openDispute(fixture(), flow)
    expect((await fixture().connector.acceptDispute?.(subject))?.kind).toBe('accepted')
    expect(simulated(fixture(), dispute.id)?.moves).toBe(1)
  })

  test.each(['timeout_after', 'error_500_accepted', 'cut_answer', 'malformed_200', 'error_500'] as const)(
    '%s: the outcome is unknown',
    async (fault) => {
      const { subject } = await openDispute(fixture(), flow)
      const outcome = await fixture().withFault({ on: 'dispute', fault }, async () =>
        fixture().connector.acceptDispute?.(subject),
      )
      expect(outcome?.kind).toBe('unknown')
    },
  )
}

function lookUpCases(flow: PayinFlow, fixture: () => Fixture): void {
  test('a dispute that no message reported is listed and found', async () => {
    const { attempt, dispute } = await openDispute(fixture(), flow, { deliver: false })
    const page = await fixture().connector.listDisputes?.(longAgo, null)
    const listed = page?.disputes.find(({ providerRef }) => providerRef === dispute.id)
    expect(listed).toMatchObject({ state: 'needs_response' })
    expect(await referenceIn(fixture(), listed)).toBe(attempt.reference)
    const inquiry = await fixture().connector.inquireDispute?.(dispute.id)
    expect(inquiry).toMatchObject({ kind: 'found', dispute: { state: 'needs_response' } })
    await fixture().simulator.dispute(fixture().provider, { id: dispute.id, action: 'lose', deliver: false })
    expect(await fixture().connector.inquireDispute?.(dispute.id)).toMatchObject({
      dispute: { state: 'lost' },
    })
  })

  test('an unknown dispute is not found', async () => {
    const inquiry = await fixture().connector.inquireDispute?.('1')
    expect(inquiry?.kind).toBe('not_found')
  })
}

function paymentCases(flow: PayinFlow, fixture: () => Fixture): void {
  test('the disputes of a payment are found, and explain why the provider calls it reversed', async () => {
    const { attempt, dispute } = await openDispute(fixture(), flow, { deliver: false })
    const { connector, provider, simulator } = fixture()
    const inquiry = await connector.inquire(attempt)
    const known = { ...attempt, providerRef: inquiry.kind === 'accepted' ? inquiry.providerRef : null }
    expect(inquiry).toMatchObject({ kind: 'accepted', state: { state: 'completed' } })
    expect(await connector.disputesOf?.(known)).toMatchObject([{ providerRef: dispute.id }])
    await simulator.dispute(provider, { id: dispute.id, action: 'lose', deliver: false })
    expect(await connector.inquire(known)).toMatchObject({ state: { state: 'failed' } })
    expect(await connector.disputesOf?.(known)).toMatchObject([{ state: 'lost' }])
    const unread = await fixture().withFault({ on: 'list', fault: 'error_500' }, async () =>
      connector.disputesOf?.(known),
    )
    expect(unread).toBeUndefined()
    expect(await connector.disputesOf?.({ ...attempt, providerRef: null })).toBeUndefined()
  })
}

interface OpenedDispute {
  attempt: Attempt
  dispute: SimulatedDispute
  subject: DisputeSubject
  requests: readonly WebhookRequest[]
}

async function openDispute(
  fixture: Fixture,
  flow: PayinFlow,
  options: { duplicate?: boolean; forge?: boolean; deliver?: boolean } = {},
): Promise<OpenedDispute> {
  const attempt = await completePayment(fixture, flow)
  await fixture.simulator.settle()
  const before = fixture.receiver.received().length
  const { reference } = attempt
  const dispute = await fixture.simulator.dispute(fixture.provider, { reference, ...options })
  if (options.deliver !== false)
    await vi.waitFor(() => expect(fixture.receiver.received().length).toBeGreaterThan(before), {
      timeout: webhookWaitMs,
    })
  return {
    attempt,
    dispute,
    subject: {
      providerRef: dispute.id,
      reference: randomUUID(),
      amount: attempt.amount,
      attemptReference: reference,
    },
    requests: fixture.receiver.received().slice(before),
  }
}

const simulated = ({ simulator, provider }: Fixture, id: string): SimulatedDispute | undefined =>
  simulator.disputes(provider).find((dispute) => dispute.id === id)

async function referenceIn(
  { connector }: Fixture,
  report: ProviderDispute | undefined,
): Promise<string | undefined> {
  if (!report) return undefined
  return 'reference' in report.payment
    ? report.payment.reference
    : connector.referenceOf?.(report.payment.providerRef)
}
