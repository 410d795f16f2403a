import { describe, expect, test } from 'vitest'
import { movementSchema } from './answers.ts'
import { amountOf, costOf, failureCodeOf, readMovement, readRefund, refusalOf } from './mapping.ts'

const movement = (more: object) => movementSchema.parse({ status: 'success', ...more })

describe('what Paystack charges', () => {
  test('is `fees` of a charge and `fee_charged` of a transfer, in its currency', () => {
    expect(costOf(movement({ fees: 150, currency: 'NGN' }))).toEqual({ amountMinor: 150n, currency: 'NGN' })
    expect(costOf(movement({ fee_charged: 25, currency: 'GHS' }))).toEqual({
      amountMinor: 25n,
      currency: 'GHS',
    })
  })

  test('is nothing if the payer bore it, and what is left if the payer bore a part', () => {
    const asked = { amount: 10_150, requested_amount: 10_000, currency: 'NGN' }
    expect(costOf(movement({ ...asked, fees: 150 }))).toBeUndefined()
    expect(costOf(movement({ ...asked, fees: 200 }))).toEqual({ amountMinor: 50n, currency: 'NGN' })
    expect(costOf(movement({ ...asked, fees: 100 }))).toEqual({ amountMinor: 100n, currency: 'NGN' })
  })

  test.each([
    ['a fee of one kobo that the payer bore', { amount: 10_001, fees: 1 }, 10_000n],
    ['one kobo too much, and no fee', { amount: 10_001, fees: null }, 10_001n],
    ['exactly what was asked for', { amount: 10_000, fees: 1 }, 10_000n],
  ])('leaves of %s', (_what, more, amountMinor) => {
    expect(amountOf(movement({ requested_amount: 10_000, currency: 'NGN', ...more }))).toEqual({
      amountMinor,
      currency: 'NGN',
    })
  })

  test.each([{}, { fees: 150 }, { fees: 0, currency: 'NGN' }, { fees: null, currency: 'NGN' }])(
    'is not known from %j',
    (more) => {
      expect(costOf(movement(more))).toBeUndefined()
    },
  )
})

test.each([
  [{ gateway_response: 'Insufficient funds' }, 'INSUFFICIENT_FUNDS'],
  [{ message: 'Insufficient funds' }, 'INSUFFICIENT_FUNDS'],
  [{ channel: 'card' }, 'CARD_DECLINED'],
  [{}, 'UNSPECIFIED'],
])('a failure with %j is %s', (more, code) => {
  expect(failureCodeOf(movement({ status: 'failed', ...more }))).toBe(code)
})

test('a refund that failed is read as such', () => {
  expect(readRefund({ id: 3, status: 'failed' })).toMatchObject({
    kind: 'accepted',
    providerRef: '3',
    state: { state: 'failed', failure: { code: 'UNSPECIFIED' } },
  })
})

test('a next action has a message only if Paystack sends one', () => {
  const read = readMovement({
    reference: 'ours',
    providerRef: null,
    direction: 'payin',
    method: 'mobile_money',
    country: 'GH',
    amount: { amountMinor: 15_000n, currency: 'GHS' },
    createdAt: new Date(),
  })
  expect(read({ status: 'send_otp', reference: 'ours' })?.nextAction).toStrictEqual({ type: 'collect_otp' })
  expect(read({ status: 'send_otp', reference: 'ours', display_text: 'Dial' })?.nextAction).toStrictEqual({
    type: 'collect_otp',
    message: 'Dial',
  })
})

test('a key that is refused is a refusal of the provider', () => {
  expect(refusalOf({ kind: 'refused', status: 401, words: [], data: null })).toMatchObject({
    kind: 'declined',
    failure: { code: 'PROVIDER_REFUSED' },
  })
})
