import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Attempt, Connector } from '../kit/connector.ts'
import type { HttpCall, HttpResult } from '../kit/http-client.ts'
import { adyenConnector } from './connector.ts'

const hexKey = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const transferKey = '51757397D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB'
const reference = '5c2c5a39-6ec8-4a1e-8d5c-0a1d4b5d9c11'
const now = new Date('2026-05-01T12:00:00Z')

function connectorAnswering(answer: unknown, change: object = {}, status = 200) {
  const calls: HttpCall[] = []
  const credentials = adyenConnector.credentials.parse({
    apiKey: 'key',
    merchantAccount: 'ACME',
    hmacKeys: [hexKey],
    transfers: { apiKey: 'other', balanceAccountId: 'BA1', hmacKeys: [transferKey] },
    ...change,
  })
  const connector: Connector = adyenConnector.create({
    credentials,
    http: async (call): Promise<HttpResult> => {
      calls.push(call)
      return { kind: 'answered', status, headers: {}, body: JSON.stringify(answer) }
    },
    clock: { now: () => now },
    webhookUrl: 'https://api.test/hook',
  })
  return { connector, calls }
}

const attempt: Attempt = {
  reference,
  providerRef: null,
  direction: 'payin',
  method: 'card',
  country: 'GB',
  amount: { amountMinor: 1_000n, currency: 'GBP' },
  createdAt: now,
}
const card = { number: '4111111111111111', expiryMonth: '03', expiryYear: '30', cvv: '737' }
const details = { payer: {}, card, returnUrl: 'https://pay.test/return/1' }
const answered = async (answer: object, status = 200) => {
  const body = { merchantReference: reference, amount: { currency: 'GBP', value: 1000 }, ...answer }
  return connectorAnswering(body, {}, status).connector.collect?.(attempt, details)
}

describe('the answer to a card payment', () => {
  test('Error is final only if there is a payment', async () => {
    expect(await answered({ resultCode: 'Error', pspReference: 'P1' })).toMatchObject({
      kind: 'declined',
      fallback: false,
    })
    expect(await answered({ resultCode: 'Error' })).toMatchObject({ kind: 'unknown' })
  })

  test.each(['Pending', 'Received', 'PartiallyAuthorised', 'AnUnknownStatus'])(
    '%s is not final',
    async (resultCode) => {
      expect(await answered({ resultCode, pspReference: 'P1' })).toMatchObject({
        kind: 'accepted',
        state: { state: 'processing' },
      })
    },
  )

  test.each([
    { resultCode: 'Authorised' },
    { resultCode: 'Authorised', pspReference: 'P1', merchantReference: 'another' },
    { resultCode: 'Authorised', pspReference: 'P1', amount: { currency: 'GBP', value: 999 } },
    { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'POST', url: 'https://acs.test/' } },
    { resultCode: 'ChallengeShopper', action: { type: 'threeDS2' } },
  ])('%j is unknown', async (answer) => {
    expect(await answered(answer)).toMatchObject({ kind: 'unknown' })
  })

  test('a key that is already in use leaves the first request unknown', async () => {
    expect(await answered({ status: 422, errorCode: '704', message: 'in progress' }, 422)).toMatchObject({
      kind: 'unknown',
    })
  })

  test('a refused return does not decline the payment', async () => {
    const { connector } = connectorAnswering({ status: 422, errorCode: '14_030' }, {}, 422)
    const outcome = await connector.receiveReturn?.(attempt, { redirectResult: 'X' })
    expect(outcome).toMatchObject({ kind: 'unknown' })
    expect(await connector.receiveReturn?.(attempt, {})).toMatchObject({ kind: 'not_sent' })
  })
})

describe('addresses', () => {
  test('the live host contains the merchant’s prefix', async () => {
    const { connector, calls } = connectorAnswering({}, { liveUrlPrefix: '1797a841fbb37ca7-Acme' })
    await connector.collect?.(attempt, details)
    expect(calls[0]?.url).toBe(
      'https://1797a841fbb37ca7-Acme-checkout-live.adyenpayments.com/checkout/v72/payments',
    )
  })

  test('the key of the balance platform is sent only there', async () => {
    const { connector, calls } = connectorAnswering({})
    await connector.collect?.(attempt, details)
    await connector.payout?.({ ...attempt, direction: 'payout' }, { name: 'A', bankAccount: { iban: 'X' } })
    expect(calls.map(({ headers }) => headers?.['x-api-key'])).toEqual(['key', 'other'])
    expect(calls.map(({ headers }) => headers?.['idempotency-key'])).toEqual([reference, reference])
  })
})

