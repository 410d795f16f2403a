import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { canMove, type Status } from './rules.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

interface StoredEvent {
  type: string
  text: string
  data: Json
}
async function eventsOf(id: string): Promise<StoredEvent[]> {
  const { rows } = await t.owner.query<{ event_type: string; data: string }>(
    'select event_type, data from events where resource_id = $1 order by sequence, event_type',
    [id],
  )
  return rows.map((row) => ({ type: row.event_type, text: row.data, data: JSON.parse(row.data) }))
}
const story = (events: readonly StoredEvent[]): string[] =>
  events.map(({ type, data }) => `${type}: ${data.previous_status} to ${data.status}`)

/** Each transition has one transaction.updated event, in order, and the last one has the status of the record. */
function expectComplete(events: readonly StoredEvent[], first: Status, record: Json): void {
  let status = first
  for (const { data } of events.filter(({ type }) => type === 'transaction.updated')) {
    expect(data.previous_status).toBe(status)
    expect(canMove(data.previous_status, data.status)).toBe(true)
    status = data.status
  }
  expect(status).toBe(record.status)
  // All events of a change carry its number and tell of the same state.
  const changes = Map.groupBy(events, ({ data }) => data.sequence as number)
  expect([...changes.keys()]).toEqual(Array.from(changes.keys(), (_, index) => index + 1))
  for (const ofOne of changes.values())
    expect(new Set(ofOne.map(({ data }) => `${data.status} ${data.refunded_amount}`)).size).toBe(1)
}

describe('events', () => {
  it('carry all fields of the payment, with the decimals of its currency', async () => {
    const metadata = { order: 7 }
    const id = await org.start(mobileMoneyPayin({ client_reference: 'A7', metadata }))
    const [first] = await eventsOf(id)
    expect(first?.data).toEqual({
      payment_id: id,
      transaction_id: id,
      status: 'processing',
      previous_status: 'confirmed',
      amount: 5000,
      currency: 'UGX',
      target_amount: 5000,
      target_currency: 'UGX',
      refunded_amount: 0,
      direction: 'inbound',
      payment_method: 'mobile_money',
      provider: 'pawapay',
      client_reference: 'A7',
      failure: null,
      fee_ids: [],
      total_fees: null,
      fees_currency: null,
      metadata,
      updated_at: expect.stringMatching(/Z$/),
      sequence: 1,
    })
    expect(first?.text).toContain('"amount":5000.0,')
  })

  it('of a payin from the prompt to its completion', async () => {
    const id = await org.start(mobileMoneyPayin())
    await t.simulator.settle()
    const events = await eventsOf(id)
    expect(story(events)).toEqual([
      'payment.processing: confirmed to processing',
      'transaction.updated: confirmed to processing',
      'transaction.updated: processing to pending',
      'payment.completed: pending to completed',
      'transaction.updated: pending to completed',
    ])
    expectComplete(events, 'confirmed', await org.record(id))
  })

  it('of a payment that the provider declined: failed with the reason, and never processing', async () => {
    const card_details = { ...cardPayin().card_details, card_number: '4000000000009995' }
    const id = await org.start(cardPayin({ card_details }))
    await t.simulator.settle()
    const events = await eventsOf(id)
    expect(story(events)).toEqual([
      'payment.failed: confirmed to failed',
      'transaction.updated: confirmed to failed',
    ])
    expect(events[0]?.data.failure.code).toBe('INSUFFICIENT_FUNDS')
    expectComplete(events, 'confirmed', await org.record(id))
  })

  it('of a late success: completed after failed', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const id = await org.start(bankPayout(beneficiary, { amount: 20.29, target_amount: 20.29 }))
    await t.simulator.settle({ all: true })
    const events = await eventsOf(id)
    expect(story(events)).toEqual([
      'payment.processing: confirmed to processing',
      'transaction.updated: confirmed to processing',
      'payment.failed: processing to failed',
      'transaction.updated: processing to failed',
      'payment.completed: failed to completed',
      'transaction.updated: failed to completed',
    ])
    expect(events.map(({ data }) => data.failure?.code ?? null).slice(2)).toEqual([
      expect.any(String),
      expect.any(String),
      null,
      null,
    ])
    expectComplete(events, 'confirmed', await org.record(id))
  })

  it('a refund in parts: one event, when the whole amount is refunded', async () => {
    const id = await org.start(cardPayin())
    for (const amount of [10, 15])
      await org.call('POST', `/v1/payments/${id}/refund`, { amount, reason: 'Half of it' })
    const events = await eventsOf(id)
    expect(story(events).at(-1)).toBe('transaction.updated: completed to refunded')
    expectComplete(events, 'confirmed', await org.record(id))
  })

  it('contain neither card nor payer details', async () => {
    const id = await org.start(cardPayin())
    const text = (await eventsOf(id)).map((event) => event.text).join()
    expect(text).not.toMatch(/4242|ann@example|Ann/)
  })
})
