import { createDecipheriv } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt } from '../kit/connector.ts'
import { flutterwaveCredentials, networksOf } from './credentials.ts'
import {
  collectOutcome,
  costOf,
  inquiryOf,
  movementState,
  outcomeOf,
  readMovement,
  readRefund,
} from './mapping.ts'
import { cardRequest, transferRequest } from './requests.ts'
import { readEvent, verifyHash } from './webhook.ts'

const reference = 'b7f1c1e2-6a0e-4d0e-9a54-2f6f6a9d1c11'
const attempt: Attempt = {
  reference,
  providerRef: null,
  direction: 'payin',
  method: 'card',
  country: 'NG',
  amount: { amountMinor: 150_000n, currency: 'NGN' },
  createdAt: new Date('2026-01-01T00:00:00Z'),
}
const credentials = flutterwaveCredentials.parse({ secretKey: 'k', secretHash: 'hash' })
const charge = { id: 7, tx_ref: reference, status: 'successful', amount: 1500, currency: 'NGN' }
const handled = (data: unknown, meta: unknown = null) => ({ kind: 'handled', data, meta }) as const
const refused = (status: number, message: string) =>
  ({ kind: 'refused', status, words: [message], data: null }) as const

describe('a lookup', () => {
  test.each([
    ['the whole amount', charge, 'accepted'],
    ['more than was asked for', { ...charge, amount: 1500.01 }, 'accepted'],
    ['another payment', { ...charge, tx_ref: 'other' }, 'unknown'],
    ['an amount that is none', { ...charge, amount: '1e3' }, 'unknown'],
    ['a currency that is none', { ...charge, currency: 'NONE' }, 'unknown'],
    ['nothing', null, 'unknown'],
  ])('that reports %s is %s', (_title, data, kind) => {
    expect(inquiryOf(handled(data), readMovement(attempt)).kind).toBe(kind)
  })

  test.each([
    ['more than was asked for: all of it', { amount: 1500.01 }, attempt.amount],
    ['less', { amount: 1499.99 }, { amountMinor: 149_999n, currency: 'NGN' }],
    ['another currency', { currency: 'USD' }, { amountMinor: 150_000n, currency: 'USD' }],
  ])('reports the paid amount: %s', (_title, change, amount) => {
    expect(inquiryOf(handled({ ...charge, ...change }), readMovement(attempt))).toMatchObject({ amount })
  })

  test('that finds nothing is not_found, and any other refusal is unknown', () => {
    const read = readMovement(attempt)
    expect(inquiryOf(refused(400, 'No transaction was found for this id'), read).kind).toBe('not_found')
    expect(inquiryOf(refused(401, 'Invalid authorization key'), read).kind).toBe('unknown')
  })
})

describe('the first answer to a charge', () => {
  test.each([
    [
      { mode: 'redirect', redirect: 'https://bank.test/3ds' },
      { type: 'redirect', url: 'https://bank.test/3ds' },
    ],
    [{ mode: 'otp' }, { type: 'collect_otp' }],
    [{ mode: 'callback' }, { type: 'wait' }],
    [
      { mode: 'banktransfer', transfer_account: '0123456789', transfer_bank: 'Mock Bank' },
      { type: 'bank_transfer', instructions: { account_number: '0123456789', bank_name: 'Mock Bank' } },
    ],
  ])('%j is %j', (authorization, nextAction) => {
    expect(collectOutcome(attempt, handled(undefined, { authorization }))).toMatchObject({ nextAction })
  })

  test.each([
    [undefined, { authorization: { mode: 'pin' } }],
    [undefined, { authorization: { mode: 'of next year' } }],
    [undefined, { authorization: { mode: 'redirect', redirect: 'javascript:alert(1)' } }],
    [undefined, { authorization: { mode: 'banktransfer' } }],
    [undefined, undefined],
    [{ ...charge, tx_ref: 'other' }, undefined],
  ])('%j with %j is unknown: money may move', (data, meta) => {
    expect(collectOutcome(attempt, handled(data, meta)).kind).toBe('unknown')
  })

  test('an unknown status never ends a payment', () => {
    const ends = /^(successful$|completed|failed)/i
    fc.assert(
      fc.property(
        fc.string().filter((status) => !ends.test(status)),
        (status) => {
          expect(movementState('payin', { status, why: '' })).toEqual({ state: 'pending' })
          expect(movementState('payout', { status, why: '' })).toEqual({ state: 'processing' })
        },
      ),
    )
  })
})

