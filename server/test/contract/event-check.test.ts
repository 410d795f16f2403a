import { describe, expect, it } from 'vitest'
import { isDescribed } from './event-check.ts'
import { notificationText } from '../worlds/notification-text.ts'

describe('the check of the stored events', () => {
  const rejected = (change: object): string =>
    JSON.stringify({
      org_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
      kyb_status: 'rejected',
      reason: null,
      can_resubmit: true,
      updated_at: '2026-11-01T10:00:00.000Z',
      sequence: 1,
      ...change,
    })

  it.each([
    ['a field that the schema lacks', 'kyb.rejected', rejected({ note: 'x' })],
    ['a missing field', 'kyb.rejected', rejected({ reason: undefined })],
    ['another value', 'kyb.rejected', rejected({ kyb_status: 'pending' })],
    [
      'another order of fields',
      'kyb.rejected',
      `{"sequence":1,${rejected({ sequence: undefined }).slice(1)}`,
    ],
    ['an amount without decimals', 'transaction.updated', notificationText('7')],
    ['an unknown type', 'kyb.unknown', rejected({})],
  ])('finds %s', (_, eventType, data) => {
    expect(isDescribed({ eventType, data })).toBe(false)
  })

  it.each([
    ['kyb.rejected', rejected({})],
    ['kyb.rejected', '{"test":true}'],
    ['transaction.updated', notificationText('7.00')],
  ])('accepts %s with %s', (eventType, data) => {
    expect(isDescribed({ eventType, data })).toBe(true)
  })
})
