import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Switchyard } from './client.ts'
import { AllProvidersFailed, Forbidden, KybRequired } from './generated/errors.ts'
import {
  body,
  caught,
  initiated,
  json,
  lost,
  payment,
  plantedKey,
  refusal,
  stubbed,
} from './testing/stub-fetch.ts'

describe('a request', () => {
  it('has both credential headers, and a POST a key and exact digits', async () => {
    const { client, sent } = stubbed([initiated()])
    const result = await client.payments.initiate(body)
    expect(result.payment_data.amount).toBe('1500.00')
    expect([sent[0]?.method, sent[0]?.url]).toEqual([
      'POST',
      'https://pay.example.com/v1/payments-init/initiate',
    ])
    expect(sent[0]?.body).toContain('"amount":1500.00,"target_amount":1500,')
    const headers = Object.fromEntries(sent[0]?.headers ?? [])
    expect(headers).toMatchObject({
      authorization: 'NONE',
      'x-api-key': plantedKey,
      'content-type': 'application/json',
      accept: 'application/json',
    })
    expect(headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  })

  it('with an access token asks for it each time and sends no API key', async () => {
    const tokens = ['one', 'two']
    const accessToken = () => tokens.shift() ?? ''
    const replies = [refusal(503, 'SERVICE_UNAVAILABLE'), json(payment)]
    const { client, sent } = stubbed(replies, { apiKey: undefined, accessToken })
    await client.payments.get('p-1')
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer one', 'Bearer two'])
    expect(sent[0]?.headers.get('x-api-key')).toBe('NONE')
    expect(sent[0]?.headers.get('idempotency-key')).toBeNull()
  })

  it('puts arguments into path and query, and refuses ids that are another path', async () => {
    const { client, sent } = stubbed([json(payment), json({ data: [], meta: {} }), json({ data: {} })])
    await client.payments.get('a/b?c')
    const at = new Date(0).toISOString()
    await client.transactions.list({ status: 'failed', from: at, limit: 5 }).firstPage()
    await client.fees.quote({
      direction: 'payin',
      payment_method: 'card',
      country: 'NG',
      currency: 'NGN',
      amount: '10.50',
    })
    expect(sent.map(({ url }) => url.replace('https://pay.example.com', ''))).toEqual([
      '/v1/payments/a%2Fb%3Fc',
      '/v1/transactions?status=failed&from=1970-01-01T00%3A00%3A00.000Z&limit=5',
      '/v1/fees/quote?direction=payin&payment_method=card&country=NG&currency=NGN&amount=10.50',
    ])
    for (const id of ['', '.', '..']) await expect(client.payments.get(id)).rejects.toThrow('payment_id is')
    expect(sent).toHaveLength(3)
  })

  it('is never sent when an amount has lost digits', async () => {
    const { client, sent } = stubbed([])
    await expect(client.payments.initiate({ ...body, amount: 0.1 + 0.2 })).rejects.toThrow(
      'amount is the number',
    )
    expect(sent).toEqual([])
  })

  it('withResponse has the status, the headers and the request id', async () => {
    const { client } = stubbed([json(payment, 200, { 'x-extra': 'yes' })])
    const { data, status, headers, requestId } = await client.payments.get('p-1').withResponse()
    expect([data.payment_id, status, headers.get('x-extra'), requestId]).toEqual([
      'p-1',
      200,
      'yes',
      'request-1',
    ])
  })

  it('does not follow a redirect, which would carry the key to another host', async () => {
    const { client, sent } = stubbed([
      new Response(null, { status: 307, headers: { location: 'https://evil.example' } }),
    ])
    await expect(client.payments.get('p-1')).rejects.toThrow('redirected')
    expect(sent).toHaveLength(1)
  })
})

describe('errors', () => {
  it('have the class of their code, its parents, and the fields of the body', async () => {
    const failed = json(
      {
        error: 'Bad Gateway',
        message: 'No provider took it.',
        code: 'ALL_PROVIDERS_FAILED',
        payment_id: 'p-1',
        failure: { code: 'DECLINED', message: 'The bank declined.' },
        details: [{ path: 'amount', message: 'is odd' }],
        request_id: 'r-9',
      },
      502,
    )
    const error = await caught(stubbed([failed]).client.payments.initiate(body))
    expect(error).toBeInstanceOf(AllProvidersFailed)
    expect(error).toMatchObject({
      name: 'AllProvidersFailed',
      status: 502,
      message: 'No provider took it.',
      paymentId: 'p-1',
      requestId: 'r-9',
      failure: { code: 'DECLINED' },
      details: [{ path: 'amount', message: 'is odd' }],
    })
    const kyb = await caught(stubbed([refusal(403, 'KYB_REQUIRED')]).client.payments.get('p-1'))
    expect([kyb instanceof KybRequired, kyb instanceof Forbidden]).toEqual([true, true])
    const future = await caught(stubbed([refusal(418, 'NEW_CODE')]).client.payments.get('p-1'))
    expect(future).toMatchObject({ name: 'ApiError', code: 'NEW_CODE', status: 418 })
  })

  it('have a stack that starts at the caller', async () => {
    async function myOwnFunction(): Promise<unknown> {
      return await stubbed([refusal(404, 'NOT_FOUND')]).client.payments.get('p-1')
    }
    const error = await caught(myOwnFunction())
    const [first, second] = (error as Error).stack?.split('\n') ?? []
    expect(first).toBe('NotFound: It says NOT_FOUND.')
    expect(second).toContain('myOwnFunction')
  })
})

describe('the key', () => {
  it('is in no message, log, inspection or serialisation', async () => {
    const seen: unknown[] = []
    for (const replies of [[lost(), lost(), lost()], [refusal(401, 'UNAUTHORIZED')], [json(payment)]]) {
      const { client, log, sent } = stubbed(replies)
      seen.push(await caught(client.payments.initiate(body)), client, client.payments, log)
      expect(sent[0]?.headers.get('x-api-key')).toBe(plantedKey)
    }
    for (const value of seen) {
      const depth = { depth: Infinity, showHidden: true }
      expect(inspect(value, depth)).not.toContain(plantedKey)
      expect(inspect(value, { ...depth, customInspect: false })).not.toContain(plantedKey)
      expect(JSON.stringify(value)).not.toContain(plantedKey)
      expect(String(value)).not.toContain(plantedKey)
    }
    expect(inspect(stubbed([]).client)).toBe('Switchyard { baseUrl: "https://pay.example.com" }')
  })

  it('is not quoted when it cannot be sent', () => {
    const make = (apiKey: string): unknown => new Switchyard({ baseUrl: 'https://pay.example.com', apiKey })
    for (const key of [`${plantedKey}\n`, `${plantedKey} x`, '']) {
      expect(() => make(key)).toThrow('apiKey must consist of visible ASCII characters')
      expect(() => make(key)).not.toThrow(plantedKey)
    }
    const withPassword = { baseUrl: `https://user:${plantedKey}@pay.example.com`, apiKey: 'k' }
    expect(() => new Switchyard(withPassword)).toThrow('baseUrl must be')
    expect(() => new Switchyard(withPassword)).not.toThrow(plantedKey)
  })
})

it('request reaches what this version has no method for', async () => {
  const { client, sent } = stubbed([json('{"data":{"amount":10.00,"count":1}}')])
  expect(await client.request('post', '/v1/new-things', { query: { a: 1 }, body: { b: 2 } })).toEqual({
    data: { amount: '10.00', count: 1 },
  })
  expect([sent[0]?.method, sent[0]?.url, sent[0]?.body]).toEqual([
    'POST',
    'https://pay.example.com/v1/new-things?a=1',
    '{"b":2}',
  ])
})