describe('the end of a movement', () => {
  test.each([
    ['payin', 'successful', 'completed'],
    ['payout', 'SUCCESSFUL', 'completed'],
    ['refund', 'completed-momo', 'completed'],
    ['refund', 'completed-bank-transfer', 'completed'],
    ['payin', 'successful-ish', 'pending'],
    ['refund', 'uncompleted', 'processing'],
    ['payout', 'not failed', 'processing'],
  ] as const)('%s %s is %s', (kind, status, state) => {
    expect(movementState(kind, { status, why: '' })).toEqual({ state })
  })

  test.each([
    ['Insufficient Funds', 'INSUFFICIENT_FUNDS'],
    ['something else', 'UNSPECIFIED'],
  ])('failed with %s is %s', (why, code) => {
    expect(movementState('payout', { status: 'FAILED', why })).toMatchObject({
      state: 'failed',
      failure: { code },
    })
  })

  test('has the fee that Flutterwave names, or none', () => {
    expect(costOf({ fee: '12.50', currency: 'NGN' })).toEqual({ amountMinor: 12_50n, currency: 'NGN' })
    expect(costOf({ fee: null, currency: 'NGN' })).toBeUndefined()
  })
})

describe('a refund', () => {
  test('is read with its id and its status', () => {
    expect(readRefund({ id: 9, status: 'completed-momo' })).toEqual({
      kind: 'accepted',
      providerRef: '9',
      providerStatus: 'completed-momo',
      state: { state: 'completed' },
    })
    expect(readRefund({ id: 9, status: 'failed' })).toMatchObject({
      state: { state: 'failed', failure: { code: 'UNSPECIFIED' } },
    })
  })

  test.each([null, {}, { id: 9 }, { status: 'completed' }])('%j is none', (data) => {
    expect(readRefund(data)).toBeUndefined()
  })
})

describe('the answer to a charge that has data', () => {
  test.each([
    ['pending', { type: 'wait' }],
    ['successful', undefined],
  ])('%s has the next action %j', (status, nextAction) => {
    const outcome = collectOutcome(attempt, handled({ ...charge, status }))
    expect(outcome.kind === 'accepted' ? outcome.nextAction : outcome).toEqual(nextAction)
  })

  test('that was refused has none', () => {
    const outcome = collectOutcome(attempt, refused(400, 'Insufficient Funds'))
    expect(outcome).toMatchObject({ kind: 'declined', failure: { code: 'INSUFFICIENT_FUNDS' } })
    expect(outcome).not.toHaveProperty('nextAction')
  })

  test('names until when a transfer is awaited', () => {
    const authorization = { mode: 'banktransfer', transfer_account: '1', account_expiration: 'tomorrow' }
    expect(collectOutcome(attempt, handled(undefined, { authorization }))).toMatchObject({
      nextAction: { type: 'bank_transfer', instructions: { account_number: '1', expires_at: 'tomorrow' } },
    })
  })

  test('whose authorization has an address and is no redirect is not one', () => {
    const authorization = { mode: 'pin', redirect: 'https://bank.test/3ds' }
    expect(collectOutcome(attempt, handled(undefined, { authorization })).kind).toBe('unknown')
  })
})

