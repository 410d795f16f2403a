import { beforeEach, describe, expect, it } from 'vitest'
import { cardForm, newPayer, openLinks, type OrgLinks } from '../../../../test/worlds/test-links.ts'
import {
  createTestClock,
  renewRates,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgLinks
beforeEach(async () => {
  org = await openLinks(t)
})

const minuteMs = 60_000

describe('200', () => {
  it('the page has strict headers: nothing inline, no framing, no referrer to other sites, no caching', async () => {
    const { headers, text } = await newPayer(await org.make()).get()
    const policy = String(headers['content-security-policy'])
    expect(policy).not.toContain('unsafe')
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(rule)
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['cache-control']).toBe('no-store')
    expect(String(headers['set-cookie'])).toMatch(/^sy_pay=[\w-]{24}; Path=\/pay; HttpOnly; SameSite=Lax$/)
    expect(text).not.toContain(org.orgId)
  })

  it('only methods that routing has a provider for are offered, in the payer’s country', async () => {
    const methodsIn = async (country: string, currency: string): Promise<string[]> => {
      const { text } = await newPayer(await org.make({ country, currency, amount: 100 })).get()
      return [...text.matchAll(/name="method"\s+value="(\w+)"/g)].map((match) => match[1]!)
    }
    expect(await methodsIn('GB', 'GBP')).toEqual(['card', 'bank_transfer'])
    expect(await methodsIn('KE', 'KES')).toEqual(['card', 'mobile_money'])
    expect(await methodsIn('UG', 'UGX')).toEqual(['mobile_money', 'bank_transfer'])
    expect(await methodsIn('FR', 'EUR')).toEqual([])
  })

  it('assets are content-addressed, cached permanently and compressed', async () => {
    const payer = newPayer(await org.make())
    const { text } = await payer.get()
    for (const [, path] of text.matchAll(/"(\/pay-assets\/[^"]+)"/g)) {
      const answer = await t.call('GET', path!, { headers: { 'accept-encoding': 'br' } })
      expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'br'])
      expect(answer.headers['cache-control']).toContain('immutable')
    }
  })

  it('the organisation’s logo is served from our own origin', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await org.call('PATCH', `/v1/organizations/${org.orgId}`, { logo: png })
    const payer = newPayer(await org.make())
    expect((await payer.get()).text).toContain('/logo"')
    const logo = await payer.get('/logo')
    expect([logo.status, logo.headers['content-type']]).toEqual([200, 'image/png'])
  })

  it('events start with the current state', async () => {
    const link = await org.make()
    const payer = newPayer(link)
    const state = /data-state="([^"]+)"/.exec((await payer.get()).text)?.[1]
    expect(JSON.parse((await payer.get('/status')).text)).toEqual({ state })
    const response = await fetch(`${link.url}/events`)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const { value } = await response.body!.getReader().read()
    expect(Buffer.from(value!).toString()).toBe(`data: ${state}\n\n`)
  })
})

