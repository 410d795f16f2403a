import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError, OutcomeUnknown } from './api-error.ts'
import { AllProvidersFailed, Conflict, IdempotencyConflict } from './generated/errors.ts'
import { body, caught, initiated, json, lost, payment, refusal, stubbed } from './testing/stub-fetch.ts'

describe('retries', () => {
  it('wait exactly as scheduled, and share one key', async () => {
    for (const [random, expected] of [
      [0, [500, 500]],
      [0.5, [500, 750]],
      [1, [500, 1000]],
    ] as const) {
      const { client, sent, delays, log } = stubbed(
        [lost(), refusal(503, 'SERVICE_UNAVAILABLE'), initiated()],
        {},
        random,
      )
      await client.payments.initiate(body)
      expect(delays).toEqual(expected)
      expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
      expect(log.map(({ attempt, status }) => [attempt, status])).toEqual([
        [1, undefined],
        [2, 503],
        [3, 200],
      ])
    }
  })

  it('grow up to five seconds', async () => {
    const replies = [...Array.from({ length: 6 }, () => lost()), json(payment)]
    const { client, delays } = stubbed(replies, { maxRetries: 6 }, 1)
    await client.payments.get('p-1')
    expect(delays).toEqual([500, 1000, 2000, 4000, 5000, 5000])
  })

  it('honour Retry-After in seconds or as a date, up to a minute', async () => {
    const later = new Date(7_000).toUTCString()
    const limited = (value: string) => refusal(429, 'RATE_LIMITED', { 'retry-after': value })
    const { client, delays } = stubbed([limited('3'), limited(new Date(10_000).toUTCString()), json(payment)])
    await client.payments.get('p-1')
    expect([later.length, delays]).toEqual([later.length, [3000, 7000]])
    const { client: patient, sent } = stubbed([limited('61')])
    const error = await caught(patient.payments.get('p-1'))
    expect(error).toMatchObject({ name: 'RateLimited', retryAfterMs: 61_000 })
    expect(sent).toHaveLength(1)
  })

  it.each([400, 401, 403, 404, 409, 422, 500, 502])('are not made for %i', async (status) => {
    const { client, sent } = stubbed([refusal(status, 'X')])
    expect(await caught(client.payments.get('p-1'))).toMatchObject({
      status,
      code: 'X',
      requestId: 'request-1',
    })
    expect(sent).toHaveLength(1)
  })

  it('end with the options of the call, and with its signal', async () => {
    const { client, sent } = stubbed([lost()])
    await expect(client.payments.get('p-1', { maxRetries: 0 })).rejects.toBeInstanceOf(ConnectionError)
    expect(sent).toHaveLength(1)
    const reason = new Error('the user left')
    await expect(client.payments.get('p-1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('an unknown outcome', () => {
  const unknown = async (replies: Parameters<typeof stubbed>[0]) => {
    const { client, sent, delays } = stubbed(replies)
    const error = await caught(client.payments.initiate(body, { idempotencyKey: 'order-1' }))
    return { error, sent, delays }
  }

  it('is not an error of the payment: the connection was lost each time', async () => {
    const { error, sent } = await unknown([lost(), lost(), lost()])
    expect(error).toBeInstanceOf(OutcomeUnknown)
    expect(error).toMatchObject({ idempotencyKey: 'order-1', cause: { name: 'ConnectionError' } })
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      'order-1',
      'order-1',
      'order-1',
    ])
  })

  it('is known when the connection was never made', async () => {
    const { error } = await unknown([lost('ECONNREFUSED'), lost('ENOTFOUND'), lost('ECONNREFUSED')])
    expect(error).toBeInstanceOf(ConnectionError)
    expect((await unknown([lost(), lost('ECONNREFUSED'), lost('ECONNREFUSED')])).error).toBeInstanceOf(
      OutcomeUnknown,
    )
  })

  it.each([
    ['429', refusal(429, 'RATE_LIMITED')],
    ['401', refusal(401, 'UNAUTHORIZED')],
    ['503', refusal(503, 'SERVICE_UNAVAILABLE')],
  ])('stays unknown when a %s follows a lost connection', async (_name, last) => {
    const { error } = await unknown([lost(), lost(), last])
    expect(error).toBeInstanceOf(OutcomeUnknown)
  })

  it('is known after a lost connection when the key brings a definite answer', async () => {
    const { error } = await unknown([lost(), refusal(502, 'ALL_PROVIDERS_FAILED')])
    expect(error).toBeInstanceOf(AllProvidersFailed)
  })

  it('is unknown after 500, and after a proxy gave up', async () => {
    const gateway = new Response('<html>Bad Gateway</html>', { status: 502 })
    for (const reply of [refusal(500, 'INTERNAL_ERROR'), gateway])
      expect((await unknown([reply])).error).toBeInstanceOf(OutcomeUnknown)
    expect(
      (
        await unknown([
          refusal(503, 'SERVICE_UNAVAILABLE'),
          refusal(503, 'SERVICE_UNAVAILABLE'),
          refusal(503, 'SERVICE_UNAVAILABLE'),
        ])
      ).error,
    ).toBeInstanceOf(ApiError)
  })

  it('is waited for while the first call with the key runs, for half a minute', async () => {
    const running = () => refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '2' })
    const { client, delays } = stubbed([lost(), running(), running(), initiated()])
    await client.payments.initiate(body)
    expect(delays).toEqual([500, 2000, 2000])
    const { error, delays: all } = await unknown(Array.from({ length: 30 }, running))
    expect(error).toMatchObject({ name: 'OutcomeUnknown', idempotencyKey: 'order-1' })
    expect(all.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(30_000)
    expect(all.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(36_000)
  })

  it('is final when the key belongs to another body', async () => {
    const { error, sent } = await unknown([refusal(409, 'IDEMPOTENCY_CONFLICT')])
    expect([error instanceof IdempotencyConflict, error instanceof Conflict, sent.length]).toEqual([
      true,
      true,
      1,
    ])
  })
})
