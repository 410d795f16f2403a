import { describe, expect, it } from 'vitest'
import { matches } from './match-rule.ts'
import type { Conditions, PaymentFacts } from './record.ts'

const payment: PaymentFacts = {
  seed: 'payment 1',
  at: new Date('2026-03-01T22:30:00Z'),
  direction: 'payin',
  method: 'card',
  country: 'NG',
  source: { amountMinor: 100_050n, currency: 'NGN' },
  carried: { amountMinor: 100_050n, currency: 'NGN' },
  cardBrand: 'visa',
  issuerCountry: 'GB',
  network: null,
  metadata: { tier: 'gold', seats: 3, customer_type: 'business', deep: { tier: 'gold' } },
}

describe('a condition', () => {
  it.each<[Conditions, boolean]>([
    [{}, true],
    [{ direction: 'payin' }, true],
    [{ direction: 'payout' }, false],
    [{ method: ['bank_transfer', 'card'] }, true],
    [{ method: ['mobile_money'] }, false],
    [{ country: ['KE', 'NG'] }, true],
    [{ country: ['KE'] }, false],
    [{ currency: ['NGN'] }, true],
    [{ currency: ['KES'] }, false],
    [{ amount: { currency: 'NGN', min: 1000.5, max: 1000.5 } }, true],
    [{ amount: { currency: 'NGN', min: 1000.51 } }, false],
    [{ amount: { currency: 'NGN', max: 1000.49 } }, false],
    [{ amount: { currency: 'KES', min: 1 } }, false],
    [{ card_brand: ['visa'] }, true],
    [{ card_brand: ['mastercard'] }, false],
    [{ issuer_country: ['GB'] }, true],
    [{ issuer_country: ['NG'] }, false],
    [{ network: ['MTN'] }, false],
    [{ customer_type: ['business'] }, true],
    [{ customer_type: ['individual'] }, false],
    [{ metadata: { tier: 'gold' } }, true],
    [{ metadata: { tier: ['silver', 'gold'], seats: 3 } }, true],
    [{ metadata: { seats: '3' } }, false],
    [{ metadata: { deep: 'gold' } }, false],
    [{ metadata: { toString: 'x' } }, false],
    [{ time_of_day: { from: '22:00', to: '23:00', zone: 'UTC' } }, true],
    [{ time_of_day: { from: '22:31', to: '23:00', zone: 'UTC' } }, false],
    [{ time_of_day: { from: '20:00', to: '22:30', zone: 'UTC' } }, false],
    [{ time_of_day: { from: '23:00', to: '01:00', zone: 'Africa/Lagos' } }, true],
    [{ time_of_day: { from: '00:00', to: '23:00', zone: 'Africa/Lagos' } }, false],
    [{ direction: 'payin', country: ['KE'] }, false],
  ])('%j holds: %s', (when, expected) => {
    expect(matches(when, payment)).toBe(expected)
  })
})
