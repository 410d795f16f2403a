import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWebhook, verifyWebhook } from './webhook.ts'

const now = new Date('2030-01-01T12:00:00Z')
const nowSeconds = now.getTime() / 1_000
const body = '{"id":"evt_1"}'

const sign = (secret: string, time: number, text = body) =>
  createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
const headerOf = (secret: string, time = nowSeconds) => `t=${time},v1=${sign(secret, time)}`

function verdict(header: string | string[] | undefined, secrets = ['whsec_a'], rawBody = body) {
  const headers = { 'stripe-signature': header }
  return verifyWebhook(
    secrets,
    { headers, rawBody: Buffer.from(rawBody), method: 'POST', url: 'https://x.test/' },
    now,
  )
}

describe('verifyWebhook', () => {
  test.each([
    ['one secret', headerOf('whsec_a'), ['whsec_a']],
    ['the second of two secrets', headerOf('whsec_b'), ['whsec_a', 'whsec_b']],
    ['the second of two signatures', `t=${nowSeconds},v1=00,v1=${sign('whsec_a', nowSeconds)}`, ['whsec_a']],
    ['other schemes beside it', `t=${nowSeconds},v0=00,v1=${sign('whsec_a', nowSeconds)}`, ['whsec_a']],
    ['spaces', `t=${nowSeconds}, v1=${sign('whsec_a', nowSeconds)}`, ['whsec_a']],
  ])('%s is verified', (_case, header, secrets) => {
    expect(verdict(header, secrets)).toEqual({ kind: 'verified' })
  })

  test.each([
    ['no header', undefined],
    ['two headers', [headerOf('whsec_a'), headerOf('whsec_a')]],
    ['nothing in it', ''],
    ['no time', `v1=${sign('whsec_a', nowSeconds)}`],
    ['a time that is no number', `t=soon,v1=${sign('whsec_a', nowSeconds)}`],
    ['no signature', `t=${nowSeconds}`],
    ['an empty signature', `t=${nowSeconds},v1=`],
    ['another secret', headerOf('whsec_b')],
    ['another scheme only', `t=${nowSeconds},v0=${sign('whsec_a', nowSeconds)}`],
    ['another time than the signed one', `t=${nowSeconds - 1},v1=${sign('whsec_a', nowSeconds)}`],
  ])('%s is forged', (_case, header) => {
    expect(verdict(header)).toMatchObject({ kind: 'forged' })
  })

  test.each([
    [0, 'verified'],
    [300, 'verified'],
    [301, 'forged'],
    [86_400, 'forged'],
    [-300, 'verified'],
    [-301, 'forged'],
  ])('a signature that is %i s old is %s', (ageSeconds, kind) => {
    expect(verdict(headerOf('whsec_a', nowSeconds - ageSeconds)).kind).toBe(kind)
  })

  test('any change of the body is forged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text !== body)
        expect(verdict(headerOf('whsec_a'), ['whsec_a'], text).kind).toBe('forged')
      }),
    )
  })

  test('no header makes it throw', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(verdict(header).kind).toBe('forged')
      }),
    )
  })
})

const reference = '6f6d3c0e-7d55-4c3e-9a55-0d1f4d3b8a11'
const metadata = { switchyard_reference: reference, switchyard_flow: 'direct' }
const hosted = { switchyard_reference: reference, switchyard_flow: 'hosted' }
const money = { amount: 1_999, amount_received: 1_999, currency: 'eur' }
const created = nowSeconds
const intent = { object: 'payment_intent', id: 'pi_1', created, status: 'succeeded', ...money, metadata }
const session = {
  object: 'checkout.session',
  id: 'cs_1',
  created,
  status: 'complete',
  payment_status: 'paid',
  amount_total: 1_999,
  currency: 'eur',
  expires_at: nowSeconds + 60,
  metadata: hosted,
}
const refund = {
  object: 'refund',
  id: 're_1',
  created,
  status: 'succeeded',
  amount: 5,
  currency: 'eur',
  metadata,
}

const event = (type: string, object: unknown, at = nowSeconds) =>
  Buffer.from(JSON.stringify({ object: 'event', id: 'evt_1', type, created: at, data: { object } }))

