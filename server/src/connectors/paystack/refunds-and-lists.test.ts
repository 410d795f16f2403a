import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import type { Attempt, Connector } from '../kit/connector.ts'
import { createAgent, createHttpClient } from '../kit/http-client.ts'
import { paystackConnector } from './connector.ts'

const secretKey = 'sk_test_switchyard_sandbox'
const agent = createAgent()
const paths: string[] = []
let simulator: Simulator
let connector: Connector

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 86_400_000 })
  const http = createHttpClient(agent)
  connector = paystackConnector.create({
    credentials: paystackConnector.credentials.parse({
      baseUrl: simulator.providerUrl('paystack'),
      secretKey,
    }),
    http: (call) => {
      paths.push(new URL(call.url).pathname)
      return http(call)
    },
    clock: { now: () => new Date() },
    webhookUrl: 'https://api.test/hook',
  })
})
afterEach(() => simulator.setFaults('paystack', []))
afterAll(async () => {
  await simulator.stop()
  await agent.destroy()
})

const naira = { amountMinor: 15_000n, currency: 'NGN' }
const attemptOf = (more: Partial<Attempt> = {}): Attempt => ({
  reference: randomUUID(),
  providerRef: null,
  direction: 'payin',
  method: 'mobile_money',
  country: 'GH',
  amount: { amountMinor: 15_000n, currency: 'GHS' },
  createdAt: new Date(),
  ...more,
})

async function paid(): Promise<Attempt> {
  const attempt = attemptOf()
  await connector.collect!(attempt, {
    payer: { email: 'ama@example.com' },
    mobileMoney: { network: 'MTN', phoneNumber: '+233551234987' },
    returnUrl: 'https://shop.test/back',
  })
  await simulator.settle({ reference: attempt.reference })
  paths.length = 0
  return attempt
}

