import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt } from '../kit/connector.ts'
import type { Direction } from '../kit/state.ts'
import { readReply, type RefusedReply } from '../kit/replies.ts'
import { envelopeOf } from './client.ts'
import {
  chargeWords,
  inquiryOf,
  outcomeOf,
  readMovement,
  readRefund,
  refundWords,
  refusalOf,
  stateOf,
  transferWords,
} from './mapping.ts'

const reference = '5e9a3c0e-7d55-4c3e-9a55-0d1f4d3b8a11'

const attemptOf = (direction: Direction): Attempt => ({
  reference,
  providerRef: null,
  direction,
  method: 'mobile_money',
  country: 'GH',
  amount: { amountMinor: 15_000n, currency: 'GHS' },
  createdAt: new Date(),
})
const read = readMovement(attemptOf('payin'))
const handled = (data: unknown) => ({ kind: 'handled', data, meta: null }) as const
const refused = (status: number, ...words: string[]): RefusedReply => ({
  kind: 'refused',
  status,
  words,
  data: undefined,
})

describe('states', () => {
  test.each([
    ['charge', chargeWords],
    ['transfer', transferWords],
    ['refund', refundWords],
  ])('every status of a %s maps to the state of its row', (_what, words) => {
    for (const state of ['pending', 'processing', 'completed'] as const) {
      for (const word of words[state]) expect(stateOf(words, word)).toEqual({ state })
    }
    for (const word of words.failed) {
      expect(stateOf(words, word, 'EXPIRED')).toMatchObject({ state: 'failed', failure: { code: 'EXPIRED' } })
    }
    for (const word of words.reversed) {
      expect(stateOf(words, word)).toMatchObject({ state: 'failed', failure: { code: 'REVERSED' } })
    }
    const all = Object.values(words).flat()
    expect(new Set(all).size).toBe(all.length)
  })

  test('all documented statuses are mapped', () => {
    const charge = 'abandoned failed ongoing pay_offline pending pending_bank_transfer processing queued'
    expect(Object.values(chargeWords).flat().toSorted()).toEqual(
      [...charge.split(' '), 'reversed', 'send_otp', 'success', 'timeout'].toSorted(),
    )
    const transfer = 'pending received otp success failed reversed abandoned blocked rejected'
    expect(Object.values(transferWords).flat().toSorted()).toEqual(transfer.split(' ').toSorted())
    const refund = 'pending processing processed failed needs-attention'
    expect(Object.values(refundWords).flat().toSorted()).toEqual(refund.split(' ').toSorted())
  })

  test.each(['', 'an_unknown_status', 'constructor', '__proto__', 'toString', 'Success'])(
    'the unknown status %j is never final',
    (word) => {
      for (const words of [chargeWords, transferWords, refundWords]) {
        expect(stateOf(words, word)).toEqual({ state: 'pending' })
      }
    },
  )
})

describe('the customer’s next step', () => {
  test.each([
    [
      { status: 'pay_offline', display_text: 'Look at your phone' },
      { type: 'wait', message: 'Look at your phone' },
    ],
    [{ status: 'pay_offline' }, { type: 'wait' }],
    [
      { status: 'send_otp', display_text: 'Dial *110#' },
      { type: 'collect_otp', message: 'Dial *110#' },
    ],
    [{ status: 'pending' }, { type: 'check_status' }],
    [
      {
        status: 'pending_bank_transfer',
        account_name: 'PAYSTACK CHECKOUT',
        account_number: '0012345678',
        bank: { name: 'Test Bank', slug: 'test-bank', id: 24 },
        account_expires_at: '2030-01-01T00:00:00.000Z',
      },
      {
        type: 'bank_transfer',
        instructions: {
          account_name: 'PAYSTACK CHECKOUT',
          account_number: '0012345678',
          bank_name: 'Test Bank',
          expires_at: '2030-01-01T00:00:00.000Z',
        },
      },
    ],
    [{ status: 'pending_bank_transfer' }, undefined],
    [{ status: 'ongoing' }, undefined],
    [{ status: 'abandoned' }, undefined],
    [{ status: 'success' }, undefined],
  ])('%j', (data, nextAction) => {
    expect(read(data)?.nextAction).toEqual(nextAction)
  })

  test.each([
    ['otp', 'pending'],
    ['pending', 'processing'],
  ])('a transfer in %s has no next action', (status, state) => {
    const accepted = readMovement(attemptOf('payout'))({ status, transfer_code: 'TRF_1' })
    expect(accepted).toMatchObject({ state: { state }, providerRef: 'TRF_1', providerStatus: status })
    expect(accepted?.nextAction).toBeUndefined()
  })
})

