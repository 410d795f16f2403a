import { describe, expect, test } from 'vitest'
import type { ProviderState } from '../kit/state.ts'
import { objectSchema } from './answers.ts'
import { acceptedFor, refusalOf, refusals, readObject } from './mapping.ts'

const now = new Date('2030-01-01T12:00:00Z')
const nowSeconds = now.getTime() / 1_000
const reference = '6f6d3c0e-7d55-4c3e-9a55-0d1f4d3b8a11'
const refusedWith = (
  status: number,
  error: { type: string; code?: string; decline_code?: string | null },
) => {
  const words = [error.type, error.code ?? '', error.decline_code ?? '']
  return refusalOf({ kind: 'refused', status, words, data: null })
}
const cardError = (code: string, declineCode?: string) => ({
  type: 'card_error',
  code,
  decline_code: declineCode ?? null,
})

const seen = (object: object) => readObject(objectSchema.parse(object), now)
const intent = (more: object = {}) => ({
  object: 'payment_intent',
  id: 'pi_1',
  created: nowSeconds - 60,
  status: 'succeeded',
  amount: 1_999,
  amount_received: 1_999,
  currency: 'gbp',
  metadata: { switchyard_reference: reference, switchyard_flow: 'direct' },
  ...more,
})
const session = (more: object = {}) => ({
  object: 'checkout.session',
  id: 'cs_test_1',
  created: nowSeconds - 60,
  status: 'open',
  payment_status: 'unpaid',
  amount_total: 1_999,
  currency: 'gbp',
  expires_at: nowSeconds + 3_600,
  url: 'https://checkout.stripe.com/c/pay/cs_test_1',
  payment_intent: null,
  metadata: { switchyard_reference: reference, switchyard_flow: 'hosted' },
  ...more,
})
const refund = (more: object = {}) => ({
  object: 'refund',
  id: 're_1',
  created: nowSeconds,
  status: 'succeeded',
  amount: 500,
  currency: 'jpy',
  metadata: { switchyard_reference: reference },
  ...more,
})

const pending: ProviderState = { state: 'pending' }
const processing: ProviderState = { state: 'processing' }
const completed: ProviderState = { state: 'completed' }
const canceled: ProviderState = { state: 'canceled' }
const failed = (code: string) => ({ state: 'failed', failure: { code } })

