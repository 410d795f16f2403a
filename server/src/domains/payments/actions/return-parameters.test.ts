import { request } from 'undici'
import { beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../connectors/kit/http-client.ts'
import {
  cardPayin,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const sendCall = createHttpClient()
let forwarded = 0
const t = usePayments({
  delayMs: untilSettled,
  clock,
  http: (call) => {
    if (call.url.endsWith('/payments/details')) forwarded += 1
    return sendCall(call)
  },
})
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

/** At a provider that charges the card only once it has what the customer brought back from the bank. */
const authenticated = cardPayin({
  country: 'DE',
  currency: 'EUR',
  target_currency: 'EUR',
  return_url: 'https://shop.example/back',
  card_details: { card_number: '4917610000000000', expiry_month: '12', expiry_year: '2031', cvv: '737' },
})

async function visit(decision: string): Promise<{ id: string; path: string; search: string }> {
  const answer = await org.initiate(authenticated)
  expect(answer.status).toBe(200)
  const { payment_id: id, redirect_url: url } = answer.body.response
  const page = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `decision=${decision}`,
  })
  await page.body.dump()
  // Sooner than a mere page view would trigger the next poll.
  clock.pass(500)
  const { pathname, search } = new URL(String(page.headers['location']))
  return { id, path: pathname, search }
}

const statusAfter = async (path: string): Promise<string | null> => {
  const { headers } = await t.call('GET', path)
  return new URL(String(headers['location'])).searchParams.get('status')
}

describe('what the customer brings back from the bank', () => {
  it.each([
    ['pay', 'completed'],
    ['decline', 'failed'],
  ])('goes to the provider, whose answer decides: %s', async (decision, status) => {
    const { id, path, search } = await visit(decision)
    t.simulator.setFaults('adyen', [{ on: 'webhook', fault: 'webhook_drop' }])
    expect(await statusAfter(`${path}${search}`)).toBe(status)
    expect((await org.record(id)).status).toBe(status)
  })

  it('without it nothing is charged and nothing is decided', async () => {
    const { id, path } = await visit('pay')
    const answer = await t.call('GET', path)
    expect([answer.status, answer.headers['location']]).toEqual([200, undefined])
    expect((await org.record(id)).status).toBe('pending')
  })

  it('of another payment decides nothing here', async () => {
    const mine = await visit('pay')
    const other = await visit('pay')
    const answer = await t.call('GET', `${mine.path}${other.search}`)
    expect([answer.status, answer.headers['location']]).toEqual([200, undefined])
    expect((await org.record(mine.id)).status).toBe('pending')
  })

  it('is passed on a limited number of times, however often the page is opened with it', async () => {
    const mine = await visit('pay')
    const other = await visit('pay')
    forwarded = 0
    for (let times = 0; times < 15; times++)
      expect((await t.call('GET', `${mine.path}${other.search}`)).status).toBe(200)
    expect(forwarded).toBe(10)
    expect((await org.record(mine.id)).status).toBe('pending')
  })

  it('sent twice, it is charged once and gets the same answer', async () => {
    const { id, path, search } = await visit('pay')
    expect(await statusAfter(`${path}${search}`)).toBe('completed')
    expect(await statusAfter(`${path}${search}`)).toBe('completed')
    expect(t.simulator.log({ provider: 'adyen' }).filter(({ kind }) => kind === 'charge')).not.toEqual([])
    expect((await org.record(id)).status).toBe('completed')
  })
})