describe('readWebhook', () => {
  const declined = {
    last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'lost_card' },
  }
  const unpaid = { ...session, payment_status: 'unpaid' }
  test.each([
    ['payment_intent.succeeded', intent, 'completed'],
    [
      'payment_intent.payment_failed',
      { ...intent, status: 'requires_payment_method', ...declined },
      'failed',
    ],
    ['payment_intent.processing', { ...intent, status: 'processing' }, 'processing'],
    ['payment_intent.requires_action', { ...intent, status: 'requires_action' }, 'pending'],
    [
      'payment_intent.partially_funded',
      { ...intent, status: 'requires_action', amount_received: 5 },
      'pending',
    ],
    ['payment_intent.canceled', { ...intent, status: 'canceled' }, 'canceled'],
    ['checkout.session.completed', session, 'completed'],
    ['checkout.session.completed', unpaid, 'processing'],
    ['checkout.session.async_payment_succeeded', session, 'completed'],
    ['checkout.session.async_payment_failed', unpaid, 'failed'],
    ['checkout.session.expired', { ...unpaid, status: 'expired' }, 'canceled'],
    ['checkout.session.expired', { ...unpaid, status: 'expired', expires_at: nowSeconds }, 'failed'],
    ['refund.created', refund, 'completed'],
    ['refund.updated', { ...refund, status: 'pending' }, 'processing'],
    ['refund.failed', { ...refund, status: 'failed' }, 'failed'],
    ['charge.refund.updated', refund, 'completed'],
  ])('%s', (type, object, state) => {
    expect(readWebhook(event(type, object))).toMatchObject([
      {
        dedupeKey: 'evt_1',
        reference,
        subject: object.object === 'refund' ? 'refund' : 'attempt',
        providerRef: object.id,
        state: { state },
      },
    ])
  })

  test('the amount is present only if money moved', () => {
    const amountOf = (type: string, object: unknown) => readWebhook(event(type, object))[0]?.amount
    expect(amountOf('payment_intent.succeeded', intent)).toEqual({ amountMinor: 1_999n, currency: 'EUR' })
    expect(amountOf('checkout.session.completed', session)).toEqual({ amountMinor: 1_999n, currency: 'EUR' })
    expect(amountOf('refund.updated', refund)).toEqual({ amountMinor: 5n, currency: 'EUR' })
    expect(amountOf('payment_intent.processing', { ...intent, status: 'processing' })).toBeUndefined()
  })

  test.each([
    ['an intent of a checkout page', 'payment_intent.payment_failed', { ...intent, metadata: hosted }],
    ["another program's intent", 'payment_intent.succeeded', { ...intent, metadata: {} }],
    ['a new intent', 'payment_intent.created', intent],
    ['another program’s charge', 'charge.refunded', { object: 'charge', id: 'ch_1', created, metadata: {} }],
    [
      'money in a cash balance',
      'customer_cash_balance_transaction.created',
      { object: 'x', id: 'c', created },
    ],
    ['a payout', 'payout.paid', { object: 'payout', id: 'po_1', created, metadata }],
    ['an intent without a status', 'payment_intent.succeeded', { ...intent, status: undefined }],
    ['a name that only begins alike', 'payment_intent.succeeded_twice', intent],
  ])('%s is no update', (_case, type, object) => {
    expect(readWebhook(event(type, object))).toEqual([])
  })

  test('a refunded charge is a reason to list its refunds', () => {
    const charge = { object: 'charge', id: 'ch_1', created, metadata, payment_intent: 'pi_1' }
    expect(readWebhook(event('charge.refunded', charge))).toMatchObject([
      { reference, subject: 'refund', refundOf: { reference, providerRef: 'pi_1', refundId: null } },
    ])
  })

  test('a refund without our metadata was made in the dashboard, perhaps by another program', () => {
    const foreign = { ...refund, metadata: {}, payment_intent: 'pi_1' }
    expect(readWebhook(event('refund.updated', foreign))).toMatchObject([
      {
        reference: refund.id,
        subject: 'refund',
        amount: { amountMinor: 5n, currency: 'EUR' },
        refundOf: { reference: null, providerRef: 'pi_1', refundId: refund.id },
        isPerhapsForeign: true,
      },
    ])
  })

  test('no body makes it throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, value) => {
        expect(readWebhook(Buffer.from(text))).toEqual([])
        expect(readWebhook(event('payment_intent.succeeded', value))).toEqual([])
      }),
    )
  })
})
