import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCredential, SANDBOX_PUBLIC_KEY } from '@switchyard/simulator/protocols/mpesa/sandbox-key.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import type { Attempt } from '../kit/connector.ts'
import { createHttpClient, type HttpCall, type HttpResult } from '../kit/http-client.ts'
import { addressOf } from './callback.ts'
import { mpesaConnector } from './connector.ts'
import { mpesaCredentials } from './credentials.ts'
import { refusalOf, stateOf } from './mapping.ts'
import { payoutRequest } from './requests.ts'

const reference = 'b7f1c1e2-6a0e-4d0e-9a54-2f6f6a9d1c11'
const initiator = { name: 'testapi', password: 'mpesa-sandbox-initiator', certificate: SANDBOX_PUBLIC_KEY }
const keys = {
  consumerKey: 'mpesa-sandbox-key',
  consumerSecret: 'mpesa-sandbox-secret',
  shortCode: '174379',
  passkey: 'mpesa-sandbox-passkey',
  initiator,
}
let nowMs = Date.parse('2026-03-01T21:00:00Z')
const clock = { now: () => new Date(nowMs) }
const webhookUrl = 'https://api.test/v1/providers/mpesa/webhooks/token'
const contextWith = (more: object, http: (call: HttpCall) => Promise<HttpResult>) => ({
  credentials: mpesaCredentials.parse({ ...keys, ...more }),
  http,
  clock,
  webhookUrl,
})
const nobody = async (): Promise<HttpResult> => ({ kind: 'not_sent', reason: 'no call is expected' })
const context = contextWith({}, nobody)
const connector = mpesaConnector.create(context)
const request = (url: string) => ({ headers: {}, rawBody: Buffer.from('{}'), method: 'POST', url })

describe('addresses', () => {
  const verdict = async (url: string) => (await connector.verifyWebhook?.(request(url)))?.kind
  const address = (kind: 'result' | 'inquiry' | 'late') =>
    addressOf(context, { reference, subject: 'attempt', kind })

  test('a result is unsigned; the answer to our inquiry is verified, but only for a while', async () => {
    const [result, late, inquiry] = [address('result'), address('late'), address('inquiry')]
    expect(await verdict(result)).toBe('unsigned')
    expect(await verdict(late)).toBe('unsigned')
    expect(await verdict(inquiry)).toBe('verified')
    nowMs += 900_001
    expect(await verdict(inquiry)).toBe('unsigned')
  })

  test.each(['reference', 'subject', 'kind', 'at', 'proof'])(
    'an address with another %s is forged',
    async (name) => {
      const url = new URL(address('result'))
      const other = {
        reference: '00000000-0000-4000-8000-000000000000',
        subject: 'refund',
        kind: 'inquiry',
        at: '1',
      }
      url.searchParams.set(name, Reflect.get({ ...other, proof: 'AAAA' }, name) as string)
      expect(await verdict(url.href)).toBe('forged')
    },
  )

  test('the address of a result does not work for an answer, and another account’s address is forged', async () => {
    expect(await verdict(address('result').replace('kind=result', 'kind=inquiry'))).toBe('forged')
    const other = contextWith({ consumerSecret: 'another' }, nobody)
    expect(await verdict(addressOf(other, { reference, subject: 'attempt', kind: 'inquiry' }))).toBe('forged')
    expect(await verdict(webhookUrl)).toBe('forged')
  })

  test('an answer about another payment is no update', () => {
    const body = (originator: string) =>
      Buffer.from(
        JSON.stringify({
          Result: {
            ResultCode: 0,
            OriginatorConversationID: 'query',
            ResultParameters: {
              ResultParameter: [
                { Key: 'OriginatorConversationID', Value: originator },
                { Key: 'TransactionStatus', Value: 'Completed' },
              ],
            },
          },
        }),
      )
    expect(connector.readWebhook?.(body('other'), address('inquiry'))).toEqual([])
    expect(connector.readWebhook?.(body(reference), address('inquiry'))).toMatchObject([
      { reference, subject: 'attempt', state: { state: 'completed' } },
    ])
    expect(connector.readWebhook?.(body(reference))).toEqual([])
  })
})

