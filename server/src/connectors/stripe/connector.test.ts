import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createManualClock } from '@switchyard/simulator/core/clock.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import type { Connector } from '../kit/connector.ts'
import {
  accepted,
  card,
  dayMs,
  details,
  openStripeFixture,
  press,
  redirectOf,
  returnUrl,
  type StripeFixture,
} from './testing/stripe-fixture.ts'

const clock = createManualClock(new Date('2030-01-01T12:00:00Z'))
let fixture: StripeFixture
let simulator: Simulator
let connector: Connector

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 1_000, clock })
  fixture = openStripeFixture({ clock, simulator })
  connector = fixture.connector
})
afterEach(() => simulator.setFaults('stripe', []))
afterAll(() => simulator.stop())

describe('a card that is charged during the call', () => {
  test('is completed in the answer and reported by webhook later', async () => {
    const attempt = await fixture.send(fixture.attemptOf(), { card })
    expect(attempt.sent).toMatchObject({ state: { state: 'completed' }, providerStatus: 'succeeded' })
    simulator.configure('stripe', { webhook_url: 'http://127.0.0.1:9/' })
    await simulator.settle({ reference: attempt.reference })
    simulator.configure('stripe', { webhook_url: null })
    expect(fixture.statesTold(attempt)).toEqual(['completed'])
    const [webhook] = fixture.webhooksAbout(attempt)
    expect(await connector.verifyWebhook?.(webhook!)).toEqual({ kind: 'verified' })
  })

  test.each(['timeout_after', 'error_500_accepted', 'cut_answer', 'malformed_200'] as const)(
    '%s: the outcome is unknown, and an inquiry finds the payment completed',
    async (fault) => {
      const attempt = fixture.attemptOf()
      simulator.setFaults('stripe', [{ on: 'collect', fault }])
      const impatient = fixture.connectorWith({}, 1_000)
      expect(await impatient.collect?.(attempt, { ...details, card })).toMatchObject({ kind: 'unknown' })
      expect(await connector.inquire(attempt)).toMatchObject({ state: { state: 'completed' } })
      expect(simulator.log({ reference: attempt.reference })).toHaveLength(1)
    },
  )

  test('an inquiry after a lost decline finds it failed', async () => {
    const attempt = fixture.attemptOf()
    simulator.setFaults('stripe', [{ on: 'collect', fault: 'cut_answer' }])
    const number = '4000000000009995'
    expect(await connector.collect?.(attempt, { ...details, card: { ...card, number } })).toMatchObject({
      kind: 'unknown',
    })
    expect(await connector.inquire(attempt)).toMatchObject({
      state: { state: 'failed', failure: { code: 'INSUFFICIENT_FUNDS' } },
    })
  })

  test('the same reference with other parameters is unknown', async () => {
    const attempt = await fixture.send(fixture.attemptOf(), { card })
    const other = { ...attempt, amount: { amountMinor: 2_100n, currency: 'GBP' } }
    expect(await connector.collect?.(other, { ...details, card })).toMatchObject({ kind: 'unknown' })
  })

  test('an account that may not send raw card data is a decline with fallback', async () => {
    simulator.configure('stripe', { options: { raw_card_data: false } })
    const outcome = await connector.collect?.(fixture.attemptOf(), { ...details, card })
    simulator.configure('stripe', { options: { raw_card_data: true } })
    expect(outcome).toMatchObject({ kind: 'declined', failure: { code: 'PROVIDER_REFUSED' }, fallback: true })
  })

  test('a payment with failed 3D Secure has failed', async () => {
    const attempt = await fixture.send(fixture.attemptOf(), { card: { ...card, number: '4000000000003220' } })
    const back = await press(redirectOf(attempt.sent), 'decline')
    expect(back.headers.get('location')).toContain(returnUrl)
    expect(await connector.inquire(attempt)).toMatchObject({
      state: { state: 'failed', failure: { code: 'AUTHENTICATION_FAILED' } },
    })
    expect(fixture.statesTold(attempt)).toEqual(['failed'])
  })

  test('its number and security code are in one request and nowhere else', async () => {
    fixture.calls.length = 0
    const attempt = await fixture.send(fixture.attemptOf(), { card })
    const answers = [attempt.sent, await connector.inquire(attempt), await connector.cancel?.(attempt)]
    const reference = randomUUID()
    const { amount, providerRef } = attempt
    await connector.refund?.(attempt, { reference, providerRef: null, amount, isPartial: false })
    // The digits of the security code may occur in a random id.
    const randomIds = [attempt.reference, reference, providerRef ?? '']
    const withoutIds = (text: string): string => randomIds.reduce((rest, id) => rest.replaceAll(id, ''), text)
    const holding = fixture.calls.filter((call) =>
      /4242424242424242|987/.test(withoutIds(JSON.stringify(call))),
    )
    expect(holding.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /stripe/v1/payment_intents',
    ])
    expect(
      JSON.stringify(answers, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toMatch(/4242424242424242/)
  })
})

describe('a card on the checkout page', () => {
  test('a declined card leaves the page open, and the next card pays', async () => {
    const attempt = await fixture.send(fixture.attemptOf())
    await press(redirectOf(attempt.sent), 'pay', '4000000000000002')
    const open = accepted(await connector.inquire(attempt))
    expect(open).toMatchObject({ state: { state: 'pending' }, nextAction: attempt.sent.nextAction })
    expect(fixture.statesTold(attempt)).toEqual([])
    await press(redirectOf(attempt.sent), 'pay', '4000002760003184')
    expect(await connector.inquire(attempt)).toMatchObject({ state: { state: 'pending' } })
    const bank = await press(redirectOf(attempt.sent), 'pay', '4000002760003184')
    await press(bank.headers.get('location') ?? '', 'pay')
    expect(await connector.inquire(attempt)).toMatchObject({ state: { state: 'completed' } })
    expect(fixture.statesTold(attempt)).toEqual(['completed'])
  })

  test('an inquiry after a lost answer returns the page, so that the customer can still pay', async () => {
    const attempt = fixture.attemptOf()
    simulator.setFaults('stripe', [{ on: 'collect', fault: 'cut_answer' }])
    expect(await connector.collect?.(attempt, details)).toMatchObject({ kind: 'unknown' })
    expect(await connector.inquire(attempt)).toMatchObject({
      providerRef: expect.stringMatching(/^cs_/),
      nextAction: { type: 'redirect' },
    })
  })

  test('a page that we close is canceled, also when closed twice; an expired page has failed', async () => {
    const closed = await fixture.send(fixture.attemptOf())
    expect(await connector.cancel?.(closed)).toMatchObject({ state: { state: 'canceled' } })
    expect(await connector.cancel?.({ ...closed, providerRef: null })).toMatchObject({
      state: { state: 'canceled' },
    })
    expect(fixture.statesTold(closed)).toEqual(['canceled'])
    const left = await fixture.send(fixture.attemptOf())
    clock.advance(dayMs)
    expect(await connector.inquire(left)).toMatchObject({
      state: { state: 'failed', failure: { code: 'EXPIRED' } },
    })
    expect(fixture.statesTold(left)).toEqual(['failed'])
  })

  test('a page without a payment cannot be refunded', async () => {
    const attempt = await fixture.send(fixture.attemptOf())
    const refund = { reference: randomUUID(), providerRef: null, amount: attempt.amount, isPartial: false }
    expect(await connector.refund?.(attempt, refund)).toMatchObject({
      kind: 'declined',
      failure: { code: 'NOT_REFUNDABLE' },
    })
  })

  test('cardMode hosted sends no card, and direct requires one', async () => {
    fixture.calls.length = 0
    const hosted = fixture.connectorWith({ cardMode: 'hosted' })
    expect(await hosted.collect?.(fixture.attemptOf(), { ...details, card })).toMatchObject({
      nextAction: { type: 'redirect' },
    })
    expect(JSON.stringify(fixture.calls)).not.toContain(card.number)
    const direct = fixture.connectorWith({ cardMode: 'direct' })
    expect(direct.missingFields?.(fixture.attemptOf(), details)).toEqual(['card_details'])
    expect(direct.missingFields?.(fixture.attemptOf(), { ...details, card })).toEqual([])
    expect(direct.missingFields?.(fixture.attemptOf({ method: 'bank_transfer' }), details)).toEqual([])
    expect(Object.keys(connector)).not.toContain('missingFields')
  })
})
