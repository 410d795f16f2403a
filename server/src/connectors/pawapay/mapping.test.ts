import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exponentOf, parseMinor } from '../../lib/money/money.ts'
import { phoneDigits } from '../kit/phone.ts'
import {
  acceptedOf,
  amountText,
  customerMessage,
  declinedBy,
  depositRequest,
  initiatedOf,
  missingFields,
  payoutRequest,
  refundRequest,
  stateOf,
  updateOf,
} from './mapping.ts'

/** Every documented code, our code for it, and whether another provider may be tried. */
const codes = [
  ['NO_AUTHENTICATION', 'PROVIDER_REFUSED', true],
  ['AUTHENTICATION_ERROR', 'PROVIDER_REFUSED', true],
  ['AUTHORISATION_ERROR', 'PROVIDER_REFUSED', true],
  ['HTTP_SIGNATURE_ERROR', 'PROVIDER_REFUSED', true],
  ['DEPOSITS_NOT_ALLOWED', 'PROVIDER_REFUSED', true],
  ['PAYOUTS_NOT_ALLOWED', 'PROVIDER_REFUSED', true],
  ['INVALID_INPUT', 'PROVIDER_REFUSED', true],
  ['MISSING_PARAMETER', 'PROVIDER_REFUSED', true],
  ['UNSUPPORTED_PARAMETER', 'PROVIDER_REFUSED', true],
  ['INVALID_PARAMETER', 'PROVIDER_REFUSED', true],
  ['DUPLICATE_METADATA_FIELD', 'PROVIDER_REFUSED', true],
  ['AMOUNT_OUT_OF_BOUNDS', 'AMOUNT_NOT_ALLOWED', true],
  ['INVALID_AMOUNT', 'AMOUNT_NOT_ALLOWED', true],
  ['INVALID_PHONE_NUMBER', 'ACCOUNT_INVALID', false],
  ['INVALID_CURRENCY', 'CURRENCY_NOT_SUPPORTED', true],
  ['INVALID_PROVIDER', 'NETWORK_NOT_SUPPORTED', true],
  ['PROVIDER_TEMPORARILY_UNAVAILABLE', 'PROVIDER_UNAVAILABLE', true],
  ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'PROVIDER_OUT_OF_FUNDS', true],
  ['PAYMENT_NOT_APPROVED', 'NOT_APPROVED', false],
  ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_FUNDS', false],
  ['PAYMENT_IN_PROGRESS', 'OTHER_PAYMENT_IN_PROGRESS', false],
  ['PAYER_NOT_FOUND', 'ACCOUNT_NOT_FOUND', false],
  ['PAYER_LIMIT_REACHED', 'ACCOUNT_LIMIT_REACHED', false],
  ['RECIPIENT_NOT_FOUND', 'ACCOUNT_NOT_FOUND', false],
  ['RECIPIENT_LIMIT_REACHED', 'ACCOUNT_LIMIT_REACHED', false],
  ['WALLET_LIMIT_REACHED', 'ACCOUNT_LIMIT_REACHED', false],
  ['TRANSACTION_ALREADY_IN_PROCESS', 'OTHER_PAYMENT_IN_PROGRESS', false],
  ['UNSPECIFIED_FAILURE', 'UNSPECIFIED', false],
  ['NOT_FOUND', 'NOT_REFUNDABLE', false],
  ['INVALID_STATE', 'NOT_REFUNDABLE', false],
  ['AMOUNT_TOO_LARGE', 'NOT_REFUNDABLE', false],
  ['DEPOSIT_ALREADY_REFUNDED', 'NOT_REFUNDABLE', false],
  ['REFUND_IN_PROGRESS', 'NOT_REFUNDABLE', false],
] as const

const kinds = ['deposit', 'payout', 'refund'] as const
const reference = '6f6d3c0e-7d55-4c3e-9a55-0d1f4d3b8a11'
const attempt = {
  reference,
  providerRef: null,
  direction: 'payin' as const,
  method: 'mobile_money' as const,
  country: 'UG',
  amount: { amountMinor: 5_000n, currency: 'UGX' },
  createdAt: new Date(0),
}
const mobileMoney = { network: 'MTN_MOMO_UGA', phoneNumber: '0783 456 789' }
const payment = { status: 'PROCESSING', amount: '5000.00', currency: 'UGX' }

