import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/clock.ts'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { createStripeClient, idOf, OK_CARD, press, type StripeClient } from './testing/stripe-client.ts'

const clock = createManualClock(new Date('2030-01-01T00:00:00Z'))
let simulator: Simulator
let client: StripeClient

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 5, clock })
  client = createStripeClient(simulator)
})
afterAll(() => simulator.stop())

async function openPage(amount = '2000'): Promise<{ id: string; url: string }> {
  const answer = await client.openSession({ amount, key: randomUUID() })
  expect(answer.json()).toMatchObject({ status: 'open', payment_status: 'unpaid', payment_intent: null })
  return answer.json() as { id: string; url: string }
}

async function sessionOf(id: string): Promise<Record<string, unknown>> {
  return (await client.get(`/v1/checkout/sessions/${id}`)).json() as Record<string, unknown>
}

function eventsOf(id: string): string[] {
  return simulator
    .webhooks('stripe')
    .filter(({ body }) => body.includes(id.replace('cs_test_', '_')))
    .map(({ event }) => event)
}

describe('checkout', () => {
  test('a customer pays and returns with the session in the address', async () => {
    const { id, url } = await openPage()
    const page = await http(url)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).toContain('20.00 GBP')
    expect(page.text).toContain('Order 1')
    const paid = await press(url, 'pay', { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' })
    expect([paid.status, paid.headers['location']]).toEqual([303, `https://shop.test/ok?session=${id}`])
    expect(await sessionOf(id)).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    expect(eventsOf(id)).toEqual(['payment_intent.succeeded', 'checkout.session.completed'])
    expect((await press(url, 'pay', { number: OK_CARD })).text).toContain('This payment is complete')
  })

  test('a customer who cancels can still pay later', async () => {
    const { id, url } = await openPage()
    expect((await press(url, 'cancel')).headers['location']).toBe('https://shop.test/no')
    expect(await sessionOf(id)).toMatchObject({ status: 'open' })
  })

  test('after a declined card another may be tried', async () => {
    const { id, url } = await openPage()
    const declined = await press(url, 'pay', { number: '4000000000009995' })
    expect([declined.status, declined.text]).toEqual([
      200,
      expect.stringContaining('Your card has insufficient funds.'),
    ])
    const { payment_intent: intent } = await sessionOf(id)
    expect((await client.get(`/v1/payment_intents/${String(intent)}`)).json()).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { decline_code: 'insufficient_funds' },
    })
    await press(url, 'pay', { number: OK_CARD })
    expect(await sessionOf(id)).toMatchObject({ status: 'complete', payment_intent: intent })
    expect(eventsOf(id)).toEqual([
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
      'checkout.session.completed',
    ])
  })

  test('an invalid expiry is shown on the page, and an empty number is a successful card', async () => {
    const { id, url } = await openPage()
    expect((await press(url, 'pay', { number: OK_CARD, expiry: 'soon' })).text).toContain('MM/YY.')
    expect(await sessionOf(id)).toMatchObject({ status: 'open' })
    await press(url, 'pay')
    expect(await sessionOf(id)).toMatchObject({ status: 'complete', payment_status: 'paid' })
  })

  test.each([
    ['pay', 'complete', 'paid'],
    ['decline', 'open', 'unpaid'],
  ])('3D Secure on the page: %s leaves the session %s', async (decision, status, paymentStatus) => {
    const { id, url } = await openPage()
    const bank = (await press(url, 'pay', { number: '4000002760003184' })).headers['location'] as string
    expect((await http(bank)).text).toContain('3184')
    const decided = await press(bank, decision)
    expect(decided.headers['location']).toBe(decision === 'pay' ? `https://shop.test/ok?session=${id}` : url)
    expect(await sessionOf(id)).toMatchObject({ status, payment_status: paymentStatus })
  })

  test('a sentinel that fails later closes the page first', async () => {
    const { id, url } = await openPage('2014')
    expect((await press(url, 'pay', { number: OK_CARD })).status).toBe(303)
    expect(await sessionOf(id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
    await simulator.settle()
    expect(eventsOf(id)).toEqual([
      'payment_intent.processing',
      'checkout.session.completed',
      'payment_intent.payment_failed',
      'checkout.session.async_payment_failed',
    ])
  })

  test('a session can be expired once, and expires after a day', async () => {
    const { id, url } = await openPage()
    const expire = () => client.post(`/v1/checkout/sessions/${id}/expire`)
    expect((await expire()).json()).toMatchObject({ status: 'expired', url: null })
    expect((await expire()).status).toBe(400)
    expect((await http(url)).text).toContain('This page has expired')
    expect(eventsOf(id)).toEqual(['checkout.session.expired'])

    const late = await openPage()
    clock.advance(86_400_000)
    expect(await sessionOf(late.id)).toMatchObject({ status: 'expired' })
    expect(eventsOf(late.id)).toEqual(['checkout.session.expired'])
  })

  test('sessions are listed', async () => {
    const { id } = await openPage()
    expect((await client.get('/v1/checkout/sessions?limit=1')).json()).toMatchObject({ data: [{ id }] })
  })

  test('the page of an unknown session is 404', async () => {
    expect((await http(`${simulator.url}/stripe/checkout/default/cs_test_x`)).status).toBe(404)
    expect((await http(`${simulator.url}/stripe/3d_secure/default/pi_x`)).status).toBe(404)
  })
})

describe('3D Secure of a direct payment', () => {
  async function start(number: string): Promise<{ id: string; bank: string }> {
    const answer = await client.payByCard({ number })
    expect(answer.json()).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url' },
    })
    const { next_action } = answer.json() as { next_action: { redirect_to_url: { url: string } } }
    return { id: idOf(answer), bank: next_action.redirect_to_url.url }
  }

  test.each([
    ['4000000000003220', 'pay', 'succeeded', { status: 'succeeded' }],
    [
      '4000000000003220',
      'decline',
      'failed',
      {
        status: 'requires_payment_method',
        last_payment_error: { code: 'payment_intent_authentication_failure' },
      },
    ],
    [
      '4000008400001629',
      'pay',
      'failed',
      { status: 'requires_payment_method', last_payment_error: { decline_code: 'generic_decline' } },
    ],
  ])('card %s, %s: %s', async (number, decision, redirectStatus, intent) => {
    const { id, bank } = await start(number)
    const back = new URL((await press(bank, decision)).headers['location'] as string)
    expect(back.origin + back.pathname).toBe('https://shop.test/back')
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      order: '1',
      payment_intent: id,
      redirect_status: redirectStatus,
    })
    expect((await client.get(`/v1/payment_intents/${id}`)).json()).toMatchObject(intent)
    expect((await press(bank, 'pay')).text).toContain('has been decided')
  })
})
