import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Attempt } from '../kit/connector.ts'
import { createHttpClient, type HttpCall } from '../kit/http-client.ts'
import { pawapayConnector } from './connector.ts'
import { pawapayCredentials } from './credentials.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const apiToken = 'a-token-of-a-signing-account'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
  simulator.configure('pawapay', {
    account: 'signing',
    secrets: {
      api_token: apiToken,
      request_public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
    options: { signed_requests_only: true },
  })
})
afterAll(() => simulator.stop())

/** With `answer`, every call gets this answer instead of the simulator's. */
function connect(more: object, answer?: object) {
  const calls: HttpCall[] = []
  const send = createHttpClient()
  const baseUrl = `${simulator.providerUrl('pawapay')}/`
  const connector = pawapayConnector.create({
    credentials: pawapayCredentials.parse({ apiToken, baseUrl, ...more }),
    http: async (call) => {
      calls.push(call)
      if (!answer) return send(call)
      return { kind: 'answered', status: 200, headers: {}, body: JSON.stringify(answer) }
    },
    clock: systemClock,
    webhookUrl: 'https://api.test/hook',
  })
  const attempt: Attempt = {
    reference: randomUUID(),
    providerRef: null,
    direction: 'payin',
    method: 'mobile_money',
    country: 'GH',
    amount: { amountMinor: 1_500n, currency: 'GHS' },
    createdAt: new Date(),
  }
  const mobileMoney = { network: 'MTN_MOMO_GHA', phoneNumber: '233593456789' }
  const details = { payer: {}, mobileMoney, returnUrl: 'https://shop.test/back' }
  return {
    calls,
    collect: () => connector.collect?.(attempt, details),
    inquire: () => connector.inquire(attempt),
  }
}

describe('an account that accepts only signed requests', () => {
  const signing = { keyId: 'ours', algorithm: 'ecdsa-p256-sha256', privateKeyPem }

  test('accepts ours', async () => {
    expect(await connect({ signing }).collect()).toMatchObject({ kind: 'accepted' })
  })

  test('refuses an unsigned request with fallback', async () => {
    const outcome = await connect({}).collect()
    expect(outcome).toMatchObject({ kind: 'declined', failure: { code: 'PROVIDER_REFUSED' }, fallback: true })
  })

  test('refuses a request that is signed with another key', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const wrong = { ...signing, privateKeyPem: other.export({ type: 'pkcs8', format: 'pem' }).toString() }
    expect(await connect({ signing: wrong }).collect()).toMatchObject({ kind: 'declined' })
  })
})

describe('an answer about another payment', () => {
  const other = randomUUID()
  const answers: [string, object][] = [
    ['accepted', { depositId: other, status: 'ACCEPTED' }],
    ['rejected', { depositId: other, status: 'REJECTED', failureReason: { failureCode: 'INVALID_AMOUNT' } }],
    ['without an id', { status: 'ACCEPTED' }],
  ]

  test.each(answers)('is unknown: %s', async (_what, body) => {
    expect(await connect({}, body).collect()).toMatchObject({ kind: 'unknown' })
  })

  test('is unknown to an inquiry too', async () => {
    const data = { depositId: other, status: 'COMPLETED', amount: '15', currency: 'GHS' }
    expect(await connect({}, { status: 'FOUND', data }).inquire()).toMatchObject({ kind: 'unknown' })
  })
})

describe('credentials', () => {
  test('every call has the timeout, and a trailing slash of the address is ignored', async () => {
    const { calls, collect } = connect({ timeoutMs: 4_321 })
    await collect()
    expect(calls).toMatchObject([
      { timeoutMs: 4_321, url: `${simulator.providerUrl('pawapay')}/v2/deposits` },
    ])
  })

  test.each([
    ['no token', {}],
    ['an empty token', { apiToken: '' }],
    ['an address that is none', { apiToken, baseUrl: 'file:///etc/passwd' }],
    ['a field that does not exist', { apiToken, apiTokn: 'x' }],
    ['"not found" that is final at once', { apiToken, notFoundFinalAfterMs: 0 }],
    ['a market that is none', { apiToken, markets: { UGA: ['UGX'] } }],
  ])('%s is refused', (_what, given) => {
    expect(pawapayCredentials.safeParse(given).success).toBe(false)
  })
})