describe('amounts', () => {
  test.each([
    ['ISK', 5n, '500'],
    ['IDR', 500n, '5'],
    ['JPY', 5n, '5'],
    ['GBP', 5n, '5'],
  ])('%s %d is %s at Adyen', async (currency, amountMinor, value) => {
    const { connector, calls } = connectorAnswering({})
    await connector.collect?.({ ...attempt, amount: { amountMinor, currency } }, details)
    expect(calls[0]?.body).toContain(`"amount":{"currency":"${currency}","value":${value}}`)
  })

  test('an amount with decimals that Adyen does not support is never rounded', async () => {
    const { connector, calls } = connectorAnswering({})
    const amount = { amountMinor: 550n, currency: 'IDR' }
    expect(await connector.collect?.({ ...attempt, amount }, details)).toMatchObject({ kind: 'declined' })
    expect(calls).toEqual([])
  })
})

describe('payment links', () => {
  const amount = { currency: 'GBP', value: 2000 }
  const link = { id: 'PL1', reference: `${reference}.link`, url: 'https://pay.test/PL1', amount }
  const ask = (answer: object) =>
    connectorAnswering({ ...link, ...answer }).connector.inquire({ ...attempt, providerRef: 'PL1' })

  test('a paid link waits for its webhook, and completes without it after a while', async () => {
    const early = { status: 'completed', updatedAt: new Date(now.getTime() - 60_000) }
    const late = { status: 'completed', updatedAt: new Date(now.getTime() - 900_000) }
    expect(await ask(early)).toMatchObject({ state: { state: 'processing' } })
    const paid = { amountMinor: 2000n, currency: 'GBP' }
    expect(await ask(late)).toMatchObject({ state: { state: 'completed' }, amount: paid })
    expect(await ask({ status: 'completed' })).toMatchObject({ state: { state: 'processing' } })
  })

  test('a refused card leaves the link open with its id', () => {
    const { connector } = connectorAnswering({})
    const read = (success: string) => connector.readWebhook?.(notification({ success }, `${reference}.link`))
    expect(read('false')).toMatchObject([{ reference, providerRef: null, state: { state: 'pending' } }])
    expect(read('true')).toMatchObject([{ reference, providerRef: 'PSP1', state: { state: 'completed' } }])
  })

  test('a link without a known payment cannot be refunded', async () => {
    const { connector, calls } = connectorAnswering({})
    const refund = { reference, providerRef: null, amount: attempt.amount, isPartial: false }
    expect(await connector.refund?.({ ...attempt, providerRef: 'PL1' }, refund)).toMatchObject({
      kind: 'declined',
      failure: { code: 'NOT_REFUNDABLE' },
    })
    expect(calls).toEqual([])
  })
})

/** The signature as Adyen's library computes it. */
function notification(change: object, merchantReference = reference, key = hexKey): Buffer {
  const item = {
    pspReference: 'PSP1',
    originalReference: '',
    merchantAccountCode: 'ACME',
    merchantReference,
    amount: { value: 1000, currency: 'GBP' },
    eventCode: 'AUTHORISATION',
    success: 'true',
    ...change,
  }
  const names = [item.pspReference, item.originalReference, item.merchantAccountCode, merchantReference]
  const text = [...names, item.amount.value, item.amount.currency, item.eventCode, item.success].join(':')
  const hmacSignature = createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64')
  const NotificationRequestItem = { ...item, additionalData: { hmacSignature } }
  return Buffer.from(JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem }] }))
}

const verdict = async (rawBody: Buffer, headers: Record<string, string> = {}, change: object = {}) => {
  const request = { headers, rawBody, method: 'POST', url: 'https://api.test/hook' }
  return (await connectorAnswering({}, change).connector.verifyWebhook?.(request))?.kind
}

