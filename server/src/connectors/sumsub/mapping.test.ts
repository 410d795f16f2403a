import { describe, expect, it } from 'vitest'
import { readReply } from './client.ts'
import { alpha3, readMoment, toNews } from './mapping.ts'

const webhook = (change: object = {}): object => ({
  applicantId: '5cb744200a975a67ed1798a4',
  externalUserId: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
  type: 'applicantReviewed',
  createdAtMs: '2026-05-14 16:00:25.032',
  reviewResult: { reviewAnswer: 'GREEN' },
  ...change,
})

describe('a verification event', () => {
  it('contains the customer, the organisation, the time and a dedupe key', () => {
    expect(toNews(webhook())).toEqual({
      customerId: '5cb744200a975a67ed1798a4',
      orgId: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
      status: 'approved',
      reason: null,
      isFinal: false,
      at: new Date('2026-05-14T16:00:25.032Z'),
      dedupeKey: '5cb744200a975a67ed1798a4 applicantReviewed 2026-05-14T16:00:25.032Z',
    })
  })

  it.each([
    ['applicantCreated', 'pending'],
    ['applicantReset', 'pending'],
    ['applicantPending', 'in_review'],
    ['applicantOnHold', 'in_review'],
    ['applicantPersonalInfoChanged', undefined],
    ['applicantActionReviewed', undefined],
    ['somethingOfTomorrow', undefined],
  ])('%s means %s', (type, status) => {
    expect(toNews(webhook({ type }))?.status).toBe(status)
  })

  it.each([
    ['RETRY', false],
    ['FINAL', true],
    [undefined, false],
  ])('a rejection of type %s is final: %s', (reviewRejectType, isFinal) => {
    const reviewResult = {
      reviewAnswer: 'RED',
      reviewRejectType,
      moderationComment: 'Why.',
      clientComment: 'x',
    }
    expect(toNews(webhook({ reviewResult }))).toMatchObject({ status: 'rejected', isFinal, reason: 'Why.' })
  })

  it('a result that is neither green nor red decides nothing', () => {
    for (const reviewResult of [undefined, { reviewAnswer: 'YELLOW' }, { reviewAnswer: 'green' }])
      expect(toNews(webhook({ reviewResult }))).toBeUndefined()
  })

  it('an event without a time cannot be ordered, so it is ignored', () => {
    expect(toNews(webhook({ createdAtMs: undefined }))).toBeUndefined()
    expect(toNews(webhook({ createdAtMs: 'yesterday' }))).toBeUndefined()
  })
})

it.each([
  ['2021-05-14 16:00:25.032', '2021-05-14T16:00:25.032Z'],
  ['2021-05-14 16:00:25', '2021-05-14T16:00:25.000Z'],
  ['2021-05-14 16:00:25+0000', '2021-05-14T16:00:25.000Z'],
  ['2021-05-14T16:00:25.032Z', '2021-05-14T16:00:25.032Z'],
])('the time %s is %s', (text, expected) => {
  expect(readMoment(text)?.toISOString()).toBe(expected)
})

it('countries have three letters', () => {
  expect(['NG', 'GB', 'ZZ'].map(alpha3)).toEqual(['NGA', 'GBR', 'ZZ'])
})

it.each([
  [200, '{"id":"1"}', 'handled'],
  [200, '<html>', 'unavailable'],
  [400, '{"description":"no"}', 'refused'],
  [401, '{}', 'refused'],
  [409, '{}', 'refused'],
  [429, '{}', 'unavailable'],
  [500, '{}', 'unavailable'],
  [404, 'not json', 'unavailable'],
])('%i with %s is %s', (status, text, kind) => {
  expect(readReply(status, text).kind).toBe(kind)
})