describe('a payment intent', () => {
  test.each([
    ['succeeded', completed],
    ['canceled', canceled],
    ['processing', processing],
    ['requires_action', pending],
    ['requires_capture', pending],
    ['requires_confirmation', pending],
    ['requires_payment_method', pending],
    ['a_word_of_next_year', processing],
  ])('%s without an error', (status, state) => {
    expect(seen(intent({ status })).state).toEqual(state)
  })

  test.each([
    [cardError('card_declined', 'insufficient_funds'), 'INSUFFICIENT_FUNDS'],
    [cardError('card_declined', 'a_code_of_next_year'), 'CARD_DECLINED'],
    [cardError('expired_card'), 'CARD_EXPIRED'],
    [
      { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
      'AUTHENTICATION_FAILED',
    ],
    [{ type: 'invalid_request_error', code: 'payment_intent_payment_attempt_failed' }, 'UNSPECIFIED'],
    [{ type: 'a_type_of_next_year' }, 'UNSPECIFIED'],
  ])('requires_payment_method after %j has failed', (error, code) => {
    const tried = intent({ status: 'requires_payment_method', last_payment_error: error })
    expect(seen(tried).state).toMatchObject(failed(code))
  })

  test('on a checkout page a declined card is not final', () => {
    const hosted = intent({
      status: 'requires_payment_method',
      last_payment_error: cardError('card_declined', 'insufficient_funds'),
      metadata: { switchyard_reference: reference, switchyard_flow: 'hosted' },
    })
    expect(seen(hosted)).toMatchObject({ isBehindPage: true, state: pending })
  })

  test('its reference, amount and time', () => {
    expect(seen(intent())).toMatchObject({
      providerRef: 'pi_1',
      reference,
      amount: { amountMinor: 1_999n, currency: 'GBP' },
      createdAt: new Date('2030-01-01T11:59:00Z'),
    })
    expect(seen(intent({ metadata: {} })).reference).toBeNull()
    expect(seen(intent({ metadata: null })).reference).toBeNull()
    expect(seen(intent({ amount_received: 1_500 })).amount).toEqual({ amountMinor: 1_500n, currency: 'GBP' })
    expect(seen(intent({ status: 'processing', amount_received: 0 })).amount?.amountMinor).toBe(1_999n)
  })

  test('a redirect', () => {
    const action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: 'https://bank.test/3ds', return_url: null },
    }
    expect(acceptedFor(reference, seen(intent({ status: 'requires_action', next_action: action })))).toEqual({
      kind: 'accepted',
      providerRef: 'pi_1',
      providerStatus: 'requires_action',
      state: pending,
      amount: { amountMinor: 1_999n, currency: 'GBP' },
      nextAction: { type: 'redirect', url: 'https://bank.test/3ds' },
    })
    expect(seen(intent({ next_action: action })).nextAction).toBeUndefined()
  })

  test.each([
    [
      {
        type: 'sort_code',
        sort_code: { account_holder_name: 'Shop', account_number: '12345678', sort_code: '108800' },
      },
      { account_name: 'Shop', account_number: '12345678', sort_code: '108800', reference: 'REF1' },
    ],
    [
      { type: 'iban', iban: { account_holder_name: 'Shop', bic: 'SWYDDE22', country: 'DE', iban: 'DE89' } },
      { account_name: 'Shop', iban: 'DE89', bank_code: 'SWYDDE22', reference: 'REF1' },
    ],
  ])('bank instructions of %j', (address, instructions) => {
    const transfer = { type: 'x', reference: 'REF1', financial_addresses: [{ type: 'zengin' }, address] }
    const action = {
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions: transfer,
    }
    expect(seen(intent({ status: 'requires_action', next_action: action })).nextAction).toEqual({
      type: 'bank_transfer',
      instructions,
    })
  })

  test.each([
    null,
    { type: 'use_stripe_sdk', use_stripe_sdk: {} },
    { type: 'redirect_to_url', redirect_to_url: { url: 'javascript:alert(1)' } },
    {
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions: { financial_addresses: [] },
    },
  ])('an unsupported action is polled: %j', (action) => {
    const { nextAction } = seen(intent({ status: 'requires_action', next_action: action }))
    expect(nextAction).toEqual({ type: 'check_status' })
  })
})

describe('a checkout session', () => {
  const paidLater = (more: object) => ({ status: 'complete', payment_intent: intent(more) })
  test.each([
    ['open', {}, pending],
    ['no status', { status: null }, pending],
    ['paid', { status: 'complete', payment_status: 'paid' }, completed],
    ['free', { status: 'complete', payment_status: 'no_payment_required' }, completed],
    ['left unpaid', { status: 'complete', payment_intent: 'pi_1' }, processing],
    ['left unpaid, intent processing', paidLater({ status: 'processing' }), processing],
    ['left unpaid, intent succeeded', paidLater({}), completed],
    ['a word of next year', { payment_status: 'half_paid' }, pending],
    ['closed before its time', { status: 'expired' }, canceled],
  ])('%s', (_case, more, state) => {
    expect(seen(session(more)).state).toEqual(state)
  })

  test.each([
    ['expired', { status: 'expired', expires_at: nowSeconds }, 'EXPIRED'],
    [
      'left, and the money did not come',
      paidLater({
        status: 'requires_payment_method',
        last_payment_error: cardError('card_declined', 'generic_decline'),
        metadata: { switchyard_flow: 'hosted' },
      }),
      'CARD_DECLINED',
    ],
  ])('%s has failed', (_case, more, code) => {
    expect(seen(session(more)).state).toMatchObject(failed(code))
  })

  test('redirects to its page while it is open, and contains its intent', () => {
    expect(seen(session())).toMatchObject({
      providerStatus: 'open/unpaid',
      nextAction: { type: 'redirect', url: 'https://checkout.stripe.com/c/pay/cs_test_1' },
      amount: { amountMinor: 1_999n, currency: 'GBP' },
      intentId: undefined,
    })
    expect(seen(session({ status: 'expired' })).nextAction).toBeUndefined()
    expect(seen(session({ payment_intent: 'pi_1' })).intentId).toBe('pi_1')
    expect(seen(session({ payment_intent: intent() })).intentId).toBe('pi_1')
    expect(seen(session({ amount_total: null })).amount).toBeUndefined()
  })
})