describe('notifications of payments', () => {
  test('are verified over their documented fields, with any of the keys', async () => {
    expect(await verdict(notification({}))).toBe('verified')
    expect(await verdict(notification({}), {}, { hmacKeys: [transferKey, hexKey] })).toBe('verified')
    expect(await verdict(notification({}, reference, transferKey))).toBe('forged')
  })

  test('one forged item makes the whole notification forged', async () => {
    const items = [notification({}), notification({}, reference, transferKey)].flatMap(
      (body) => JSON.parse(body.toString()).notificationItems,
    )
    expect(await verdict(Buffer.from(JSON.stringify({ notificationItems: items })))).toBe('forged')
  })

  test('those of another merchant account are ignored', async () => {
    expect(await verdict(notification({ merchantAccountCode: 'OTHER' }))).toBe('forged')
  })

  test('a transfer in the same body as a genuine item is not read', () => {
    const data = { id: 'T1', status: 'booked', reference: 'other', amount: { value: 1, currency: 'GBP' } }
    const rider = { type: 'balancePlatform.transfer.updated', data }
    const both = { ...JSON.parse(notification({}).toString()), ...rider }
    const updates = connectorAnswering({}).connector.readWebhook?.(Buffer.from(JSON.stringify(both)))
    expect(updates?.map((update) => update.reference)).toEqual([reference])
  })

  test.each([
    ['CAPTURE_FAILED', 'true', 'attempt', 'failed'],
    ['CANCELLATION', 'true', 'attempt', 'canceled'],
    ['EXPIRE', 'true', 'attempt', 'failed'],
    ['REFUND', 'true', 'refund', 'completed'],
    ['REFUND', 'false', 'refund', 'failed'],
    ['REFUND_FAILED', 'true', 'refund', 'failed'],
  ])('%s %s updates the %s: %s', (eventCode, success, subject, state) => {
    const body = notification({ eventCode, success, pspReference: 'MOD1', originalReference: 'PSP1' })
    const providerRef = subject === 'refund' ? 'MOD1' : 'PSP1'
    const updates = connectorAnswering({}).connector.readWebhook?.(body)
    expect(updates).toMatchObject([{ subject, providerRef, state: { state } }])
  })

  test.each(['REPORT_AVAILABLE', 'CAPTURE', 'CHARGEBACK'])('%s is no update', (eventCode) => {
    expect(connectorAnswering({}).connector.readWebhook?.(notification({ eventCode }))).toEqual([])
  })
})

describe('webhooks of transfers', () => {
  const data = { id: 'T1', status: 'booked', reference, amount: { value: 1000, currency: 'GBP' } }
  const body = Buffer.from(JSON.stringify({ type: 'balancePlatform.transfer.updated', data }))
  const sign = (key: string) => createHmac('sha256', Buffer.from(key, 'hex')).update(body).digest('base64')

  test('are verified as a whole: a wrong or missing signature or a changed byte is forged', async () => {
    const headers = { hmacsignature: sign(transferKey) }
    expect(await verdict(body, headers)).toBe('verified')
    expect(await verdict(body)).toBe('forged')
    expect(await verdict(body, { hmacsignature: sign(hexKey) })).toBe('forged')
    for (let position = 0; position < body.length; position += 1) {
      const changed = Buffer.from(body)
      changed[position] = (changed[position] ?? 0) ^ 1
      expect(await verdict(changed, headers)).toBe('forged')
    }
  })

  test('a replay has the same dedupe key', () => {
    const { connector } = connectorAnswering({})
    const [first, second] = [connector.readWebhook?.(body), connector.readWebhook?.(body)]
    expect(first).toEqual(second)
    expect(first).toMatchObject([{ reference, state: { state: 'completed' }, providerRef: 'T1' }])
  })

  test.each([
    ['returned', null, 'failed'],
    ['error', 'internalTimeout', 'processing'],
    ['error', 'counterpartyAccountClosed', 'failed'],
    ['pendingApproval', null, 'processing'],
    ['aWordOfNextYear', null, 'processing'],
  ])('%s (%s) is %s', (status, reason, state) => {
    const event = { type: 'balancePlatform.transfer.updated', data: { ...data, status, reason } }
    const updates = connectorAnswering({}).connector.readWebhook?.(Buffer.from(JSON.stringify(event)))
    expect(updates).toMatchObject([{ state: { state } }])
  })
})