describe('requests', () => {
  test('the initiator’s password is encrypted with the certificate and can be decrypted', () => {
    const order = { reference, amount: '150', phoneNumber: '0710000000', description: 'Pay – 7' }
    const body = payoutRequest(context, context.credentials.initiator!, order) // given above
    expect(JSON.stringify(body)).not.toContain(initiator.password)
    const credential: unknown = Reflect.get(body, 'SecurityCredential')
    expect(openCredential(String(credential))).toBe(initiator.password)
    expect(body).toMatchObject({
      PartyB: '254710000000',
      Remarks: 'Pay   7',
      OriginatorConversationID: reference,
    })
  })

  test('an invalid certificate is refused when it is stored', () => {
    const certificate = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----'
    expect(() => new X509Certificate(certificate)).toThrow(/./)
    expect(mpesaCredentials.safeParse({ ...keys, initiator: { ...initiator, certificate } }).success).toBe(
      false,
    )
  })

  test('without an initiator there are payins only', () => {
    const { initiator: _initiator, ...payinKeys } = keys
    const credentials = mpesaCredentials.parse(payinKeys)
    const bare = mpesaConnector.create({ ...context, credentials })
    for (const name of ['payout', 'refund', 'inquireRefund']) expect(bare).not.toHaveProperty(name)
    expect(bare.capabilities.map(({ direction }) => direction)).toEqual(['payin'])
  })
})

describe('ambiguous codes', () => {
  const refused = (status: number, code: string, message: string) =>
    refusalOf(context.credentials, { kind: 'refused', status, code, message })

  test.each([
    [500, '500.001.1001', 'The transaction is being processed', 'unknown'],
    [500, '500.001.1001', 'Something of next year', 'unknown'],
    [500, '500.002.1001', 'Duplicate OriginatorConversationID.', 'unknown'],
    [500, '500.003.1001', 'Internal Server Error', 'unknown'],
    [400, '400.002.02', 'Bad Request - The transaction has already been reversed', 'unknown'],
    [500, '500.001.1001', 'Unable to lock subscriber, a transaction is already in process', 'declined'],
    [500, '500.001.1001', 'Merchant does not exist', 'declined'],
    [500, '500.003.02', 'System is busy. Please try again in few minutes.', 'declined'],
    [400, '400.002.02', 'Bad Request - Invalid Amount', 'declined'],
    [404, '404.001.03', 'Invalid Access Token', 'declined'],
  ])('%d %s %s is %s', (status, code, message, kind) => {
    expect(refused(status, code, message).kind).toBe(kind)
  })

  test.each([
    ['0', 'completed'],
    ['4999', 'pending'],
    ['15', 'pending'],
    ['1032', 'failed'],
    ['77777', 'failed'],
  ])('a result of %s is %s', (code, state) => {
    expect(stateOf('pending', code).state).toBe(state)
  })
})

describe('the access token', () => {
  let simulator: Simulator
  const calls: string[] = []
  const http = createHttpClient()
  beforeAll(async () => {
    simulator = await startSimulator({ delayMs: 86_400_000 })
  })
  afterAll(() => simulator.stop())

  const attempt: Attempt = {
    reference,
    providerRef: null,
    direction: 'payin',
    method: 'mobile_money',
    country: 'KE',
    amount: { amountMinor: 15_000n, currency: 'KES' },
    createdAt: new Date(),
  }
  const details = {
    payer: {},
    mobileMoney: { network: 'MPESA', phoneNumber: '254710000000' },
    returnUrl: 'https://shop.test',
  }
  const counted = (call: HttpCall) => {
    calls.push(new URL(call.url).pathname)
    return http(call)
  }
  const tokensAsked = () => calls.filter((path) => path.endsWith('/generate')).length
  const push = () => {
    const baseUrl = simulator.providerUrl('mpesa')
    return mpesaConnector.create(contextWith({ baseUrl }, counted)).collect?.(attempt, details)
  }

  test('is fetched once for all connectors of the account, and again shortly before it expires', async () => {
    nowMs = Date.now()
    for (let time = 0; time < 3; time += 1) expect(await push()).toMatchObject({ kind: 'accepted' })
    expect(tokensAsked()).toBe(1)
    nowMs += 3_540_000
    expect(await push()).toMatchObject({ kind: 'accepted' })
    expect(tokensAsked()).toBe(2)
  })

  test('is renewed once if the gateway rejects it, and the prompt is sent once', async () => {
    const before = simulator.log({ provider: 'mpesa' }).length
    let isFirst = true
    const baseUrl = simulator.providerUrl('mpesa')
    const refusing = async (call: HttpCall): Promise<HttpResult> => {
      if (!isFirst || !call.url.includes('stkpush')) return counted(call)
      isFirst = false
      const body = JSON.stringify({ errorCode: '404.001.03', errorMessage: 'Invalid Access Token' })
      return { kind: 'answered', status: 404, headers: {}, body }
    }
    const outcome = await mpesaConnector
      .create(contextWith({ baseUrl }, refusing))
      .collect?.(attempt, details)
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(simulator.log({ provider: 'mpesa' })).toHaveLength(before + 1)
  })

  test('means that nothing was sent if it cannot be obtained', async () => {
    const down = contextWith({ baseUrl: 'http://127.0.0.1:9' }, async () => ({
      kind: 'unknown',
      reason: 'timeout',
    }))
    expect(await mpesaConnector.create(down).collect?.(attempt, details)).toMatchObject({ kind: 'not_sent' })
  })
})
