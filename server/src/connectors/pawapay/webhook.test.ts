import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { WebhookRequest } from '../kit/connector.ts'
import { signMessage } from '../kit/http-signature.ts'
import { pawapayCredentials } from './credentials.ts'
import { readCallback, verifyCallback, type CallbackContext } from './webhook.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const at = new Date('2026-11-14T10:00:00Z')
const minuteMs = 60_000
const callback = {
  depositId: '6f6d3c0e-7d55-4c3e-9a55-0d1f4d3b8a11',
  status: 'COMPLETED',
  amount: '5000.00',
  currency: 'UGX',
}

function request(lifetimeSeconds = 60): WebhookRequest {
  const message = {
    method: 'POST',
    url: 'https://api.switchyard.test/providers/pawapay/webhooks/token',
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    rawBody: Buffer.from(JSON.stringify(callback)),
  }
  const headers = signMessage(message, {
    label: 'sig-pp',
    keyId: 'K:1',
    algorithm: 'ecdsa-p256-sha256',
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    at,
    lifetimeSeconds,
  })
  return { ...message, headers: { ...message.headers, ...headers } }
}

function verify(given: WebhookRequest, change: Partial<CallbackContext> & { afterMs?: number } = {}) {
  return verifyCallback(
    {
      credentials: pawapayCredentials.parse({ apiToken: 't' }),
      clock: { now: () => new Date(at.getTime() + (change.afterMs ?? 0)) },
      findKey: async (keyId) => (keyId === 'K:1' ? publicKey : 'unknown'),
      ...change,
    },
    given,
  )
}

const withHeader = (given: WebhookRequest, name: string, value: string | undefined): WebhookRequest => ({
  ...given,
  headers: { ...given.headers, [name]: value },
})

describe('a signed callback', () => {
  test('is verified', async () => {
    expect(await verify(request())).toEqual({ kind: 'provider' })
  })

  test.each([
    ['a minute early', -minuteMs, 60, 'provider'],
    ['more than a minute early', -minuteMs - 1, 60, 'forged'],
    ['at its end and the clocks’ difference', 2 * minuteMs, 60, 'provider'],
    ['after it', 2 * minuteMs + 1, 60, 'forged'],
    ['after fifteen minutes, if it lives long', 15 * minuteMs, 86_400, 'provider'],
    ['later, however long it lives', 15 * minuteMs + 1, 86_400, 'forged'],
  ])('%s', async (_when, afterMs, lifetimeSeconds, kind) => {
    expect((await verify(request(lifetimeSeconds), { afterMs })).kind).toBe(kind)
  })

  test('with a key that is not pawaPay’s is forged', async () => {
    const verdict = await verify(request(), { findKey: async () => 'unknown' })
    expect(verdict).toEqual({ kind: 'forged', reason: 'unknown key' })
  })

  test('is unsigned while the keys cannot be fetched', async () => {
    expect(await verify(request(), { findKey: async () => 'unreachable' })).toEqual({ kind: 'unsigned' })
  })

  test('with a broken header is forged without fetching keys', async () => {
    let asked = 0
    const findKey = async () => {
      asked += 1
      return publicKey
    }
    const broken = [
      withHeader(request(), 'signature', undefined),
      withHeader(request(), 'content-digest', 'sha-256=:AAAA:'),
      { ...request(), rawBody: Buffer.from('{}') },
    ]
    for (const one of broken) expect((await verify(one, { findKey })).kind).toBe('forged')
    expect(asked).toBe(0)
  })

  test.each(['@method', '@authority', '@path', 'content-digest'])(
    'that does not sign its %s is forged',
    async (component) => {
      const given = request()
      const input = String(given.headers['signature-input']).replace(`"${component}"`, '"host"')
      const verdict = await verify(withHeader(given, 'signature-input', input))
      expect(verdict).toEqual({ kind: 'forged', reason: 'signs too few components' })
    },
  )

  test('that is sent to another address is forged', async () => {
    const elsewhere = { ...request(), url: 'https://api.switchyard.test/providers/pawapay/webhooks/other' }
    expect(await verify(elsewhere)).toEqual({ kind: 'forged', reason: 'wrong signature' })
  })
})

describe('an account without signed callbacks', () => {
  const credentials = pawapayCredentials.parse({ apiToken: 't', callbacks: 'unsigned' })

  test('has only unsigned callbacks, even if one has a signature', async () => {
    expect(await verify(request(), { credentials })).toEqual({ kind: 'unsigned' })
    expect(await verify(withHeader(request(), 'signature', undefined), { credentials })).toEqual({
      kind: 'unsigned',
    })
  })
})

describe('reading', () => {
  const read = (body: object) => readCallback(Buffer.from(JSON.stringify(body)))

  test('a refund is not confused with its deposit', () => {
    const refundId = '0f3f6a1e-2f6e-4a5b-8a53-7c8a1f5f2b10'
    expect(read({ ...callback, refundId })).toMatchObject([{ subject: 'refund', reference: refundId }])
  })

  test.each([
    ['no id', { ...callback, depositId: undefined }],
    ['an id that is none of ours', { ...callback, depositId: 'x' }],
    ['no status', { ...callback, status: '' }],
    ['no amount', { ...callback, amount: undefined }],
    ['an address that is none', { ...callback, authorizationUrl: 'javascript:alert(1)' }],
  ])('a callback with %s is no update', (_what, body) => {
    expect(read(body)).toEqual([])
  })
})
