import { describe, expect, it } from 'vitest'
import { forcedKinds, isForced, shortfallOf } from './available.ts'
import { isBelowZero } from './guarded.ts'

describe('what a provider has already done', () => {
  it.each([
    'payout.late',
    'fee.late',
    'payin.reversed',
    'payin.reversed.fx',
    'refund.elsewhere',
    'refund.elsewhere.fx',
    'refund.excess',
    'dispute.',
    'dispute.lost',
  ])('is never refused: %s', (kind) => {
    expect(isForced(kind)).toBe(true)
  })

  it.each([
    'payout.hold',
    'payout.late.x',
    'x.payout.late',
    'fee',
    'refund',
    'refund.excess.x',
    'disputes',
    '',
  ])('is not a debit that we begin: %s', (kind) => {
    expect(isForced(kind)).toBe(false)
  })

  it('is a short list', () => {
    expect(forcedKinds).toHaveLength(6)
  })
})

const failedWith = (fields: object): Error => Object.assign(new Error('refused'), fields)

describe('a refusal of the database', () => {
  const detail = JSON.stringify({ remaining: '-501', limit: '500' })

  it('says what was missing', () => {
    expect(shortfallOf(failedWith({ code: 'SY010', detail }))).toEqual({
      remainingMinor: -501n,
      creditLimitMinor: 500n,
    })
  })

  it('for another reason is no shortfall', () => {
    expect(shortfallOf(failedWith({ code: 'SY011', detail }))).toBeUndefined()
    expect(shortfallOf(failedWith({ code: 'SY010' }))).toBeUndefined()
    expect(shortfallOf(failedWith({ detail }))).toBeUndefined()
    expect(shortfallOf({ code: 'SY010', detail })).toBeUndefined()
    expect(shortfallOf(undefined)).toBeUndefined()
  })

  it('is about a guarded account when its constraint says so', () => {
    expect(isBelowZero(failedWith({ constraint: 'guarded_balances_not_below_zero' }))).toBe(true)
    expect(isBelowZero(failedWith({ constraint: 'guarded_balances_pkey' }))).toBe(false)
    expect(isBelowZero(failedWith({}))).toBe(false)
    expect(isBelowZero({ constraint: 'guarded_balances_not_below_zero' })).toBe(false)
  })
})
