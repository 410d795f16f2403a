import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { newSecret, signatureHeaders } from '@switchyard/server/domains/events/webhooks/rules.ts'
import type { PaymentCompletedEvent } from './generated/events.ts'
import { WebhookVerificationError } from './verify-webhook.ts'
import { constructEvent, signTestWebhook, type SwitchyardEvent } from './webhooks.ts'
import { stubbed } from './testing/stub-fetch.ts'

const secret = newSecret()
const at = new Date('2026-03-01T09:30:00Z')
const event = (data: string, type = 'payment.completed'): string =>
  `{"event_id":"e-1","event_type":"${type}","org_id":"o","created_at":"${at.toISOString()}","data":${data}}`
const sign = (body: string, current = secret) =>
  signatureHeaders({ current, previous: undefined }, { eventId: 'e-1', body, attempt: 1, at })

describe('constructEvent', () => {
  it('returns what the server signed, with decimals as text and other numbers as numbers', () => {
    const body = event('{"payment_id":"p-1","amount":1500.10,"sequence":3,"metadata":{"price":2.50}}')
    const { webhooks } = stubbed([]).client
    const read = webhooks.constructEvent(body, sign(body), secret, { now: at })
    expect(read.data).toEqual({
      payment_id: 'p-1',
      amount: '1500.10',
      sequence: 3,
      metadata: { price: 2.5 },
    })
  })

  it('takes either of two secrets, and neither of two others', () => {
    const body = event('{}')
    const next = newSecret()
    for (const secrets of [[next, secret], [secret, next], [secret]])
      expect(constructEvent(body, sign(body), secrets, { now: at }).event_id).toBe('e-1')
    expect(() => constructEvent(body, sign(body), [next, newSecret()], { now: at })).toThrow(
      WebhookVerificationError,
    )
    expect(() => constructEvent(body, sign(body), [], { now: at })).toThrow(WebhookVerificationError)
  })

  it('holds the timestamp against a tolerance', () => {
    const body = event('{}')
    const late = new Date(at.getTime() + 301_000)
    expect(() => constructEvent(body, sign(body), secret, { now: late })).toThrow('too far from now')
    const patient = { now: late, toleranceSeconds: 600 }
    expect(constructEvent(body, sign(body), secret, patient).event_id).toBe('e-1')
  })

  it('passes on an event that is newer than this version', () => {
    const body = event('{"amount":1500.00,"count":2}', 'moon.landed')
    const read = constructEvent(body, sign(body), secret, { now: at })
    expect(read).toEqual({
      event_id: 'e-1',
      event_type: 'unknown',
      original_type: 'moon.landed',
      org_id: 'o',
      created_at: at.toISOString(),
      data: { amount: '1500.00', count: 2 },
    })
    const odd = event('{"amount":1.50}', 'constructor')
    expect(constructEvent(odd, sign(odd), secret, { now: at }).data).toEqual({ amount: '1.50' })
  })

  it('narrows by the type of the event', () => {
    const handle = (given: SwitchyardEvent): void => {
      if (given.event_type !== 'payment.completed') return
      expectTypeOf(given).toEqualTypeOf<PaymentCompletedEvent>()
      expectTypeOf(given.data.payment_id).toEqualTypeOf<string>()
      expectTypeOf(given.data.test).toEqualTypeOf<true | undefined>()
      expectTypeOf(given.data.amount).toEqualTypeOf<string>()
    }
    expect(handle).toBeTypeOf('function')
  })
})

describe('signTestWebhook', () => {
  it('signs like the server, header for header', () => {
    const { body, headers } = signTestWebhook(
      { event_id: 'e-1', event_type: 'payment.completed', data: { amount: '1500.00' } },
      secret,
      { at },
    )
    expect(body).toContain('"data":{"amount":1500.00}')
    const { 'content-type': type, ...signatures } = headers
    expect([type, signatures]).toEqual(['application/json', sign(body)])
    expect(constructEvent(body, headers, secret, { now: at }).data).toEqual({ amount: '1500.00' })
  })
})

it('no file of the package imports a module of Node or another package', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'),
  )
  expect(files.length).toBeGreaterThan(20)
  const imports = files.flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g)].map(
      (match) => match[1] ?? '',
    ),
  )
  expect(imports.filter((specifier) => !/^\.{1,2}\/.*\.ts$/.test(specifier))).toEqual([])
})
