import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  deliveryScheduleMs,
  disableAfterMs,
  eventBody,
  newSecret,
  nextDelayMs,
  secretContext,
  secretOverlapMs,
  signatureHeaders,
  webhookServiceName,
} from './rules.ts'

describe('the delay', () => {
  it('is never shorter than the schedule and never more than a tenth longer, and exact before the fifth attempt', () => {
    const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), chances, (attempts, chance) => {
        const planned = deliveryScheduleMs[attempts] ?? Number.NaN
        const delay = nextDelayMs(deliveryScheduleMs, attempts, chance) ?? Number.NaN
        expect(delay).toBeGreaterThanOrEqual(planned)
        expect(delay).toBeLessThanOrEqual(attempts < 4 ? planned : planned * 1.1)
      }),
    )
  })

  it('is exact for the fourth attempt and has jitter for the fifth', () => {
    expect(nextDelayMs(deliveryScheduleMs, 3, 0.5)).toBe(30 * 60_000)
    expect(nextDelayMs(deliveryScheduleMs, 4, 0.5)).toBe(1.05 * 2 * 60 * 60_000)
  })

  it('grows from nothing to a day over eight attempts', () => {
    const hours = (count: number): number => count * 60 * 60_000
    expect(deliveryScheduleMs).toEqual([
      0,
      60_000,
      5 * 60_000,
      30 * 60_000,
      hours(2),
      hours(6),
      hours(12),
      hours(24),
    ])
    expect([disableAfterMs, secretOverlapMs]).toEqual([hours(5 * 24), hours(24)])
  })

  it('is a whole number of milliseconds', () => {
    expect(nextDelayMs([0, 0, 0, 0, 33], 4, 0.5)).toBe(35)
  })

  it('is undefined after the last attempt', () => {
    expect(nextDelayMs(deliveryScheduleMs, 8, 0)).toBeUndefined()
  })
})

describe('the signature', () => {
  const at = new Date('2026-11-01T10:00:00.900Z')

  it('is the hex digest of the body under the whole secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        const secret = newSecret()
        const headers = signatureHeaders(
          { current: secret, previous: undefined },
          { eventId: 'e', body, attempt: 1, at },
        )
        expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
      }),
    )
  })

  it('has two standard signatures while two secrets are valid, the new one first', () => {
    const secrets = { current: newSecret(), previous: newSecret() }
    const signable = { eventId: 'e', body: '{}', attempt: 1, at }
    const alone = (current: string): string | undefined =>
      signatureHeaders({ current, previous: undefined }, signable)['webhook-signature']
    expect(signatureHeaders(secrets, signable)['webhook-signature']).toBe(
      `${alone(secrets.current)} ${alone(secrets.previous)}`,
    )
  })

  it('carries the time of the attempt in whole seconds', () => {
    const headers = signatureHeaders(
      { current: newSecret(), previous: undefined },
      { eventId: 'e', body: '', attempt: 3, at },
    )
    expect(headers).toMatchObject({
      'webhook-timestamp': '1793527200',
      'x-service-timestamp': '1793527200',
      'x-service-attempt': '3',
    })
  })
})

describe('a secret', () => {
  it('is 32 random bytes in base64 behind the prefix of Standard Webhooks', () => {
    const [one, other] = [newSecret(), newSecret()]
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(one).not.toBe(other)
  })

  it('is sealed for its endpoint', () => {
    expect(secretContext('w1')).toBe('webhook w1')
    expect(webhookServiceName).toBe('Webhooks')
  })
})

describe('all headers', () => {
  it('are those of the specification and of Standard Webhooks, the same for the same secrets', () => {
    const secrets = { current: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, previous: undefined }
    const signable = { eventId: 'e', body: '{}', attempt: 2, at: new Date('2026-11-01T10:00:00.900Z') }
    const standard = createHmac('sha256', Buffer.alloc(32, 1)).update('e.1793527200.{}').digest('base64')
    const headers = {
      'x-service-signature': createHmac('sha256', secrets.current).update('{}').digest('hex'),
      'x-service-event-id': 'e',
      'x-service-timestamp': '1793527200',
      'x-service-attempt': '2',
      'webhook-id': 'e',
      'webhook-timestamp': '1793527200',
      'webhook-signature': `v1,${standard}`,
    }
    expect(signatureHeaders(secrets, signable)).toEqual(headers)
    expect(signatureHeaders(secrets, signable)).toEqual(headers)
  })
})

describe('the body', () => {
  it('has the fields of the specification in a fixed order, and the stored data unchanged', () => {
    const event = {
      eventId: 'e',
      eventType: 'payment.completed',
      orgId: 'o',
      createdAt: new Date(0),
      data: '{"amount":1.50}',
    }
    expect(eventBody(event)).toBe(
      '{"event_id":"e","event_type":"payment.completed","org_id":"o","created_at":"1970-01-01T00:00:00.000Z","data":{"amount":1.50}}',
    )
  })
})