describe('failure codes', () => {
  test.each(codes)('%s becomes %s with fallback %s and our message', (failureCode, code, fallback) => {
    const outcome = declinedBy(failureCode)
    expect(outcome).toMatchObject({ kind: 'declined', failure: { code }, fallback })
    expect(outcome).toMatchObject({ failure: { message: expect.not.stringContaining(failureCode) } })
    for (const kind of kinds) {
      const state = stateOf(kind, { status: 'FAILED', failureReason: { failureCode } })
      expect(state).toMatchObject({ state: 'failed', failure: { code } })
    }
  })

  test.each(['AN_UNKNOWN_CODE', '', 'constructor', '__proto__', 'toString'])(
    'an unknown code (%j) is a refusal without a reason',
    (failureCode) => {
      expect(declinedBy(failureCode)).toMatchObject({ failure: { code: 'UNSPECIFIED' }, fallback: true })
      const state = stateOf('payout', { status: 'FAILED', failureReason: { failureCode } })
      expect(state).toMatchObject({ state: 'failed', failure: { code: 'UNSPECIFIED' } })
    },
  )

  test('a failure without a reason, and a cancellation by hand', () => {
    expect(stateOf('deposit', { status: 'FAILED' })).toMatchObject({ failure: { code: 'UNSPECIFIED' } })
    const failureReason = { failureCode: 'MANUALLY_CANCELLED' }
    expect(stateOf('payout', { status: 'FAILED', failureReason })).toEqual({ state: 'canceled' })
  })
})

describe('statuses', () => {
  test.each([
    ['ACCEPTED', 'pending', 'processing'],
    ['PROCESSING', 'pending', 'processing'],
    ['SUBMITTED', 'pending', 'processing'],
    ['ENQUEUED', 'processing', 'processing'],
    ['IN_RECONCILIATION', 'processing', 'processing'],
    ['COMPLETED', 'completed', 'completed'],
  ])('%s: a deposit is %s, a payout or a refund %s', (status, deposit, other) => {
    expect(kinds.map((kind) => stateOf(kind, { status }).state)).toEqual([deposit, other, other])
  })

  test('no unknown status ends a payment', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...kinds), (status, kind) => {
        fc.pre(status !== 'COMPLETED' && status !== 'FAILED')
        expect(['pending', 'processing']).toContain(stateOf(kind, { status }).state)
      }),
    )
  })

  test('a deposit waits for a PIN or for the URL of its page', () => {
    expect(initiatedOf('deposit', 'FINAL_STATUS').nextAction).toEqual({ type: 'wait' })
    expect(initiatedOf('deposit', 'GET_AUTH_URL').nextAction).toEqual({ type: 'check_status' })
    expect(initiatedOf('payout', undefined).nextAction).toBeUndefined()
  })

  test('the URL of a page is returned only while the deposit waits', () => {
    const authorizationUrl = 'https://pay.wave.test/1'
    const nextAction = { type: 'redirect', url: authorizationUrl }
    expect(acceptedOf('deposit', { ...payment, authorizationUrl })).toMatchObject({ nextAction })
    const completed = { ...payment, authorizationUrl, status: 'COMPLETED' }
    expect(acceptedOf('deposit', completed).nextAction).toBeUndefined()
    expect(updateOf({ ...payment, authorizationUrl, depositId: reference })).toMatchObject({ nextAction })
  })
})

describe('callbacks', () => {
  test.each([
    ['a deposit', { depositId: reference }, 'attempt', `deposit:${reference}:COMPLETED`],
    ['a payout', { payoutId: reference }, 'attempt', `payout:${reference}:COMPLETED`],
    ['a refund', { refundId: reference }, 'refund', `refund:${reference}:COMPLETED`],
  ])('%s', (_what, id, subject, dedupeKey) => {
    expect(updateOf({ ...payment, status: 'COMPLETED', providerTransactionId: 'P1', ...id })).toEqual({
      dedupeKey,
      reference,
      subject,
      providerRef: 'P1',
      providerStatus: 'COMPLETED',
      state: { state: 'completed' },
      amount: { amountMinor: 5_000n, currency: 'UGX' },
      nextAction: undefined,
      ...('refundId' in id && { refundOf: { reference: null, providerRef: null, refundId: reference } }),
    })
  })

  test('a refund names its deposit, for one that was made in the dashboard', () => {
    const depositId = '0d1f4d3b-7d55-4c3e-9a55-6f6d3c0e8a11'
    expect(updateOf({ ...payment, refundId: reference, depositId }).refundOf).toEqual({
      reference: depositId,
      providerRef: null,
      refundId: reference,
    })
  })

  test.each([
    ['more decimals than the currency has', '5.5', 'UGX'],
    ['no number', 'five', 'UGX'],
    ['no currency that we know', '5', 'ZZZ'],
  ])('an amount with %s is omitted', (_what, amount, currency) => {
    expect(updateOf({ ...payment, amount, currency, depositId: reference }).amount).toBeUndefined()
  })
})

