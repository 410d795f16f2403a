import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  type OrgPayments,
  bankBeneficiary,
  bankPayout,
  cardPayin,
  createTestClock,
  ghanaianPayin,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const paystackKey = 'sk_test_switchyard_sandbox'
const withPhone = (phone_number: string): Json =>
  mobileMoneyPayin({ mobile_money_details: { provider: 'MTN', phone_number } })
const referenceOf = async (id: string): Promise<string> => (await org.attempts(id)).at(-1).data.reference
const webhooksOf = async (id: string): Promise<Json[]> =>
  (await org.timeline(id)).filter(({ kind }) => kind === 'webhook')
const verdicts = async (id: string): Promise<string[]> =>
  (await webhooksOf(id)).map(({ data }) => data.verdict)

/** The simulator sends what a test asks it to, signed by the provider or by a forger. */
async function send(provider: string, body: object): Promise<void> {
  const answer = await request(`${t.simulator.url}/${provider}/_webhooks/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await answer.body.dump()
  expect(answer.statusCode).toBe(200)
}

/** The webhook URL of the installation's provider account, or of an organisation's own. */
async function addressOf(provider: string, by?: OrgPayments): Promise<string> {
  const as = by?.credential ?? t.seed.platformAdmin.api_key
  const { body } = await t.call('GET', '/v1/payments/provider-credentials', { as })
  const owned = body.data.filter(
    (row: Json) => row.provider === provider && (row.org_id ?? undefined) === by?.orgId,
  )
  return new URL(owned[0].webhook_url).pathname
}
const post = (path: string, rawBody: string, headers: Record<string, string> = {}): Promise<CallAnswer> =>
  t.call('POST', path, { rawBody, headers, unaudited: true })
const signed = (rawBody: string): Record<string, string> => ({
  'x-paystack-signature': createHmac('sha512', paystackKey).update(rawBody).digest('hex'),
})
const success = (reference: string, change: object = {}): string =>
  JSON.stringify({
    event: 'charge.success',
    data: { id: 77, status: 'success', reference, amount: 10_000, currency: 'KES', ...change },
  })

describe('200', () => {
  it('a webhook that comes before the answer to the call completes the payment once', async () => {
    const answer = await org.initiate(withPhone('256783456724'))
    expect(answer.body.response.status).toBe('completed')
    const id = answer.body.response.payment_id
    expect(await org.record(id)).toMatchObject({ status: 'completed', provider_status: 'COMPLETED' })
    expect(await org.eventTypes(id)).toEqual([
      'payment.processing',
      'transaction.updated',
      'payment.completed',
      'transaction.updated',
    ])
    expect(await org.postings(id)).toHaveLength(1)
    expect(await verdicts(id)).toEqual(['provider'])
  })

  it('a webhook that comes twice counts once', async () => {
    const id = await org.start(withPhone('256783456723'))
    await t.simulator.settle()
    expect(
      t.simulator.webhooks('pawapay').filter(({ outcome }) => outcome === 'delivered').length,
    ).toBeGreaterThan(1)
    expect((await org.record(id)).status).toBe('completed')
    expect(await webhooksOf(id)).toMatchObject([
      { summary: 'pawapay says COMPLETED: perhaps about another merchant: the provider is asked' },
    ])
    expect(await org.postings(id)).toHaveLength(1)
  })

  it('a replay of the same bytes is taken and changes nothing', async () => {
    const id = await org.start(kenyanPayin())
    await t.simulator.settle()
    const before = [await org.record(id), await org.timeline(id)]
    await send('pawapay', { reference: await referenceOf(id), duplicate: true })
    expect([await org.record(id), await org.timeline(id)]).toEqual(before)
  })

  it('out of order: a report from before the end that arrives after it is recorded and changes nothing', async () => {
    const id = await org.start(mobileMoneyPayin())
    await t.simulator.settle()
    await send('pawapay', { reference: await referenceOf(id), event: 'PROCESSING' })
    expect(await org.record(id)).toMatchObject({ status: 'completed', provider_status: 'COMPLETED' })
    expect((await webhooksOf(id)).map(({ summary }) => summary)).toEqual([
      'pawapay says COMPLETED: perhaps about another merchant: the provider is asked',
      'pawapay says PROCESSING: perhaps about another merchant: the provider is asked',
    ])
    expect(await org.postings(id)).toHaveLength(1)
  })

  it('the outcome of an attempt that was given up goes to manual review and does not change the payment', async () => {
    await org.networks({ country: 'GH' })
    t.simulator.setFaults('paystack', [{ on: 'collect', fault: 'decline' }])
    const id = await org.start(ghanaianPayin())
    const [declined] = await org.attempts(id)
    const body = success(declined.data.reference, { currency: 'GHS' })
    expect((await post(await addressOf('paystack'), body, signed(body))).status).toBe(200)
    expect(await org.record(id)).toMatchObject({ status: 'pending', provider: 'pawapay' })
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'money_after_end' }])
    await t.simulator.settle()
    expect(await org.postings(id)).toMatchObject([{ debit: 'provider:pawapay' }])
  })

  it('out of order: a payout that is reported as paid after its return needs nobody, though nobody answers', async () => {
    const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    const [attempt] = await org.attempts(id)
    expect(attempt.data.provider).toBe('paystack')
    t.simulator.setFaults('paystack', [{ on: 'inquire', fault: 'error_500', times: 99 }])
    const { reference, provider_ref } = attempt.data
    for (const status of ['reversed', 'success']) {
      const data = { reference, transfer_code: provider_ref, status, amount: 150_075, currency: 'NGN' }
      const body = JSON.stringify({ event: `transfer.${status}`, data })
      expect((await post(await addressOf('paystack'), body, signed(body))).status).toBe(200)
    }
    t.simulator.setFaults('paystack', [])
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'REVERSED' } })
    expect(await org.exceptions(`&payment_id=${id}`)).toEqual([])
  })

  it('a redirect URL that the provider reports later is passed on', async () => {
    const config = {
      provider: 'pawapay',
      country: 'SN',
      payment_method: 'mobile_money',
      direction: 'inbound',
    }
    await t.call('POST', '/v1/payments/provider-configs', {
      as: t.seed.platformAdmin.api_key,
      body: { ...config, org_id: null },
    })
    const mobile_money_details = { provider: 'WAVE', phone_number: '221773456789' }
    const money = {
      amount: 5000,
      target_amount: 5000,
      currency: 'XOF',
      target_currency: 'XOF',
      country: 'SN',
    }
    const answer = await org.initiate(mobileMoneyPayin({ ...money, mobile_money_details }))
    expect(answer.body.response.next_action).toBe('check_status')
    await t.simulator.settle()
    expect((await org.record(answer.body.response.payment_id)).instructions).toMatch(/^Open http/)
  })

  it('a body that means nothing to us is taken and leaves no trace', async () => {
    const path = await addressOf('paystack')
    const { rowCount } = await t.owner.query('select from inbox')
    for (const body of ['{}', 'not json', '', '{"event":"subscription.create","data":{"status":"active"}}'])
      expect((await post(path, body, signed(body))).status).toBe(200)
    expect((await t.owner.query('select from inbox')).rowCount).toBe(rowCount)
  })
})

describe('200, and an exception is raised', () => {
  it('a reference that no payment has, at an account of the organisation’s own', async () => {
    const credentials = { secretKey: paystackKey, baseUrl: `${t.simulator.url}/paystack` }
    await org.call('PUT', '/v1/payments/provider-credentials/paystack', { credentials })
    const body = success('0b0e7a5c-2f5e-4b57-9d5e-8f2f6f0a1c11')
    const path = await addressOf('paystack', org)
    for (let times = 0; times < 2; times++) expect((await post(path, body, signed(body))).status).toBe(200)
    expect(await org.exceptions()).toMatchObject([
      { kind: 'unknown_reference', provider: 'paystack', payment_id: null, status: 'open' },
    ])
  })

  it('an unknown reference at the installation’s account is visible to the operator alone', async () => {
    const body = success('3f1d2b7e-6a55-4c39-8e0f-0c6d1f8a2b33')
    expect((await post(await addressOf('paystack'), body, signed(body))).status).toBe(200)
    const seen = await t.call('GET', '/v1/payments/exceptions?kind=unknown_reference', {
      as: t.seed.platformAdmin.api_key,
    })
    expect(seen.body.data.map(({ summary }: Json) => summary).join()).toContain(
      '3f1d2b7e-6a55-4c39-8e0f-0c6d1f8a2b33',
    )
    expect(await org.exceptions()).toEqual([])
  })

  it('another organisation’s account cannot speak of this one’s payment', async () => {
    const stranger = await openPayments(t)
    const credentials = { secretKey: paystackKey, baseUrl: `${t.simulator.url}/paystack` }
    await stranger.call('PUT', '/v1/payments/provider-credentials/paystack', { credentials })
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const id = await org.start(kenyanPayin())
    const body = success(await referenceOf(id))
    expect((await post(await addressOf('paystack', stranger), body, signed(body))).status).toBe(200)
    expect((await org.record(id)).status).toBe('pending')
    expect(await webhooksOf(id)).toEqual([])
    expect(await org.exceptions()).toEqual([])
    expect(await stranger.exceptions()).toMatchObject([
      { kind: 'message_from_other_account', payment_id: null },
    ])
  })

  it.each([
    ['less money', { amount: 9_999 }],
    ['more money', { amount: 10_001 }],
    ['another currency', { currency: 'GHS' }],
  ])('%s than the payment is of', async (_name, change) => {
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const id = await org.start(kenyanPayin())
    const body = success(await referenceOf(id), change)
    expect((await post(await addressOf('paystack'), body, signed(body))).status).toBe(200)
    expect((await org.record(id)).status).toBe('pending')
    expect(await org.postings(id)).toEqual([])
    expect(await org.exceptions()).toMatchObject([{ kind: 'amount_differs', payment_id: id }])
    expect((await webhooksOf(id))[0].summary).toContain('the amount differs')
    const kinds = (await org.timeline(id)).map(({ kind }) => kind)
    expect(kinds).toContain('exception')
  })
})

describe('401', () => {
  it('a forgery is refused and noted, and the genuine one that follows still counts', async () => {
    const id = await org.start(mobileMoneyPayin())
    await send('pawapay', { reference: await referenceOf(id), event: 'COMPLETED', forge: true })
    expect(t.simulator.webhooks('pawapay').at(-1)?.attempts[0]?.status).toBe(401)
    expect((await org.record(id)).status).toBe('pending')
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
    expect(await verdicts(id)).toEqual(['forged', 'provider'])
  })

  it('one changed byte', async () => {
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const id = await org.start(kenyanPayin())
    const body = success(await referenceOf(id))
    const path = await addressOf('paystack')
    expect((await post(path, body.replace('77', '78'), signed(body))).status).toBe(401)
    expect((await post(path, body)).status).toBe(401)
    expect((await org.record(id)).status).toBe('pending')
    expect(await verdicts(id)).toEqual(['forged', 'forged'])
    expect((await post(path, body, signed(body))).status).toBe(200)
    expect((await org.record(id)).status).toBe('completed')
  })

  it('a genuine one that is played again outside its time window', async () => {
    const id = await org.start(cardPayin())
    await t.simulator.settle()
    const genuine = t.simulator.webhooks('stripe').at(-1)!
    clock.pass(6 * 60_000)
    const headers = { 'stripe-signature': genuine.headers['stripe-signature'] ?? '' }
    expect((await post(await addressOf('stripe'), genuine.body, headers)).status).toBe(401)
    expect((await org.record(id)).status).toBe('completed')
    expect(await verdicts(id)).toEqual(['verified', 'forged'])
  })

  it('forgeries about payments that do not exist leave nothing behind', async () => {
    const { rowCount } = await t.owner.query('select from inbox')
    const body = success('9c1d2b7e-6a55-4c39-8e0f-0c6d1f8a2b44')
    expect((await post(await addressOf('paystack'), body)).status).toBe(401)
    expect((await t.owner.query('select from inbox')).rowCount).toBe(rowCount)
  })
})

describe('404', () => {
  it('a token that we did not make, or made for another provider', async () => {
    const path = await addressOf('paystack')
    const token = path.split('/').at(-1)!
    const body = success('0b0e7a5c-2f5e-4b57-9d5e-8f2f6f0a1c11')
    const wrong = [
      `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`,
      token.slice(1),
      'sandbox',
      'A'.repeat(54),
    ]
    for (const other of wrong)
      expect((await post(path.replace(token, other), body, signed(body))).status).toBe(404)
    expect((await post(path.replace('/paystack/', '/stripe/'), body, signed(body))).status).toBe(404)
    expect((await post(path.replace('/paystack/', '/nobody/'), body, signed(body))).status).toBe(404)
  })
})
