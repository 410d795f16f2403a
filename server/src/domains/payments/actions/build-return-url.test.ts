import { request } from 'undici'
import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import {
  cardPayin,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { ringOf } from '../../../../test/app/test-keys.ts'
import { readReturnToken, returnToken } from './build-return-url.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const hosted = (change: object = {}): unknown =>
  cardPayin({ country: 'NG', currency: 'NGN', target_currency: 'NGN', ...change })
const allowHosts = (...hosts: string[]): Promise<unknown> =>
  org.call('PATCH', `/v1/organizations/${org.orgId}`, { return_url_hosts: hosts })

interface Visit {
  id: string
  /** Our own page, where the provider sent the customer. */
  path: string
}
/** The customer presses a button on the provider's page and is sent back to us. */
async function visit(change: object, decision: string): Promise<Visit> {
  const answer = await org.initiate(hosted(change))
  expect(answer.status).toBe(200)
  const { payment_id: id, redirect_url: url } = answer.body.response
  const page = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `decision=${decision}`,
  })
  await page.body.dump()
  const back = new URL(String(page.headers['location']))
  expect(back.origin).toBe(t.url)
  return { id, path: back.pathname }
}
/** As visit, and what our page answers: where it sends the customer. */
async function cameBackTo(change: object, decision = 'pay'): Promise<{ id: string; url: URL }> {
  const { id, path } = await visit(change, decision)
  const answer = await t.call('GET', path)
  expect(answer.status).toBe(303)
  return { id, url: new URL(String(answer.headers['location'])) }
}

describe('303', () => {
  it('the customer is sent on with status and reference, and the query that was there is kept', async () => {
    const { url } = await cameBackTo({
      return_url: 'https://shop.example/back?order=7&tags=a&tags=b%20c#part',
      client_reference: 'A 7/é',
    })
    expect([url.origin, url.pathname, url.hash]).toEqual(['https://shop.example', '/back', '#part'])
    expect([...url.searchParams]).toEqual([
      ['order', '7'],
      ['tags', 'a'],
      ['tags', 'b c'],
      ['status', 'completed'],
      ['reference', 'A 7/é'],
    ])
  })

  it('without a client_reference the reference is the first eighteen characters of the payment id', async () => {
    const { id, url } = await cameBackTo({ return_url: 'https://shop.example/back' })
    expect(url.search).toBe(`?status=completed&reference=${id.slice(0, 18)}`)
  })

  it('a payment that was declined comes back as failed', async () => {
    const { id, path } = await visit({ return_url: 'https://shop.example/back' }, 'decline')
    clock.pass(10_000)
    const { headers } = await t.call('GET', path)
    expect(new URL(String(headers['location'])).searchParams.get('status')).toBe('failed')
    expect((await org.record(id)).status).toBe('failed')
  })

  it('a status that the address pretends to is replaced by the true one', async () => {
    const { url } = await cameBackTo({ return_url: 'https://shop.example/?status=failed&reference=x' })
    expect(url.searchParams.getAll('status')).toEqual(['completed'])
    expect(url.searchParams.getAll('reference')).toHaveLength(1)
  })

  it('where no webhook has come, the provider is asked', async () => {
    t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop' }])
    const { id, path } = await visit({ return_url: 'https://shop.example/' }, 'pay')
    expect((await org.record(id)).status).toBe('pending')
    clock.pass(10_000)
    expect((await t.call('GET', path)).status).toBe(303)
    expect((await org.record(id)).status).toBe('completed')
  })
})

describe('200', () => {
  it('while the outcome is open the customer waits on a page that polls by itself', async () => {
    const { id, path } = await visit({ return_url: 'https://shop.example/back' }, 'cancel')
    const answer = await t.call('GET', path)
    expect([answer.status, answer.headers['location']]).toEqual([200, undefined])
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.text).toContain('http-equiv="refresh"')
    expect(answer.text).not.toContain('shop.example')
    expect((await org.record(id)).status).toBe('pending')
  })

  it.each([
    ['pay', 'Payment complete'],
    ['decline', 'You have not been charged.'],
  ])('without a return_url the page shows the outcome: %s', async (decision, words) => {
    const { path } = await visit({}, decision)
    clock.pass(10_000)
    const answer = await t.call('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(words)
  })

  it('the page loads nothing from other origins and sends no referrer', async () => {
    const { path } = await visit({}, 'cancel')
    const { headers } = await t.call('GET', path)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['content-security-policy']).not.toContain('unsafe')
  })
})