describe('a success', () => {
  test.each([
    ['as asked for', { amount: 15_000, currency: 'GHS', reference }, 'accepted'],
    ['with fees that the customer bears', { amount: 15_225, currency: 'GHS', reference }, 'accepted'],
    ['without an amount', { currency: 'GHS', reference }, 'unknown'],
    ['without a currency', { amount: 15_000, reference }, 'unknown'],
    ['of another payment', { amount: 15_000, currency: 'GHS', reference: 'another' }, 'unknown'],
    ['of an amount that is none', { amount: -1 }, 'unknown'],
  ])('%s', (_what, more, kind) => {
    const reply = handled({ status: 'success', id: 7, ...more })
    expect(inquiryOf(reply, read).kind).toBe(kind)
    expect(outcomeOf(reply, read).kind).toBe(kind)
  })

  test.each([
    ['of less', { amount: 14_999, currency: 'GHS' }, { amountMinor: 14_999n, currency: 'GHS' }],
    ['in other money', { amount: 15_000, currency: 'NGN' }, { amountMinor: 15_000n, currency: 'NGN' }],
    ['with fees on top', { amount: 15_225, currency: 'GHS' }, { amountMinor: 15_000n, currency: 'GHS' }],
  ])('%s reports the moved amount', (_what, more, amount) => {
    const reply = handled({ status: 'success', id: 7, reference, ...more })
    expect(inquiryOf(reply, read)).toMatchObject({ kind: 'accepted', amount })
  })
})

describe('the failure of a charge', () => {
  test.each([
    ['Insufficient Funds', 'INSUFFICIENT_FUNDS'],
    ['Incorrect OTP too many times', 'AUTHENTICATION_FAILED'],
    ['Expired Card', 'CARD_EXPIRED'],
    ['Transaction timed out', 'EXPIRED'],
    ['The customer did not authorize the payment', 'NOT_APPROVED'],
    ['Cancelled by the customer', 'NOT_APPROVED'],
    ['Suspected Fraud', 'SUSPECTED_FRAUD'],
    ['Channel unavailable', 'PROVIDER_UNAVAILABLE'],
    ['Declined', 'UNSPECIFIED'],
    ['', 'UNSPECIFIED'],
  ])('%j', (gateway_response, code) => {
    const state = { state: 'failed', failure: { code } }
    expect(read({ status: 'failed', gateway_response })).toMatchObject({ state })
    expect(outcomeOf(handled({ status: 'failed', gateway_response }), read)).toMatchObject({
      kind: 'declined',
      failure: { code },
      fallback: false,
    })
  })

  test('a card that is declined without a reason', () => {
    const state = { state: 'failed', failure: { code: 'CARD_DECLINED' } }
    expect(read({ status: 'failed', channel: 'card', gateway_response: 'Do not honour' })).toMatchObject({
      state,
    })
  })

  test('an expired charge', () => {
    expect(read({ status: 'timeout' })).toMatchObject({ state: { failure: { code: 'EXPIRED' } } })
  })
})

