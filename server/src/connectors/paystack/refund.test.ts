import { describe, expect, test } from 'vitest'
import type { Attempt } from '../kit/connector.ts'
import type { Reply } from '../kit/replies.ts'
import type { PaystackClient } from './client.ts'
import { listRefunds, paystackRefunds } from './refund.ts'

const createdAt = new Date('2026-03-01T12:00:00Z')
const attempt: Attempt = {
  reference: 'ours',
  providerRef: '4711',
  direction: 'payin',
  method: 'card',
  country: 'NG',
  amount: { amountMinor: 150_000n, currency: 'NGN' },
  createdAt,
}
const row = (id: number, more: object = {}) => ({
  id,
  status: 'processed',
  amount: 100,
  currency: 'NGN',
  transaction_reference: 'ours',
  merchant_note: 'note',
  ...more,
})

/** Answers page after page, and records what it was asked. */
function pagesOf(pages: readonly (readonly object[])[], pageCount = pages.length) {
  const asked: URL[] = []
  const client: PaystackClient = (path) => {
    const url = new URL(path, 'https://api.paystack.co')
    asked.push(url)
    const data = pages[Number(url.searchParams.get('page')) - 1] ?? []
    return Promise.resolve<Reply>({ kind: 'handled', data, meta: { pageCount } })
  }
  return { client, asked }
}

describe('the refunds of a payment', () => {
  test('are asked for by the id of its transaction, since shortly before it was created', async () => {
    const { client, asked } = pagesOf([[row(1)]])
    await listRefunds(client, { attempt })
    expect(asked[0]?.pathname).toBe('/refund')
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
      transaction: '4711',
      from: '2026-03-01T11:50:00.000Z',
      perPage: '100',
      page: '1',
    })
  })

  test.each([null, 'TRF_1'])(
    'are not asked for by an id that is none of a transaction: %s',
    async (providerRef) => {
      const { client, asked } = pagesOf([[]])
      await listRefunds(client, { attempt: { ...attempt, providerRef } })
      expect(asked[0]?.searchParams.has('transaction')).toBe(false)
    },
  )

  test('are those with its reference, with their amounts and notes', async () => {
    const { client } = pagesOf([[row(1), row(2, { transaction_reference: 'theirs' })]])
    expect(await listRefunds(client, { attempt })).toEqual([
      {
        providerRef: '1',
        reference: 'note',
        refundOf: { reference: 'ours', providerRef: null },
        amount: { amountMinor: 100n, currency: 'NGN' },
        providerStatus: 'processed',
        state: { state: 'completed' },
      },
    ])
  })

  test('are all of an account where no payment is named', async () => {
    const { client, asked } = pagesOf([
      [row(1), row(2, { transaction_reference: null, merchant_note: null })],
    ])
    const found = await listRefunds(client, { since: createdAt })
    expect(found?.map(({ reference, refundOf }) => [reference, refundOf.reference])).toEqual([
      ['note', 'ours'],
      [null, null],
    ])
    expect(asked[0]?.searchParams.get('from')).toBe('2026-03-01T11:50:00.000Z')
  })
})

describe('a list of refunds', () => {
  test('is read to its last page', async () => {
    const { client, asked } = pagesOf([[row(1)], [row(2)], [row(3)]])
    const found = await listRefunds(client, { attempt })
    expect(found?.map(({ providerRef }) => providerRef)).toEqual(['1', '2', '3'])
    expect(asked.map(({ searchParams }) => searchParams.get('page'))).toEqual(['1', '2', '3'])
  })

  test('of ten pages is complete, and one of eleven is not', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => [row(index)])
    expect(await listRefunds(pagesOf(pages).client, { attempt })).toHaveLength(10)
    const longer = pagesOf([...pages, [row(10)]])
    expect(await listRefunds(longer.client, { attempt })).toBeUndefined()
    expect(longer.asked).toHaveLength(10)
  })

  test('that cannot be read is incomplete, not empty', async () => {
    const refused: PaystackClient = () =>
      Promise.resolve<Reply>({ kind: 'refused', status: 500, words: [], data: null })
    expect(await listRefunds(refused, { attempt })).toBeUndefined()
  })

  test.each([{ id: null }, { amount: null }, { currency: null }, { currency: '' }])(
    'with a refund of which something is missing is incomplete: %j',
    async (missing) => {
      expect(await listRefunds(pagesOf([[row(1), row(2, missing)]]).client, { attempt })).toBeUndefined()
    },
  )
})

test('a refund whose id we know is looked up by that id', async () => {
  const paths: string[] = []
  const client: PaystackClient = (path) => {
    paths.push(path)
    return Promise.resolve<Reply>({ kind: 'handled', data: row(7), meta: null })
  }
  const refund = { reference: 'r', providerRef: 'a/7', amount: attempt.amount, isPartial: false }
  expect(await paystackRefunds(client).inquireRefund(attempt, refund)).toMatchObject({
    kind: 'accepted',
    providerRef: '7',
    state: { state: 'completed' },
  })
  expect(paths).toEqual(['/refund/a%2F7'])
})

test('a refund is sent with its amount, its currency and our reference as its note', async () => {
  const bodies: unknown[] = []
  const client: PaystackClient = (path, body) => {
    if (body !== undefined) bodies.push([path, JSON.parse(JSON.stringify(body))])
    const data = body === undefined ? [] : row(7, { status: 'pending' })
    return Promise.resolve<Reply>({ kind: 'handled', data, meta: { pageCount: 1 } })
  }
  const refund = { reference: 'r', providerRef: null, amount: attempt.amount, isPartial: false }
  expect(await paystackRefunds(client).refund(attempt, refund)).toMatchObject({
    kind: 'accepted',
    state: { state: 'processing' },
  })
  expect(bodies).toMatchObject([['/refund', { transaction: 'ours', currency: 'NGN', merchant_note: 'r' }]])
})

describe('a refund that may have been sent before', () => {
  const refund = { reference: 'note', providerRef: null, amount: attempt.amount, isPartial: false }

  test('is the one with our reference as its note', async () => {
    const { client, asked } = pagesOf([[row(1)]])
    expect(await paystackRefunds(client).refund(attempt, refund)).toEqual({
      kind: 'accepted',
      providerRef: '1',
      providerStatus: 'processed',
      state: { state: 'completed' },
    })
    expect(asked).toHaveLength(1)
  })

  test('is not sent while the list cannot be read', async () => {
    const down: PaystackClient = () => Promise.resolve<Reply>({ kind: 'unknown', reason: 'no answer' })
    expect((await paystackRefunds(down).refund(attempt, refund)).kind).toBe('not_sent')
  })
})
