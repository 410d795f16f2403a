import { randomUUID, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { SANDBOX_KEY_ID, SANDBOX_SIGNING_KEY } from './sandbox-key.ts'

let simulator: Simulator
let token = ''
const grant = {
  grant_type: 'client_credentials',
  client_id: 'switchyard-sandbox',
  client_secret: 'truelayer-sandbox-secret',
}
const url = (path: string) => `${simulator.providerUrl('truelayer')}${path}`
const askToken = (body: object) => http(url('/connect/token'), { method: 'POST', body })

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 86_400_000 })
  token = ((await askToken(grant)).json() as { access_token: string }).access_token // as asked
})
afterAll(() => simulator.stop())

const payment = {
  amount_in_minor: 1000,
  currency: 'GBP',
  payment_method: {
    type: 'bank_transfer',
    provider_selection: { type: 'user_selected' },
    beneficiary: {
      type: 'merchant_account',
      merchant_account_id: '822f8dfe-0874-481f-b966-5b14f767792f',
    },
  },
  user: { name: 'Ada', email: 'ada@example.test' },
  hosted_page: { return_uri: 'https://shop.test/back' },
  metadata: { reference: 'ours' },
}

const encode = (text: string) => Buffer.from(text).toString('base64url')

/** Signs method, path, idempotency key and body, as documented. */
function post(path: string, body: object, { key = randomUUID() as string, change = '' } = {}) {
  const text = JSON.stringify(body)
  const { pathname } = new URL(url(path))
  const terms = { alg: 'ES512', kid: SANDBOX_KEY_ID, tl_version: '2', tl_headers: 'Idempotency-Key' }
  const header = encode(JSON.stringify(terms))
  const payload = encode(`POST ${pathname}\nIdempotency-Key: ${key}\n${text}${change}`)
  const options = { key: SANDBOX_SIGNING_KEY, dsaEncoding: 'ieee-p1363' } as const
  const value = sign('sha512', Buffer.from(`${header}.${payload}`), options).toString('base64url')
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': key,
    'tl-signature': `${header}..${value}`,
  }
  return http(url(path), { method: 'POST', headers, body: text })
}
const get = (path: string) => http(url(path), { headers: { authorization: `Bearer ${token}` } })

describe('refusals', () => {
  test('an unknown client, an invalid token, a signature over another request', async () => {
    const wrong = await askToken({ ...grant, client_secret: 'other' })
    expect([wrong.status, wrong.json()]).toEqual([400, { error: 'invalid_client' }])
    expect((await http(url('/v3/payments/x'), { headers: { authorization: 'Bearer x' } })).status).toBe(401)
    expect((await post('/v3/payments', payment, { change: ' ' })).status).toBe(401)
  })

  test('the same key with another payload; with the same payload the first answer is returned', async () => {
    const key = randomUUID()
    const first = (await post('/v3/payments', payment, { key })).json()
    expect((await post('/v3/payments', payment, { key })).json()).toEqual(first)
    const other = await post('/v3/payments', { ...payment, amount_in_minor: 2000 }, { key })
    expect([other.status, other.json()]).toMatchObject([422, { title: 'Idempotency-Key Reuse' }])
    expect(simulator.log({ provider: 'truelayer', reference: key })).toHaveLength(1)
  })

  test('an invalid field is named', async () => {
    const answer = await post('/v3/payments', { ...payment, currency: 'XXX' })
    expect([answer.status, answer.json()]).toMatchObject([400, { errors: { currency: [expect.anything()] } }])
  })
})

test('a payment is executed when the customer has paid, settled later, and refundable up to its amount', async () => {
  const created = (await post('/v3/payments', payment)).json() as { id: string; hosted_page: { uri: string } } // as asked
  const { id } = created
  const back = await http(created.hosted_page.uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'decision=pay',
  })
  expect(back.headers['location']).toBe(`https://shop.test/back?payment_id=${id}`)
  expect((await get(`/v3/payments/${id}`)).json()).toMatchObject({ status: 'executed' })
  expect((await post(`/v3/payments/${id}/actions/cancel`, {})).status).toBe(400)
  await simulator.settle()
  const settled = { status: 'settled', metadata: { reference: 'ours' } }
  expect((await get(`/v3/payments/${id}`)).json()).toMatchObject(settled)
  const refund = (amount_in_minor: number) =>
    post(`/v3/payments/${id}/refunds`, { reference: 'back', amount_in_minor })
  expect((await refund(600)).status).toBe(202)
  expect((await refund(600)).status).toBe(400)
  expect((await get(`/v3/payments/${id}/refunds`)).json()).toMatchObject({
    items: [{ amount_in_minor: 600 }],
  })
})

test('a canceled payment cannot be paid', async () => {
  const created = (await post('/v3/payments', payment)).json() as { id: string } // as asked
  expect((await post(`/v3/payments/${created.id}/actions/cancel`, {})).status).toBe(202)
  const canceled = { status: 'failed', failure_reason: 'canceled' }
  expect((await get(`/v3/payments/${created.id}`)).json()).toMatchObject(canceled)
})