describe('amounts', () => {
  const pattern = /^([0]|([1-9][0-9]{0,17}))([.][0-9]{0,3}[1-9])?$/

  test.each([
    [5_000n, 'UGX', '5000'],
    [100n, 'KES', '1'],
    [150_050n, 'NGN', '1500.5'],
    [150_001n, 'NGN', '1500.01'],
    [1n, 'GHS', '0.01'],
    [1_000_000n, 'XOF', '1000000'],
  ])('%d minor units of %s are %s', (amountMinor, currency, text) => {
    expect(amountText({ amountMinor, currency })).toBe(text)
  })

  test('every amount matches pawaPay’s pattern and is read back unchanged', () => {
    const currencies = fc.constantFrom('UGX', 'KES', 'NGN', 'GHS', 'XOF', 'ZMW', 'USD', 'CDF')
    fc.assert(
      fc.property(currencies, fc.bigInt({ min: 1n, max: 10n ** 17n }), (currency, amountMinor) => {
        const text = amountText({ amountMinor, currency })
        expect(text).toMatch(pattern)
        expect(parseMinor(text, currency)).toBe(amountMinor)
        expect(text.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(exponentOf(currency))
      }),
    )
  })
})

describe('phones and messages', () => {
  test.each([
    ['256783456789', 'UG', '256783456789'],
    ['+256 783-456 789', 'UG', '256783456789'],
    ['00256783456789', 'UG', '256783456789'],
    ['0783456789', 'UG', '256783456789'],
    ['783456789', 'UG', '256783456789'],
    ['0703456789', 'KE', '254703456789'],
    ['0712345678', 'CI', '2250712345678'],
    ['+254703456789', 'UG', '254703456789'],
    ['nonsense', 'UG', ''],
    ['256783456789', 'ZZ', '256783456789'],
  ])('%s in %s is %s', (phoneNumber, country, digits) => {
    expect(phoneDigits(phoneNumber, country)).toBe(digits)
  })

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['Hi!', undefined],
    ['Order #4711, thanks!', 'Order 4711 thanks'],
    ['An order with a very long description', 'An order with a very l'],
    ['Übergröße für Zoë', 'Ubergro e fur Zoe'],
  ])('%j is shown as %j', (description, shown) => {
    expect(customerMessage(description)).toBe(shown)
  })

  test('the customer message always has an allowed form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (description) => {
        expect(customerMessage(description) ?? 'none').toMatch(/^[a-zA-Z0-9 ]{4,22}$/)
      }),
    )
  })
})

describe('requests', () => {
  const details = { payer: {}, mobileMoney, returnUrl: 'https://shop.test/back', description: 'Order 1' }

  test('a deposit has our reference as its id, and return addresses only if the payer is redirected', () => {
    expect(depositRequest(attempt, details, ['WAVE_SEN'])).toEqual({
      depositId: reference,
      amount: '5000',
      currency: 'UGX',
      payer: { type: 'MMO', accountDetails: { phoneNumber: '256783456789', provider: 'MTN_MOMO_UGA' } },
      customerMessage: 'Order 1',
    })
    expect(depositRequest(attempt, details, ['MTN_MOMO_UGA'])).toMatchObject({
      successfulUrl: 'https://shop.test/back',
      failedUrl: 'https://shop.test/back',
    })
  })

  test('a payout and a refund', () => {
    expect(payoutRequest(attempt, { name: 'Okot', mobileMoney })).toMatchObject({
      payoutId: reference,
      amount: '5000',
      recipient: { accountDetails: { phoneNumber: '256783456789' } },
    })
    const refund = {
      reference: 'r',
      providerRef: null,
      amount: { amountMinor: 100n, currency: 'UGX' },
      isPartial: true,
    }
    expect(refundRequest(attempt, refund)).toEqual({
      refundId: 'r',
      depositId: reference,
      amount: '100',
      currency: 'UGX',
    })
  })

  test('missing fields have the names of the API', () => {
    expect(missingFields({ name: '' })).toEqual(['mobile_money_details'])
    expect(missingFields({ name: '', mobileMoney: { network: '', phoneNumber: '' } })).toEqual([
      'mobile_money_details.provider',
      'mobile_money_details.phone_number',
    ])
    expect(missingFields({ name: '', mobileMoney })).toEqual([])
  })
})