describe('refunds', () => {
  const refundOf = (amountMinor: bigint) => ({
    reference: randomUUID(),
    providerRef: null,
    amount: { amountMinor, currency: 'GHS' },
    isPartial: true,
  })

  test('a repeated partial refund is found by its note and not sent again', async () => {
    const attempt = await paid()
    const refund = refundOf(100n)
    const [first, again] = [
      await connector.refund!(attempt, refund),
      await connector.refund!(attempt, refund),
    ]
    expect(again).toEqual(first)
    expect(simulator.log({ reference: refund.reference })).toHaveLength(1)
    expect(await connector.inquireRefund!(attempt, refundOf(100n))).toEqual({ kind: 'not_found' })
  })

  test('a refund does not depend on how many others the account has made', async () => {
    const asked: URL[] = []
    const ofOthers = Array.from({ length: 100 }, (_, index) => ({
      id: index + 1,
      status: 'processed',
      amount: 100,
      currency: 'GHS',
      transaction_reference: `other-${index}`,
      merchant_note: 'x',
    }))
    const busy = paystackConnector.create({
      credentials: paystackConnector.credentials.parse({ secretKey }),
      http: async (call) => {
        const url = new URL(call.url)
        asked.push(url)
        const isOfPayment = url.searchParams.get('transaction') === '4711'
        const list = {
          data: isOfPayment ? [] : ofOthers,
          meta: { pageCount: isOfPayment ? 1 : 1_001, total: isOfPayment ? 0 : 100_001 },
        }
        const sent = { data: { id: 1, status: 'pending', transaction: {} } }
        const answer = { status: true, message: 'ok', ...(call.method === 'POST' ? sent : list) }
        return { kind: 'answered', status: 200, headers: {}, body: JSON.stringify(answer) }
      },
      clock: { now: () => new Date() },
      webhookUrl: 'https://api.test/hook',
    })
    const attempt = attemptOf({ providerRef: '4711', createdAt: new Date(Date.now() - 30 * 86_400_000) })
    expect(await busy.refund!(attempt, refundOf(100n))).toMatchObject({ kind: 'accepted', providerRef: '1' })
    expect(asked).toHaveLength(2)
  })

  test('a refund that we did not send makes "not found" unknown', async () => {
    const attempt = await paid()
    await fetch(`${simulator.providerUrl('paystack')}/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ transaction: attempt.reference, amount: 100 }),
    })
    expect(await connector.inquireRefund!(attempt, refundOf(100n))).toMatchObject({ kind: 'unknown' })
    expect(await connector.refund!(attempt, refundOf(100n))).toMatchObject({ kind: 'accepted' })
  })

  test('nothing is sent if the previous refunds cannot be listed', async () => {
    const attempt = await paid()
    simulator.setFaults('paystack', [{ on: 'list', fault: 'malformed_200' }])
    expect(await connector.refund!(attempt, refundOf(100n))).toMatchObject({ kind: 'not_sent' })
    expect(paths).toEqual(['/paystack/refund'])
  })
})

describe('lists', () => {
  test('payins, then payouts, page by page, since a date', async () => {
    const since = new Date()
    const references = new Set<string>()
    for (let count = 0; count < 101; count += 1) references.add((await paid()).reference)
    const out = attemptOf({ direction: 'payout', method: 'bank_transfer', country: 'NG', amount: naira })
    await connector.payout!(out, {
      name: 'Ada Obi',
      bankAccount: { accountNumber: '0123456789', bankCode: '058' },
    })
    const first = await connector.listTransactions!(since, null)
    const second = await connector.listTransactions!(since, first.nextCursor)
    const third = await connector.listTransactions!(since, second.nextCursor)
    expect([first, second, third].map((page) => page.transactions.length)).toEqual([100, 1, 1])
    const payins = [...first.transactions, ...second.transactions]
    expect(new Set(payins.map(({ reference }) => reference))).toEqual(references)
    expect(payins[0]).toMatchObject({
      direction: 'payin',
      state: { state: 'completed' },
      providerStatus: 'success',
    })
    expect(third).toMatchObject({
      transactions: [
        { reference: out.reference, direction: 'payout', amount: naira, state: { state: 'processing' } },
      ],
      nextCursor: null,
    })
  })

  test.each([
    ['the fees that the payer bore', { amount: 10_152, requested_amount: 10_000, fees: 152 }, 10_000n],
    ['more than the fees', { amount: 10_200, requested_amount: 10_000, fees: 152 }, 10_200n],
    ['more, and no fees', { amount: 10_152, requested_amount: 10_000, fees: null }, 10_152n],
    ['a part of what was asked for', { amount: 4_000, requested_amount: 10_000, fees: 60 }, 4_000n],
    ['nothing about what was asked for', { amount: 10_152, fees: 152 }, 10_152n],
  ])('a row with %s', async (_what, named, amountMinor) => {
    const row = { id: 1, status: 'success', reference: randomUUID(), currency: 'NGN', ...named }
    const listing = paystackConnector.create({
      credentials: paystackConnector.credentials.parse({ secretKey }),
      http: async (call) => {
        const data = new URL(call.url).pathname === '/transaction' ? [row] : []
        const body = JSON.stringify({ status: true, message: 'ok', data, meta: { pageCount: 1 } })
        return { kind: 'answered', status: 200, headers: {}, body }
      },
      clock: { now: () => new Date() },
      webhookUrl: 'https://api.test/hook',
    })
    const { transactions } = await listing.listTransactions!(new Date(), null)
    expect(transactions).toMatchObject([{ amount: { amountMinor, currency: 'NGN' } }])
  })

  test('networks are those of the country; other countries have none', async () => {
    const names = async (country: string) =>
      (await connector.listNetworks!(country)).map(({ network }) => network)
    expect(await names('GH')).toEqual(['ATL', 'MTN', 'VOD'])
    expect(await names('KE')).toEqual(['MPESA'])
    expect(await names('NG')).toEqual([])
  })

  test('banks are those of the country, without its mobile money; other countries have none', async () => {
    const codes = async (country: string) => (await connector.listBanks!(country)).map(({ code }) => code)
    const ghana = await codes('GH')
    expect(ghana).toContain('040100')
    for (const code of ['ATL', 'MTN', 'VOD']) expect(ghana).not.toContain(code)
    const kenya = await codes('KE')
    expect(kenya).toContain('68')
    for (const code of ['MPESA', 'MPTILL', 'MPPAYBILL']) expect(kenya).not.toContain(code)
    expect(await codes('ZA')).toContain('250655')
    expect(await codes('UG')).toEqual([])
  })
})
