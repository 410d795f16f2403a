import { expect, test } from 'vitest'
import { batchesUnended, rowsDiffer, totalsDiffer } from './batches-check.ts'
import type { BatchPayment, BatchRecord, BatchRecords, BatchRowRecord } from './batch-evidence.ts'
import type { Evidence } from './evidence.ts'

const batch: BatchRecord = {
  batchId: 'b',
  status: 'completed',
  totals: [{ currency: 'NGN', rows: 2, amount_minor: '300' }],
}
const amount = { currency: 'NGN', amountMinor: '150' }
const row = (rowNo: number, change: Partial<BatchRowRecord> = {}): BatchRowRecord => ({
  batchId: 'b',
  rowNo,
  paymentId: `p${rowNo}`,
  state: 'sent',
  ...amount,
  ...change,
})
const payment = (rowNo: number, change: Partial<BatchPayment> = {}): BatchPayment => ({
  paymentId: `p${rowNo}`,
  status: 'completed',
  batchId: 'b',
  rowNo,
  ...amount,
  ...change,
})
const bulk: BatchRecords = {
  batches: [batch],
  rows: [row(1), row(2)],
  payments: [payment(1), payment(2)],
}

/** The judges read nothing else. */
const found = (change: Partial<BatchRecords>): string[] =>
  [rowsDiffer, totalsDiffer, batchesUnended].flatMap((judge) =>
    judge({ bulk: { ...bulk, ...change } } as Evidence).map(
      ({ invariant, problem }) => `${invariant} ${problem}`,
    ),
  )

test('a batch of which every row is one payment is right', () => {
  expect(found({})).toEqual([])
})

test.each<[string, Partial<BatchRecords>, string]>([
  [
    'two payments of one row',
    { payments: [...bulk.payments, payment(2, { paymentId: 'p3' })] },
    'I17 row 2 of b is sent and has 2 payments',
  ],
  ['a sent row without a payment', { payments: [payment(1)] }, 'I17 row 2 of b is sent and has 0 payments'],
  [
    'a payment of a canceled row',
    { rows: [row(1), row(2, { state: 'canceled' })] },
    'I17 row 2 of b is canceled and has 1 payments',
  ],
  [
    'a payment that its row does not know',
    { rows: [row(1), row(2, { paymentId: 'other' })] },
    'I17 the row knows other instead',
  ],
  [
    'a payment of another amount',
    { payments: [payment(1), payment(2, { amountMinor: '15' })] },
    'I17 it pays 15 NGN, and its row asks for 150 NGN',
  ],
  [
    'a payment of no row',
    { payments: [...bulk.payments, payment(7)] },
    'I17 it says that it pays a row which does not exist',
  ],
  [
    'totals that are not those of the rows',
    { batches: [{ ...batch, totals: [{ currency: 'NGN', rows: 2, amount_minor: '200' }] }] },
    'I17 its totals are NGN 2 200, and its rows add up to NGN 2 300',
  ],
  [
    'a completed batch with an open payment',
    { payments: [payment(1), payment(2, { status: 'processing' })] },
    'I17 it is completed before its payments',
  ],
  [
    'a rejected batch with payments',
    { batches: [{ ...batch, status: 'rejected' }] },
    'I17 it was rejected and has payments',
  ],
  [
    'a canceled batch with a row that may still be sent',
    {
      batches: [{ ...batch, status: 'canceled' }],
      rows: [row(1), row(2, { state: 'pending' })],
      payments: [payment(1)],
    },
    'I17 it is canceled and has pending rows',
  ],
  [
    'a batch that nobody sends',
    {
      batches: [{ ...batch, status: 'sending' }],
      rows: [row(1), row(2, { state: 'pending' })],
      payments: [payment(1)],
    },
    'I15 it is sending and has pending rows',
  ],
])('%s is a violation', (_name, change, expected) => {
  expect(found(change)).toEqual([expected])
})