describe('303', () => {
  it('a payment of a link is audited, posted and published like any other, and the link refers to it', async () => {
    const link = await org.make({ client_reference: 'order-7', return_url: 'https://shop.example/?a=b' })
    const payer = newPayer(link)
    await payer.get()
    expect((await payer.send(cardForm())).status).toBe(303)
    const paid = await org.link(link.link_id)
    expect(paid).toMatchObject({ status: 'paid', payment_status: 'completed' })
    expect(paid.paid_at).toMatch(/Z$/)
    expect(await org.record(paid.payment_id)).toMatchObject({
      amount: 25,
      currency: 'GBP',
      metadata: { payment_link_id: link.link_id },
    })
    expect(await org.postings(paid.payment_id)).toHaveLength(1)
    expect(await org.eventTypes(paid.payment_id)).toContain('payment.completed')
    const audited = await t.owner.query(
      `select credential from audit_log where resource_id = $1 and action = 'payment.initiate'`,
      [paid.payment_id],
    )
    expect(audited.rows).toEqual([{ credential: 'payment_link' }])
    const { text } = await payer.get()
    expect(text).toContain('https://shop.example/?a=b&amp;status=completed&amp;reference=order-7')
  })

  it('customers are not redirected to a host that is no longer allowed', async () => {
    const link = await org.make({ return_url: 'https://shop.example/' })
    const payer = newPayer(link)
    await payer.get()
    await org.call('PATCH', `/v1/organizations/${org.orgId}`, { return_url_hosts: ['other.example'] })
    expect((await payer.send(cardForm())).status).toBe(303)
    expect((await payer.get()).text).not.toContain('shop.example')
  })

  it('ten concurrent tabs make one payment and one provider request', async () => {
    const link = await org.make()
    const payer = newPayer(link)
    await payer.get()
    const answers = await Promise.all(Array.from({ length: 10 }, () => payer.send(cardForm())))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    const { rows } = await t.owner.query('select payment_id from payments where link_id = $1', [link.link_id])
    expect(rows).toHaveLength(1)
    expect(await org.accepted(rows[0].payment_id)).toHaveLength(1)
  })

  it('choosing another method cancels the payment at its provider first', async () => {
    const link = await org.make()
    const payer = newPayer(link)
    await payer.get()
    await payer.send(cardForm('4000000000003220'))
    await payer.get()
    expect((await payer.send({}, '/cancel')).headers['location']).toBe(`/pay/${link.link_ref}?again=1`)
    expect((await org.link(link.link_id)).payment_status).toBe('canceled')
    await payer.get('?again=1')
    expect((await payer.send(cardForm())).status).toBe(303)
    expect((await org.link(link.link_id)).status).toBe('paid')
  })

  it('a payment that completes after the link has expired still pays it', async () => {
    const link = await org.make({ expires_at: new Date(clock.now().getTime() + minuteMs).toISOString() })
    const payer = newPayer(link)
    await payer.get()
    await payer.send({ ...cardForm(), method: 'bank_transfer' })
    clock.pass(2 * minuteMs)
    expect((await org.link(link.link_id)).status).toBe('expired')
    expect((await payer.get()).text).toContain('Make your transfer')
    await t.simulator.settle()
    clock.pass(-2 * minuteMs)
    expect((await org.link(link.link_id)).status).toBe('paid')
  })
})

describe('403', () => {
  it('a form without a CSRF token, with another browser’s or link’s, or from another site', async () => {
    const link = await org.make()
    const payer = newPayer(link)
    const stranger = newPayer(link)
    await payer.get()
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.get()).text)![1]!
    const attempts = [
      payer.send({ ...cardForm(), csrf: '' }),
      payer.send({ ...cardForm(), csrf }),
      payer.send(cardForm(), '', { 'sec-fetch-site': 'cross-site' }),
      payer.send(cardForm(), '', { cookie: '' }),
    ]
    for (const { status, text } of await Promise.all(attempts)) {
      expect(status).toBe(403)
      expect(text).toContain('allow cookies')
    }
    expect((await org.link(link.link_id)).payment_id).toBeNull()
  })
})

describe('404', () => {
  it.each(['x', 'A'.repeat(27), '%00', 'A'.repeat(500)])('/pay/%s is a page', async (ref) => {
    const answer = await t.call('GET', `/pay/${ref}`, { headers: { 'accept-language': 'fr' } })
    expect([400, 404]).toContain(answer.status)
    expect(answer.text).not.toContain('Kilimani')
  })
})

