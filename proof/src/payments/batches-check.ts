import { isSettled, type Status } from '@switchyard/server/domains/payments/lifecycle/rules.ts'
import type { BatchAmount } from './batch-evidence.ts'
import type { Evidence } from './evidence.ts'
import type { Violation } from './violation.ts'

const keyOf = ({ batchId, rowNo }: { batchId: string; rowNo: number }): string => `${batchId} ${rowNo}`
const amountOf = ({ currency, amountMinor }: BatchAmount): string => `${amountMinor} ${currency}`
const wrong = (subject: string, problem: string): Violation => ({ invariant: 'I17', subject, problem })

/** A row that was sent has exactly one payment, of its amount; any other row has none. */
export function rowsDiffer({ bulk }: Evidence): Violation[] {
  const paid = Map.groupBy(bulk.payments, keyOf)
  const known = new Set(bulk.rows.map(keyOf))
  const ofRows = bulk.rows.flatMap((row) => {
    const own = paid.get(keyOf(row)) ?? []
    const [payment] = own
    const subject = payment?.paymentId ?? keyOf(row)
    if (own.length !== (row.state === 'sent' ? 1 : 0))
      return [
        wrong(subject, `row ${row.rowNo} of ${row.batchId} is ${row.state} and has ${own.length} payments`),
      ]
    if (!payment) return []
    if (payment.paymentId !== row.paymentId) return [wrong(subject, `the row knows ${row.paymentId} instead`)]
    const [is, asked] = [amountOf(payment), amountOf(row)]
    return is === asked ? [] : [wrong(subject, `it pays ${is}, and its row asks for ${asked}`)]
  })
  const ofNobody = bulk.payments
    .filter((payment) => !known.has(keyOf(payment)))
    .map(({ paymentId }) => wrong(paymentId, 'it says that it pays a row which does not exist'))
  return [...ofRows, ...ofNobody]
}

/** The totals that people approved are those of the rows. */
export function totalsDiffer({ bulk }: Evidence): Violation[] {
  const rowsOf = Map.groupBy(bulk.rows, ({ batchId }) => batchId)
  return bulk.batches.flatMap(({ batchId, totals }) => {
    const summed = [...Map.groupBy(rowsOf.get(batchId) ?? [], ({ currency }) => currency)].map(
      ([currency, rows]) =>
        `${currency} ${rows.length} ${rows.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n)}`,
    )
    const stated = totals.map(({ currency, rows, amount_minor }) => `${currency} ${rows} ${amount_minor}`)
    const [is, asked] = [stated, summed].map((list) => list.toSorted().join(', '))
    return is === asked ? [] : [wrong(batchId, `its totals are ${is}, and its rows add up to ${asked}`)]
  })
}

/** What is approved is sent, and a batch that has ended has nothing left to do. */
export function batchesUnended({ bulk }: Evidence): Violation[] {
  const pending = new Set(bulk.rows.flatMap(({ state, batchId }) => (state === 'pending' ? [batchId] : [])))
  const open = new Set(
    bulk.payments.flatMap(({ status, batchId }) => (isSettled(status as Status) ? [] : [batchId])), // the column has these only
  )
  const sent = new Set(bulk.payments.map(({ batchId }) => batchId))
  return bulk.batches.flatMap(({ batchId, status }): Violation[] => {
    const isOver = ['completed', 'rejected', 'canceled'].includes(status)
    if (isOver && pending.has(batchId)) return [wrong(batchId, `it is ${status} and has pending rows`)]
    if (status === 'completed' && open.has(batchId))
      return [wrong(batchId, 'it is completed before its payments')]
    if (status === 'rejected' && sent.has(batchId))
      return [wrong(batchId, 'it was rejected and has payments')]
    const isStuck = (status === 'approved' || status === 'sending') && pending.has(batchId)
    return isStuck
      ? [{ invariant: 'I15', subject: batchId, problem: `it is ${status} and has pending rows` }]
      : []
  })
}
