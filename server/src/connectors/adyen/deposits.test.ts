import { describe, expect, test } from 'vitest'
import type { Attempt, Connector } from '../kit/connector.ts'
import { adyenConnector } from './connector.ts'

const reference = '5c2c5a39-6ec8-4a1e-8d5c-0a1d4b5d9c11'
const now = new Date('2026-05-01T12:00:00Z')
const key = '51757397D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB'

function connectorAnswering(answer: unknown, change: object = { accountHolder: 'Acme B.V.' }): Connector {
  const transfers = { apiKey: 'other', balanceAccountId: 'BA1', hmacKeys: [key], ...change }
  return adyenConnector.create({
    credentials: adyenConnector.credentials.parse({
      apiKey: 'key',
      merchantAccount: 'ACME',
      hmacKeys: [key],
      transfers,
    }),
    http: async () => ({ kind: 'answered', status: 200, headers: {}, body: JSON.stringify(answer) }),
    clock: { now: () => now },
    webhookUrl: 'https://api.test/hook',
  })
}
const connector = connectorAnswering({})

/** A deposit as Adyen reports it. */
const deposited = {
  id: '3JTRANSFER',
  type: 'bankTransfer',
  category: 'bank',
  direction: 'incoming',
  status: 'booked',
  reason: 'approved',
  reference: '3XBIC2Z9Y',
  referenceForBeneficiary: 'Invoice 7',
  amount: { currency: 'EUR', value: 12_345 },
  balanceAccount: { id: 'BA1' },
  paymentInstrument: { id: 'PI1' },
  counterparty: {
    bankAccount: {
      accountHolder: { fullName: 'A. Klaassen' },
      accountIdentification: { type: 'iban', iban: 'NL91ABNA0417164300' },
    },
  },
}
const bodyOf = (change: object, rest: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'balancePlatform.transfer.updated',
      data: { ...deposited, ...change },
      ...rest,
    }),
  )

describe('a webhook about an incoming transfer', () => {
  test('that is booked is a deposit to the account that it names', () => {
    expect(connector.readDeposits?.(bodyOf({}))).toEqual([
      {
        dedupeKey: 'deposit:3JTRANSFER',
        providerRef: '3JTRANSFER',
        accountNumber: 'PI1',
        amount: { amountMinor: 12_345n, currency: 'EUR' },
        sender: { name: 'A. Klaassen', accountNumber: 'NL91ABNA0417164300' },
        description: 'Invoice 7',
      },
    ])
    expect(connector.readWebhook?.(bodyOf({}))).toEqual([])
  })

  test.each(['received', 'authorised', 'refused', 'failed'])('that is %s has moved nothing', (status) => {
    expect(connector.readDeposits?.(bodyOf({ status }))).toEqual([])
    expect(connector.readWebhook?.(bodyOf({ status }))).toEqual([])
  })

  test.each([
    ['a direct debit, which takes money out', { type: 'bankDirectDebit' }],
    ['a deposit that was returned', { status: 'returned' }],
    ['an amount below zero', { amount: { currency: 'EUR', value: -1 } }],
    ['an amount of nothing', { amount: { currency: 'EUR', value: 0 } }],
  ])('%s is no deposit and is reported for a person to look at', (_title, change) => {
    expect(connector.readDeposits?.(bodyOf(change))).toEqual([])
    expect(connector.readWebhook?.(bodyOf(change))).toMatchObject([{ reference: '3JTRANSFER' }])
  })

  test('to another balance account is not ours', () => {
    const elsewhere = bodyOf({ balanceAccount: { id: 'BA2' } })
    expect(connector.readDeposits?.(elsewhere)).toEqual([])
    expect(connector.readWebhook?.(elsewhere)).toEqual([])
  })

  test('to the balance account itself names no virtual account', () => {
    expect(connector.readDeposits?.(bodyOf({ paymentInstrument: null }))).toMatchObject([
      { accountNumber: 'BA1' },
    ])
  })

  test('completes no payout, although its sender chose the reference of one', () => {
    expect(connector.readWebhook?.(bodyOf({ reference }))).toEqual([])
  })

  test('is not read from a body whose payment items alone are signed', () => {
    const item = {
      pspReference: 'P1',
      merchantAccountCode: 'ACME',
      merchantReference: reference,
      amount: { currency: 'EUR', value: 1 },
      eventCode: 'AUTHORISATION',
      success: 'true',
      additionalData: { hmacSignature: 'x' },
    }
    const mixed = bodyOf({}, { notificationItems: [{ NotificationRequestItem: item }] })
    expect(connector.readDeposits?.(mixed)).toEqual([])
  })
})

describe('the list of transfers', () => {
  const attempt: Attempt = {
    reference,
    providerRef: null,
    direction: 'payout',
    method: 'bank_transfer',
    country: 'NL',
    amount: { amountMinor: 12_345n, currency: 'EUR' },
    createdAt: now,
  }
  const listed = async (change: object) =>
    (await connectorAnswering({ data: [{ ...deposited, ...change }] }).listTransactions?.(now, null))
      ?.transactions

  test('an incoming transfer with the reference of a payout is not that payout', async () => {
    const list = connectorAnswering({ data: [{ ...deposited, reference }], _links: {} })
    expect(await list.inquire(attempt)).toEqual({ kind: 'not_found' })
    const named = connectorAnswering({ ...deposited, reference })
    expect(await named.inquire({ ...attempt, providerRef: '3JTRANSFER' })).toMatchObject({ kind: 'unknown' })
    expect(await listed({ reference })).toMatchObject([{ reference: null, direction: 'payin' }])
  })

  test('a return and a direct debit are named apart from the deposit, and open ones are not listed', async () => {
    expect(await listed({ status: 'returned' })).toMatchObject([
      { reference: null, providerRef: '3JTRANSFER returned' },
    ])
    expect(await listed({ type: 'bankDirectDebit' })).toMatchObject([
      { reference: null, providerRef: '3JTRANSFER booked' },
    ])
    expect(await listed({ status: 'authorised' })).toEqual([])
  })
})

describe('an account', () => {
  const wanted = { reference, name: 'Ada', country: 'NL', currency: 'GBP' }

  test.each([
    ['without a sort code', { id: 'PI1', bankAccount: { accountNumber: '20010731' } }],
    ['without a number', { id: 'PI1', bankAccount: { sortCode: '042957' } }],
    ['without an id', { bankAccount: { accountNumber: '20010731', sortCode: '042957' } }],
  ])('%s could receive nothing, so none is opened', async (_title, answer) => {
    expect(await connectorAnswering(answer).openAccount?.(wanted)).toMatchObject({ kind: 'refused' })
  })

  test('is opened only in the currencies and under the name that are configured', async () => {
    const answer = { id: 'PI1', bankAccount: { accountNumber: '20010731', sortCode: '042957' } }
    const euros = connectorAnswering(answer, { accountHolder: 'Acme B.V.', accountCurrencies: ['EUR'] })
    expect(await euros.openAccount?.(wanted)).toMatchObject({ kind: 'refused' })
    expect('openAccount' in connectorAnswering(answer, {})).toBe(false)
    expect(await connectorAnswering(answer).openAccount?.(wanted)).toMatchObject({
      kind: 'opened',
      account: { accountName: 'Acme B.V.', sortCode: '042957', depositKey: 'PI1' },
    })
  })
})
