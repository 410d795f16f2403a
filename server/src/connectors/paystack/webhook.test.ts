import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readEvent, verifySignature } from './webhook.ts'

const secretKey = 'sk_test_of_this_test'
const reference = '5e9a3c0e-7d55-4c3e-9a55-0d1f4d3b8a11'
const bytes = (event: unknown) => Buffer.from(JSON.stringify(event))

function request(rawBody: Buffer, signature: string | string[] | undefined) {
  return {
    headers: { 'x-paystack-signature': signature },
    rawBody,
    method: 'POST',
    url: 'https://us.test/hook',
  }
}
const sign = (rawBody: Buffer, key = secretKey) => createHmac('sha512', key).update(rawBody).digest('hex')

describe('signatures', () => {
  // The space after the colon would be lost if the JSON were parsed and serialized again.
  const body = Buffer.from('{"event": "charge.success"}')

  test('over the raw bytes are verified, in upper and lower case', () => {
    expect(verifySignature(secretKey, request(body, sign(body)))).toEqual({ kind: 'verified' })
    expect(verifySignature(secretKey, request(body, sign(body).toUpperCase()))).toEqual({ kind: 'verified' })
  })

  test.each([
    ['with another key', sign(body, 'sk_test_other')],
    ['of other bytes', sign(Buffer.from('{"event":"charge.success"}'))],
    ['that is cut', sign(body).slice(0, 64)],
    ['with something after it', `${sign(body)}00`],
    ['with something unreadable after it', `${sign(body)}zz`],
    ['that is no hex', 'zz'.repeat(64)],
    ['that is empty', ''],
    ['that is not there', undefined],
    ['that is there twice', [sign(body), sign(body)]],
  ])('%s are forged', (_what, signature) => {
    expect(verifySignature(secretKey, request(body, signature)).kind).toBe('forged')
  })
})

describe('charges and transfers', () => {
  const charge = {
    id: 302961,
    status: 'success',
    reference,
    amount: 10_000,
    currency: 'NGN',
    channel: 'card',
  }
  const transfer = { ...charge, transfer_code: 'TRF_wpl1dem4967avzm' }
  const amount = { amountMinor: 10_000n, currency: 'NGN' }

  test('charge.success', () => {
    expect(readEvent(bytes({ event: 'charge.success', data: charge }))).toEqual([
      {
        dedupeKey: `charge.success:302961:${reference}:10000`,
        reference,
        subject: 'attempt',
        providerRef: '302961',
        providerStatus: 'success',
        state: { state: 'completed' },
        amount,
      },
    ])
  })

  test('a charge whose fees the payer bore reports what was asked for, and no cost', () => {
    const data = { ...charge, amount: 10_152, requested_amount: 10_000, fees: 152 }
    expect(readEvent(bytes({ event: 'charge.success', data }))).toMatchObject([{ amount, cost: undefined }])
  })

  test.each([
    ['charge.failed', charge, '302961', 'CARD_DECLINED'],
    ['transfer.failed', transfer, 'TRF_wpl1dem4967avzm', 'UNSPECIFIED'],
    ['transfer.reversed', transfer, 'TRF_wpl1dem4967avzm', 'REVERSED'],
  ])('%s', (event, data, providerRef, code) => {
    const channel = event === 'charge.failed' ? 'card' : null
    expect(readEvent(bytes({ event, data: { ...data, channel } }))).toMatchObject([
      { subject: 'attempt', reference, providerRef, state: { state: 'failed', failure: { code } }, amount },
    ])
  })

  test('transfer.success and the reversal after it have different dedupe keys', () => {
    const [success] = readEvent(bytes({ event: 'transfer.success', data: transfer }))
    const [reversed] = readEvent(bytes({ event: 'transfer.reversed', data: transfer }))
    expect(success).toMatchObject({ state: { state: 'completed' }, providerRef: 'TRF_wpl1dem4967avzm' })
    expect(success?.dedupeKey).not.toBe(reversed?.dedupeKey)
  })
})

describe('refunds', () => {
  const refund = {
    status: 'processed',
    transaction_reference: reference,
    refund_reference: '132013318360',
    amount: '5000',
    currency: 'NGN',
  }

  test.each([
    ['pending', { state: 'processing' }],
    ['processing', { state: 'processing' }],
    ['needs-attention', { state: 'pending' }],
    ['processed', { state: 'completed' }],
    ['failed', { state: 'failed', failure: { code: 'UNSPECIFIED' } }],
  ])('refund.%s updates a refund of the payment', (word, state) => {
    const data = { ...refund, status: word }
    expect(readEvent(bytes({ event: `refund.${word}`, data }))).toMatchObject([
      {
        subject: 'refund',
        reference,
        providerRef: null,
        providerStatus: word,
        state,
        amount: { amountMinor: 5_000n, currency: 'NGN' },
      },
    ])
  })

  test('two refunds of one payment have different dedupe keys, and a repeat has the same', () => {
    const keyOf = (more: object) =>
      readEvent(bytes({ event: 'refund.processed', data: { ...refund, ...more } }))[0]?.dedupeKey
    expect(keyOf({})).toBe(keyOf({}))
    expect(keyOf({ refund_reference: '132013318361' })).not.toBe(keyOf({}))
    expect(keyOf({ refund_reference: null, amount: 4_000 })).not.toBe(keyOf({ refund_reference: null }))
  })
})

describe('no update', () => {
  const rejected = {
    bank_transfer: { amount: '1000', message_type: 'INCORRECT_AMOUNT', transaction_id: '5195686331' },
    customer: { email: 'user@example.com' },
  }

  test.each([
    [
      'a transfer of the wrong amount: the payment stays pending',
      { event: 'bank.transfer.rejected', data: rejected },
    ],
    ['a dispute', { event: 'charge.dispute.create', data: { status: 'pending', reference } }],
    [
      'a virtual account',
      { event: 'dedicatedaccount.assign.success', data: { status: 'success', reference } },
    ],
    ['an event of next year', { event: 'charge.of_next_year', data: { status: 'success', reference } }],
    ['a name from the language', { event: 'constructor', data: { status: 'success', reference } }],
    ['no reference', { event: 'charge.success', data: { status: 'success' } }],
    ['an empty reference', { event: 'charge.success', data: { status: 'success', reference: '' } }],
    [
      'an amount that is none',
      { event: 'charge.success', data: { status: 'success', reference, amount: 1.5 } },
    ],
    ['no data', { event: 'charge.success' }],
    ['no event', { data: { status: 'success', reference } }],
  ])('%s', (_what, event) => {
    expect(readEvent(bytes(event))).toEqual([])
  })
})