describe('a link that has ended', () => {
  it('canceled, expired and paid links show it and accept no payment', async () => {
    const canceled = await org.make()
    const expired = await org.make({ expires_at: new Date(clock.now().getTime() + minuteMs).toISOString() })
    const paid = await org.make()
    const payers = [canceled, expired, paid].map(newPayer)
    for (const payer of payers) await payer.get()
    await org.call('DELETE', `/v1/orgs/${org.orgId}/payment-links/${canceled.link_id}`)
    await payers[2]!.send(cardForm())
    clock.pass(2 * minuteMs)
    const before = t.simulator.log().length
    const answers = await Promise.all(payers.map((payer) => payer.send(cardForm())))
    clock.pass(-2 * minuteMs)
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(answers[0]!.text).toContain('was withdrawn')
    expect(answers[1]!.text).toContain('has expired')
    expect(answers[2]!.text).toContain('Payment complete')
    expect(t.simulator.log()).toHaveLength(before)
  })

  it('a link that is being paid can be neither changed nor canceled: 409', async () => {
    const link = await org.make()
    const payer = newPayer(link)
    await payer.get()
    await payer.send(cardForm('4000000000003220'))
    const path = `/v1/orgs/${org.orgId}/payment-links/${link.link_id}`
    expect((await org.call('PATCH', path, { amount: 1 })).status).toBe(409)
    expect((await org.call('DELETE', path)).status).toBe(409)
  })
})

describe('422', () => {
  it('an amount that changed while the page was open is refused', async () => {
    const link = await org.make()
    const payer = newPayer(link)
    await payer.get()
    await org.call('PATCH', `/v1/orgs/${org.orgId}/payment-links/${link.link_id}`, { amount: 99 })
    const answer = await payer.send(cardForm())
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('has just changed')
    expect(answer.text).toContain('£99.00')
    expect((await org.link(link.link_id)).payment_id).toBeNull()
  })

  it('an expired rate is renewed, and the payer has to confirm it', async () => {
    const link = await org.make({ currency: 'USD', payer_currency: 'GBP', country: 'GB' })
    const payer = newPayer(link)
    await payer.get()
    clock.pass(20 * minuteMs)
    await renewRates(t, clock)
    const answer = await payer.send(cardForm())
    expect([answer.status, answer.text.includes('rate has been updated')]).toEqual([422, true])
    expect((await payer.send(cardForm())).status).toBe(303)
    clock.pass(-20 * minuteMs)
    await renewRates(t, clock)
    expect((await org.link(link.link_id)).status).toBe('paid')
  })

  it('an amount above what one locked rate covers cannot be paid, and the link can be corrected', async () => {
    const link = await org.make({ amount: 300_000, currency: 'USD', payer_currency: 'GBP', country: 'GB' })
    const payer = newPayer(link)
    await payer.get()
    const answer = await payer.send(cardForm())
    expect([answer.status, (await org.link(link.link_id)).payment_id]).toEqual([422, null])
    expect(answer.text).not.toContain('rate has been updated')
    await org.call('PATCH', `/v1/orgs/${org.orgId}/payment-links/${link.link_id}`, { amount: 99 })
    await payer.get()
    expect((await payer.send(cardForm())).status).toBe(303)
  })

  it.each([
    ['card_number', { card_number: '4242424242424241' }],
    ['expiry', { expiry: '01/20' }],
    ['expiry', { expiry: '13/31' }],
    ['cvc', { cvc: '' }],
    ['email', { email: 'amina' }],
  ])('a wrong %s is named, nothing is sent, and the card is not in the answer', async (name, change) => {
    const link = await org.make()
    const payer = newPayer(link)
    await payer.get()
    const answer = await payer.send({ ...cardForm(), ...change })
    expect(answer.status).toBe(422)
    expect(answer.text).toMatch(new RegExp(`name="${name}"[^>]*aria-invalid="true"`))
    expect(answer.text).not.toContain('424242424242')
    expect((await org.link(link.link_id)).payment_id).toBeNull()
  })
})

describe('429', () => {
  it('forms of one link are rate limited, whoever sends them', async () => {
    const link = await org.make()
    const payer = newPayer(link)
    await payer.get()
    const statuses: number[] = []
    for (let tries = 0; tries < 25; tries++)
      statuses.push((await payer.send({ ...cardForm(), cvc: '' })).status)
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422))
    expect(statuses).toContain(429)
    expect((await newPayer(await org.make()).get()).status).toBe(200)
  })
})