describe('refusals', () => {
  test.each([
    ['Your balance is not enough to fulfill this request', 'PROVIDER_OUT_OF_FUNDS', true],
    ['This payment channel is currently unavailable', 'PROVIDER_UNAVAILABLE', true],
    ['Transfers to this account have been disabled', 'ACCOUNT_INVALID', false],
    ['Account number is invalid', 'ACCOUNT_INVALID', false],
    ['Invalid phone number', 'ACCOUNT_INVALID', false],
    ['Transaction has been fully reversed', 'NOT_REFUNDABLE', false],
    ['Refund amount cannot be more than what is left', 'NOT_REFUNDABLE', false],
    ['Currency not supported by merchant', 'CURRENCY_NOT_SUPPORTED', true],
    ['Invalid Amount Sent', 'AMOUNT_NOT_ALLOWED', true],
    ['Bank code is invalid', 'NETWORK_NOT_SUPPORTED', true],
    ['Invalid mobile money provider', 'NETWORK_NOT_SUPPORTED', true],
    ['Something else', 'PROVIDER_REFUSED', true],
  ])('%j is a decline', (message, code, fallback) => {
    const expected = { kind: 'declined', failure: { code, message: expect.any(String) }, fallback }
    expect(refusalOf(refused(400, 'validation_error', 'a_code', message))).toEqual(expected)
    // The generic error in Paystack's OpenAPI file swaps type and code.
    expect(refusalOf(refused(422, 'a_code', 'validation_error', message))).toEqual(expected)
  })

  test.each([
    [refused(401, '', '', 'Invalid key'), 'declined'],
    [refused(404, '', '', 'Recipient not found'), 'declined'],
    [refused(400, '', '', 'no type at all'), 'unknown'],
    [refused(403, '', '', 'no type at all'), 'unknown'],
    [refused(429, '', '', 'Too many requests'), 'unknown'],
    [refused(409, 'validation_error', '', ''), 'unknown'],
    [refused(400, 'processor_error', '', 'unavailable'), 'unknown'],
    [refused(400, 'api_error', '', 'unavailable'), 'unknown'],
    [refused(404, 'api_error', '', ''), 'unknown'],
    [refused(400, 'api_error', '', 'Your balance is not enough to fulfill this request'), 'declined'],
    [refused(400, 'validation_error', 'duplicate_reference', 'Duplicate Transaction Reference'), 'unknown'],
    [refused(400, 'validation_error', '', 'This reference has already been used on a transfer'), 'unknown'],
    [refused(400, 'validation_error', '', 'Please provide a unique reference'), 'unknown'],
  ])('%j', (reply, kind) => {
    expect(refusalOf(reply).kind).toBe(kind)
  })

  test('a refusal that carries a failed charge is a decline for the charge’s reason', () => {
    const data = { status: 'failed', gateway_response: 'Insufficient Funds' }
    expect(outcomeOf({ ...refused(400, '', '', 'Charge attempted'), data }, read)).toMatchObject({
      kind: 'declined',
      failure: { code: 'INSUFFICIENT_FUNDS' },
    })
  })

  test('no refusal repeats the provider’s text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), fc.constantFrom(400, 401, 404, 409, 422), (text, status) => {
        const message = `«${text}»`
        const told = JSON.stringify(refusalOf(refused(status, 'validation_error', 'a_code', message)))
        expect(told).not.toContain(message)
      }),
    )
  })
})

describe('inquiries', () => {
  test.each([
    [refused(404, '', '', 'Entity not found'), 'not_found'],
    [refused(400, 'validation_error', 'transaction_not_found', ''), 'not_found'],
    [refused(400, '', '', 'Transaction reference not found'), 'not_found'],
    [refused(400, '', '', 'Transfer not found'), 'not_found'],
    [refused(400, '', '', 'Integration not found'), 'unknown'],
    [refused(401, '', '', 'Invalid key'), 'unknown'],
    [refused(429, '', '', 'Too many requests'), 'unknown'],
    [{ kind: 'not_sent', reason: 'ECONNREFUSED' } as const, 'unknown'],
    [{ kind: 'unknown', reason: 'timeout' } as const, 'unknown'],
    [handled({ status: 'ongoing' }), 'accepted'],
    [handled({}), 'unknown'],
    [handled(null), 'unknown'],
  ])('%j', (reply, kind) => {
    expect(inquiryOf(reply, read).kind).toBe(kind)
  })

  test('a refund without an id is unreadable', () => {
    expect(readRefund({ status: 'processed' })).toBeUndefined()
    expect(readRefund({ status: 'processed', id: 7 })).toMatchObject({ providerRef: '7' })
  })
})

describe('answers', () => {
  const answered = (status: number, body: string) =>
    readReply({ kind: 'answered', status, headers: {}, body }, envelopeOf).kind

  test.each([
    [200, '{"status":true,"message":"ok","data":{}}', 'handled'],
    [201, '{"status":true,"data":{}}', 'handled'],
    [200, '{"status":false,"message":"no"}', 'unknown'],
    [400, '{"status":false,"message":"no"}', 'refused'],
    [400, '{"status":true,"message":"no"}', 'unknown'],
    [500, '{"status":false,"message":"no"}', 'unknown'],
    [502, '{"status":true,"data":{}}', 'unknown'],
    [302, '{"status":true,"data":{}}', 'unknown'],
    [404, '<html>not found</html>', 'unknown'],
  ])('%i %j', (status, body, kind) => {
    expect(answered(status, body)).toBe(kind)
  })

  test('any other answer is unknown and never throws', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), fc.json(), (status, body) => {
        expect(answered(status, body)).toBe('unknown')
      }),
    )
  })
})