describe('a refusal', () => {
  test.each([
    [400, 'Insufficient Funds', 'INSUFFICIENT_FUNDS', false],
    [400, 'DISBURSE FAILED: Insufficient funds in customer wallet', 'PROVIDER_OUT_OF_FUNDS', true],
    [400, 'You can only spend 500 at once', 'AMOUNT_NOT_ALLOWED', true],
    [400, 'beneficiary_name is required', 'PROVIDER_REFUSED', true],
    [401, 'Invalid authorization key', 'PROVIDER_REFUSED', true],
    [401, 'Insufficient Funds', 'PROVIDER_REFUSED', true],
    [403, 'Your account number is restricted', 'PROVIDER_REFUSED', true],
    [404, 'Insufficient Funds', 'INSUFFICIENT_FUNDS', false],
    [422, 'Insufficient Funds', 'INSUFFICIENT_FUNDS', false],
  ])('%d %s is %s', (status, message, code, fallback) => {
    const outcome = outcomeOf(refused(status, message), readMovement(attempt))
    expect(outcome).toMatchObject({ kind: 'declined', failure: { code }, fallback })
  })

  test.each([
    [400, 'Transaction reference already exist'],
    [400, 'Duplicate tx_ref'],
    [400, 'Transaction is being processed'],
    [400, 'Request timed out'],
    [409, 'Conflict'],
    [429, 'Too many requests'],
  ])('%d %s is unknown', (status, message) => {
    expect(outcomeOf(refused(status, message), readMovement(attempt)).kind).toBe('unknown')
  })
})

describe('requests', () => {
  const card = { number: '5531886652142950', expiryMonth: '9', expiryYear: '2032', cvv: '564' }
  const encryptionKey = 'FLWSECK_TESTswitchyard01'

  test('a card is encrypted with 3DES, and its number is nowhere in plain text', () => {
    const details = { payer: { email: 'a@example.com' }, card, returnUrl: 'https://shop.test' }
    const body = cardRequest({ publicKey: 'pub', encryptionKey }, attempt, details)
    expect(JSON.stringify(body)).not.toContain(card.number)
    const decipher = createDecipheriv('des-ede3-ecb', encryptionKey, null)
    const client: unknown = Reflect.get(body, 'client')
    const plain = decipher.update(String(client), 'base64', 'utf8') + decipher.final('utf8')
    expect(JSON.parse(plain)).toMatchObject({
      card_number: card.number,
      cvv: '564',
      expiry_month: '09',
      expiry_year: '32',
      amount: 1500,
      tx_ref: reference,
    })
  })

  test('a payout to M-PESA has the network code of transfers and the configured sender', () => {
    const sender = { sender: 'Shop', sender_country: 'KE', mobile_number: '254700000000' }
    const mobileMoney = { network: 'SAFARICOM', phoneNumber: '0710000000' }
    const payout = { ...attempt, country: 'KE', direction: 'payout', method: 'mobile_money' } as const
    const body = transferRequest({ ...credentials, sender }, payout, { name: 'Otieno', mobileMoney })
    expect(body).toMatchObject({ account_bank: 'MPS', account_number: '254710000000', meta: sender })
  })

  test('the networks of each market are listed, and an unknown country has none', () => {
    expect(networksOf(credentials.mobileMoney, 'GH').map(({ network }) => network)).toContain('VODAFONE')
    expect(networksOf(credentials.mobileMoney, 'DE')).toEqual([])
  })
})

describe('webhooks', () => {
  const request = (headers: Record<string, string | string[]>) => ({
    headers,
    rawBody: Buffer.from('{}'),
    method: 'POST',
    url: 'https://api.test/v1/providers/flutterwave/webhooks/t',
  })

  test.each([
    [{ 'verif-hash': 'hash' }, 'unsigned'],
    [{ 'verif-hash': 'Hash' }, 'forged'],
    [{ 'verif-hash': '' }, 'forged'],
    [{ 'verif-hash': ['hash', 'hash'] }, 'forged'],
    [{}, 'forged'],
  ])('%j is %s, and never verified', (headers, kind) => {
    expect(verifyHash('hash', request(headers)).kind).toBe(kind)
  })

  test('an event about something without our reference is no update', () => {
    const event = { event: 'charge.completed', data: { ...charge, tx_ref: null } }
    expect(readEvent(Buffer.from(JSON.stringify(event)))).toEqual([])
  })
})
