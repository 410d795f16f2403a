import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { toRate } from '../../../lib/money/decimal.ts'
import type { CallAnswer } from '../../../../test/app/test-app.ts'
import { cardPayin, openPayments, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { isProduct } from '../../pricing/rates/rules.ts'

const t = usePayments({ delayMs: untilSettled })

/** A card payin in dollars that is credited in naira, with `target` as the digits of target_amount. */
async function exchange(amount: string, target: string): Promise<CallAnswer> {
  const org = await openPayments(t)
  const path = '/v1/organizations/admin/exchange-rate?fromCurrency=USD&toCurrency=NGN'
  const { org_rate_id } = (await org.call('GET', path)).body.data
  const body = cardPayin({
    currency: 'USD',
    target_currency: 'NGN',
    org_rate_id,
    amount: 1,
    target_amount: 2,
  })
  const rawBody = JSON.stringify(body)
    .replace('"amount":1', `"amount":${amount}`)
    .replace('"target_amount":2', `"target_amount":${target}`)
  return t.call('POST', '/v1/payments-init/initiate', { as: org.credential, rawBody })
}

describe('target_amount at a rate of 1530.25', () => {
  it.each([
    ['the exact product', '10.01', '15317.8025'],
    ['the product rounded half-even', '10.01', '15317.80'],
    ['the product rounded up', '10.01', '15317.81'],
    ['the product of two floats', '10.01', '15317.802499999998'],
    ['the product with more digits than a double holds', '10.01', '15317.80250000000000000001'],
    ['one minor unit less', '10.01', '15317.7925'],
  ])('%s is accepted, and the payment has the product rounded half-even', async (_name, amount, target) => {
    const { status, body, text } = await exchange(amount, target)
    expect([status, body.code]).toEqual([200, undefined])
    expect(text).toContain('"target_amount":15317.80,')
  })

  it('a product that ends in half a minor unit is accepted with either neighbour', async () => {
    for (const target of ['15333.10', '15333.105', '15333.11'])
      expect((await exchange('10.02', target)).text).toContain('"target_amount":15333.10,')
  })

  it.each(['15317.82', '15317.7924', '10.01'])('%s is RATE_MISMATCH', async (target) => {
    const { status, body } = await exchange('10.01', target)
    expect([status, body.code]).toEqual([400, 'RATE_MISMATCH'])
  })
})

it('whatever the amount and the rate, the product and its two roundings are right, and two units are not', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.bigInt({ min: 1n, max: 10n ** 9n }),
      (minor, rateUnits) => {
        const source = { amountMinor: minor, currency: 'USD' }
        const rate = toRate(rateUnits.toString()).div(10_000)
        const product = toRate(minor.toString()).div(100).mul(rate)
        const terms = { source, rate, targetCurrency: 'NGN' }
        expect(isProduct(product, terms)).toBe(true)
        for (const rounding of [0, 1, 4, 6] as const)
          expect(isProduct(product.toDecimalPlaces(2, rounding), terms)).toBe(true)
        expect(isProduct(product.plus('0.02'), terms)).toBe(false)
        expect(isProduct(product.minus('0.02'), terms)).toBe(false)
      },
    ),
  )
})

it('an amount that the rate turns into less than one minor unit is refused', async () => {
  const org = await openPayments(t)
  const path = '/v1/organizations/admin/exchange-rate?fromCurrency=NGN&toCurrency=USD'
  const { org_rate_id } = (await org.call('GET', path)).body.data
  const pair = { currency: 'NGN', target_currency: 'USD', org_rate_id }
  const { status, body } = await org.initiate(cardPayin({ ...pair, amount: 1, target_amount: 0.01 }))
  expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
})
