import { describe, expect, it } from 'vitest'
import type { RefundCost } from '../people-records.ts'
import { lostToRates } from './rates.ts'
import { evidence } from './testing.ts'

/** 100.00 GBP were exchanged to 200,000.00 NGN, and half of it goes back. */
const half: RefundCost = {
  paymentId: 'payment',
  origin: 'api',
  askedAtMs: 10,
  paidCurrency: 'GBP',
  paidMinor: 100_00,
  receivedMinor: 200_000_00,
  refundedMinor: 50_00,
  chargedCurrency: 'NGN',
  chargedMinor: 100_000_00,
}
const rates = [
  { atMs: 0, currency: 'GBP', perUsd: 0.8 },
  { atMs: 0, currency: 'NGN', perUsd: 1_600 },
  { atMs: 5, currency: 'NGN', perUsd: 2_400 },
  { atMs: 20, currency: 'NGN', perUsd: 1_600 },
]
const judged = (change: Partial<RefundCost>, aged: readonly string[] = []) =>
  lostToRates(evidence({ refundCosts: [{ ...half, ...change }] }), { rates, aged: new Set(aged) })

describe('on the first day', () => {
  it('a refund costs what the payment brought, whatever the market says', () => {
    expect(judged({})).toEqual([])
  })

  it('one that costs less is found', () => {
    expect(judged({ chargedMinor: 99_000_00 })).toMatchObject([{ judge: 'lost to a rate' }])
  })
})

describe('later', () => {
  it('a refund costs what it is worth when it is asked for', () => {
    expect(judged({ chargedMinor: 150_000_00 }, ['payment'])).toEqual([])
    expect(judged({ askedAtMs: 30 }, ['payment'])).toEqual([])
  })

  it('one at the rate of the payment is found when the market has moved', () => {
    expect(judged({}, ['payment'])).toMatchObject([{ judge: 'lost to a rate', subject: 'payment' }])
  })

  it('one that the provider made on its own costs what the payment brought', () => {
    expect(judged({ origin: 'provider' }, ['payment'])).toEqual([])
  })
})

it('currencies without a smaller unit are compared in their own', () => {
  const shillings = { chargedCurrency: 'UGX', receivedMinor: 460_000, chargedMinor: 230_000 }
  const own = [...rates, { atMs: 0, currency: 'UGX', perUsd: 3_680 }]
  const found = (chargedMinor: number) =>
    lostToRates(evidence({ refundCosts: [{ ...half, ...shillings, chargedMinor }] }), {
      rates: own,
      aged: new Set(['payment']),
    })
  expect(found(230_000)).toEqual([])
  expect(found(200_000)).toHaveLength(1)
})
