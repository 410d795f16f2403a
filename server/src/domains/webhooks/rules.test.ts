import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deliveryScheduleMs, eventBody, newSecret, nextDelayMs, signatureHeaders } from './rules.ts'

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