test('an answer about another payment is ignored, and so is the intent of a page', () => {
  const hosted = intent({ metadata: { switchyard_reference: reference, switchyard_flow: 'hosted' } })
  expect(acceptedFor(reference, seen(hosted))).toBeUndefined()
  expect(acceptedFor('another', seen(intent()))).toBeUndefined()
  expect(acceptedFor(reference, seen(intent({ metadata: {} })))).toBeUndefined()
})

describe('a refund', () => {
  test.each([
    ['succeeded', completed],
    ['pending', processing],
    ['requires_action', pending],
    ['canceled', canceled],
    ['a_word_of_next_year', processing],
    [null, processing],
  ])('%s', (status, state) => {
    expect(seen(refund({ status }))).toMatchObject({ state, amount: { amountMinor: 500n, currency: 'JPY' } })
  })

  test('failed', () => {
    expect(seen(refund({ status: 'failed' })).state).toMatchObject(failed('UNSPECIFIED'))
  })
})

describe('a refusal', () => {
  const invalid = (code = '') => ({ type: 'invalid_request_error', code })

  test.each([
    [402, cardError('card_declined', 'generic_decline'), 'CARD_DECLINED', true],
    [402, cardError('card_declined', 'do_not_honor'), 'CARD_DECLINED', true],
    [402, cardError('card_declined', 'insufficient_funds'), 'INSUFFICIENT_FUNDS', false],
    [402, cardError('card_declined', 'stolen_card'), 'SUSPECTED_FRAUD', false],
    [402, cardError('card_declined', 'a_code_of_next_year'), 'CARD_DECLINED', false],
    [402, cardError('a_code_of_next_year'), 'CARD_DECLINED', false],
    [402, cardError('incorrect_cvc', 'incorrect_cvc'), 'CARD_INVALID', false],
    [402, invalid(), 'PROVIDER_REFUSED', true],
    [400, invalid('parameter_missing'), 'PROVIDER_REFUSED', true],
    [400, invalid('amount_too_small'), 'AMOUNT_NOT_ALLOWED', true],
    [400, invalid('charge_already_refunded'), 'NOT_REFUNDABLE', false],
    [404, invalid('resource_missing'), 'PROVIDER_REFUSED', true],
    [401, invalid(), 'PROVIDER_REFUSED', true],
    [403, { type: 'a_type_of_next_year' }, 'PROVIDER_REFUSED', true],
    [429, invalid('rate_limit'), 'PROVIDER_UNAVAILABLE', true],
    [429, invalid('lock_timeout'), 'PROVIDER_UNAVAILABLE', true],
  ])('%i %j is a decline', (status, error, code, fallback) => {
    expect(refusedWith(status, error)).toMatchObject({ kind: 'declined', failure: { code }, fallback })
  })

  test.each([
    [400, { type: 'idempotency_error' }],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }],
    [409, invalid('lock_timeout')],
    [400, { type: 'api_error' }],
    [400, { type: 'a_type_of_next_year' }],
  ])('%i %j is unknown', (status, error) => {
    expect(refusedWith(status, error)).toMatchObject({ kind: 'unknown' })
  })

  test('every code of the table has one of our messages', () => {
    for (const code of refusals.keys()) {
      const outcome = refusedWith(402, cardError('card_declined', code))
      expect(outcome).toMatchObject({
        kind: 'declined',
        failure: { message: expect.stringMatching(/^[A-Z].+\.$/) },
      })
    }
  })
})
