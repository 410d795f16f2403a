import { describe, expect, test } from 'vitest'
import type { Inquiry } from '../../../connectors/kit/connector.ts'
import { neverReceived, readInquiry, type InquirySubject } from './read-inquiry.ts'

const windowMs = 60_000
const createdAt = new Date('2026-01-01T00:00:00Z')
const afterWindow = new Date(createdAt.getTime() + windowMs)
const asked: InquirySubject = { state: 'unknown', createdAt, notFoundCount: 1 }
const rule = { now: afterWindow, notFoundFinalAfterMs: windowMs, isScheduled: true }
const notFound: Inquiry = { kind: 'not_found' }

describe('not found', () => {
  test('is final the second time, after the window, where the connector says so', () => {
    expect(readInquiry(notFound, asked, rule)).toEqual({ fact: neverReceived, notFoundCount: 2 })
  })

  test.each<
    [string, Partial<InquirySubject>, Partial<typeof rule> & { notFoundFinalAfterMs?: number | undefined }]
  >([
    ['the first time', { notFoundCount: 0 }, {}],
    ['before the window ends', {}, { now: new Date(afterWindow.getTime() - 1) }],
    ['where the connector does not say so', {}, { notFoundFinalAfterMs: undefined }],
    ['while it may still be sent', { state: 'sending' }, {}],
    ['once the provider has taken it', { state: 'accepted' }, {}],
  ])('means nothing %s', (_case, change, otherRule) => {
    const { fact, notFoundCount } = readInquiry(notFound, { ...asked, ...change }, { ...rule, ...otherRule })
    expect(fact).toBeUndefined()
    expect(notFoundCount).toBe((change.notFoundCount ?? asked.notFoundCount) + 1)
  })
})

test('not found means nothing outside the schedule, however often a page asks', () => {
  const outside = { ...rule, isScheduled: false }
  expect(readInquiry(notFound, asked, outside)).toEqual({ fact: undefined, notFoundCount: 1 })
})

test('an answer is the fact, and ends the count', () => {
  const accepted: Inquiry = {
    kind: 'accepted',
    providerRef: 'ref',
    providerStatus: 'PAID',
    state: { state: 'completed' },
  }
  expect(readInquiry(accepted, asked, rule)).toEqual({ fact: accepted, notFoundCount: 0 })
})

test('a failed inquiry is no fact, and resets the count', () => {
  const failed: Inquiry = { kind: 'unknown', reason: 'no answer' }
  expect(readInquiry(failed, asked, rule)).toEqual({ fact: undefined, notFoundCount: 0 })
})

test('what was never received says so', () => {
  expect(neverReceived).toEqual({ kind: 'not_sent', reason: 'the provider never received it' })
})