describe('404', () => {
  it('a token that we did not make', async () => {
    const { path, id } = await visit({ return_url: 'https://shop.example/' }, 'pay')
    const token = path.split('/').at(-1)!
    const forged = returnToken(ringOf(Buffer.alloc(32, 9)), { orgId: org.orgId, paymentId: id })
    const flipped = `${token.slice(0, 10)}${token[10] === 'A' ? 'B' : 'A'}${token.slice(11)}`
    const ofNobody = returnToken(t.deps.returnKey, { orgId: org.orgId, paymentId: newId() })
    for (const wrong of [forged, flipped, token.slice(2), 'x', ofNobody])
      expect((await t.call('GET', `/return/${wrong}`)).status).toBe(404)
    expect((await t.call('GET', path)).status).toBe(303)
  })

  it('a token names one payment of one organisation and cannot be cut and pasted', () => {
    const key = ringOf(Buffer.alloc(32, 7))
    const [mine, other] = [
      { orgId: newId(), paymentId: newId() },
      { orgId: newId(), paymentId: newId() },
    ]
    const bytes = Buffer.from(returnToken(key, mine), 'base64url')
    const others = Buffer.from(returnToken(key, other), 'base64url')
    expect(readReturnToken(key, bytes.toString('base64url'))).toEqual(mine)
    for (const cut of [16, 32])
      expect(
        readReturnToken(
          key,
          Buffer.concat([others.subarray(0, cut), bytes.subarray(cut)]).toString('base64url'),
        ),
      ).toBeUndefined()
  })
})

describe('400: return_url', () => {
  const expectRefused = async (return_url: unknown): Promise<void> => {
    const before = t.simulator.log().length
    const answer = await org.initiate(hosted({ return_url }))
    expect([String(return_url), answer.status, answer.body.code]).toEqual([
      String(return_url),
      400,
      'VALIDATION_ERROR',
    ])
    expect(t.simulator.log()).toHaveLength(before)
  }

  it.each([
    'http://shop.example/back',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'JaVaScRiPt://shop.example/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'http://shop.example@127.0.0.1/',
    '//shop.example/back',
    '/back',
    'shop.example/back',
    'https://',
    'https:///',
    '',
    'not a url',
    `https://shop.example/${'x'.repeat(2000)}`,
  ])('%s', async (return_url) => {
    await expectRefused(return_url)
  })

  /** Each of these resembles shop.example but leads elsewhere in a browser. */
  it.each([
    'https://evil.example/',
    'https://shop.example.evil.example/',
    'https://evil.example/shop.example',
    'https://evil.example?shop.example',
    'https://evil.example#shop.example',
    'https://evil.example\\@shop.example/',
    'https://evil.example\\.shop.example/',
    'https://shop.example@evil.example/',
    'https://shop.example%2eevil.example/',
    'https://shop.example%2f@evil.example/',
    'https:\\\\evil.example',
    'https:/\\evil.example',
    'https:evil.example',
    'https://evil.example\t.shop.example/',
    'https://xshop.example/',
    'https://shop.example./',
    'https://www.shop.example/',
    'https://shop。example.evil.example/',
    'https://127.0.0.1/',
    'http://127.0.0.1/',
    'http://localhost:3000/',
    'https://[::1]/',
  ])('%s, where only shop.example is allowed', async (return_url) => {
    await allowHosts('shop.example')
    await expectRefused(return_url)
  })

  it('what is allowed: hosts of the organisation, in any case, on any port; or http on this machine', async () => {
    expect((await org.initiate(hosted({ return_url: 'https://anywhere.example/' }))).status).toBe(200)
    expect((await org.initiate(hosted({ return_url: 'http://localhost:3000/' }))).status).toBe(200)
    await allowHosts('shop.example', 'www.shop.example')
    for (const url of [
      'https://SHOP.example/',
      'https://www.shop.example:8443/a?b#c',
      'https://shop.example?x',
    ])
      expect((await org.initiate(hosted({ return_url: url }))).status).toBe(200)
  })
})
