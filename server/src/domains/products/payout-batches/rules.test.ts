import { describe, expect, it } from 'vitest'
import {
  batchStatuses,
  canMove,
  duplicateMs,
  fingerprintOf,
  pausesBatch,
  progressOf,
  progressPollMs,
  rowsLimit,
  errorsLimit,
  rowStates,
} from './rules.ts'

describe('a batch', () => {
  it.each([
    ['awaiting_approval', 'awaiting_approval approved rejected canceled'],
    ['approved', 'sending paused canceled'],
    ['sending', 'paused completed canceled'],
    ['paused', 'sending canceled'],
    ['completed', ''],
    ['rejected', ''],
    ['canceled', ''],
  ] as const)('that is %s becomes %s and nothing else', (from, to) => {
    expect(batchStatuses.filter((status) => canMove(from, status)).toSorted()).toEqual(
      to
        .split(' ')
        .filter((status) => status !== '')
        .toSorted(),
    )
  })

  it.each([
    ['INSUFFICIENT_FUNDS', true],
    ['KYB_REQUIRED', true],
    ['BENEFICIARY_CHANGED', false],
    ['VALIDATION_ERROR', false],
  ])('%s pauses it: %s', (code, pauses) => {
    expect(pausesBatch(code)).toBe(pauses)
  })

  it('counts its rows and what became of their payments', () => {
    const rows = new Map([
      ['pending', 1],
      ['sent', 11],
      ['failed', 2],
      ['canceled', 3],
    ] as const)
    const payments = new Map([
      ['initiated', 1],
      ['reviewed', 1],
      ['confirmed', 1],
      ['processing', 1],
      ['pending', 1],
      ['completed', 1],
      ['failed', 1],
      ['rejected', 1],
      ['refunded', 1],
      ['canceled', 1],
    ] as const)
    expect(progressOf(rows, payments)).toEqual({
      pending: 1,
      inProgress: 5,
      completed: 1,
      failed: 5,
      canceled: 4,
    })
    expect(progressOf(new Map(), new Map())).toEqual({
      pending: 0,
      inProgress: 0,
      completed: 0,
      failed: 0,
      canceled: 0,
    })
  })

  it.each([
    [0, 1_000],
    [1_500, 1_500],
    [299_000, 299_000],
    [900_000, 300_000],
  ])('that was sent %d ms ago is asked about after %d ms', (agoMs, waitMs) => {
    const sentAt = new Date('2026-01-01T00:00:00Z')
    expect(progressPollMs(sentAt, new Date(sentAt.getTime() + agoMs))).toBe(waitMs)
  })
})

describe('the fingerprint of a batch', () => {
  const row = (clientReference: string, more: object = {}) => ({
    clientReference,
    beneficiaryId: 'aa',
    amount: { amountMinor: 100n, currency: 'NGN' },
    description: null,
    ...more,
  })
  const print = (...rows: ReturnType<typeof row>[]): string => fingerprintOf(rows).toString('hex')

  it('is the same for the same rows in any order and spelling', () => {
    const [a, b, c] = [row('a'), row('b'), row('c')]
    for (const rows of [
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ])
      expect(print(...rows)).toBe(print(a, b, c))
    expect(print(row('a', { beneficiaryId: 'AA' }))).toBe(print(a))
    expect(print(a)).toHaveLength(64)
  })

  it('stays what it was when it was stored', () => {
    expect(print(row('b'), row('a'))).toBe('670c4771223a325fd1848e13a2b7c69a3224cf9bffa72efae113cd441e612362')
  })

  it.each([
    ['another reference', { clientReference: 'b' }],
    ['another beneficiary', { beneficiaryId: 'ab' }],
    ['another amount', { amount: { amountMinor: 101n, currency: 'NGN' } }],
    ['another currency', { amount: { amountMinor: 100n, currency: 'GHS' } }],
    ['another description', { description: 'March' }],
  ])('differs with %s', (_name, more) => {
    expect(print(row('a', more))).not.toBe(print(row('a')))
  })
})

it('a batch has ten thousand rows at most, lists a hundred errors, and is compared with those of one day', () => {
  expect([rowsLimit, errorsLimit, duplicateMs]).toEqual([10_000, 100, 86_400_000])
  expect(rowStates).toEqual(['pending', 'sent', 'failed', 'canceled'])
  expect(batchStatuses[0]).toBe('awaiting_approval')
})
