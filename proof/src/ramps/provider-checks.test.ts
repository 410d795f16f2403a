import { describe, expect, it } from 'vitest'
import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import { isIdle, rampViolations, type LegRow, type RampEvidence } from './provider-checks.ts'

const at = '2026-11-01T10:00:00.000Z'

const leg = (kind: LegRow['kind'], change: Partial<LegRow> = {}): LegRow => ({
  paymentId: 'p-1',
  legNo: 1,
  kind,
  provider: 'circle',
  reference: kind,
  state: 'succeeded',
  currency: 'USD',
  amountMinor: '100000',
  outcomeCode: null,
  outcomeMessage: null,
  looks: 0,
  ...change,
})

const transaction = (reference: string, change: Partial<Transaction> = {}): Transaction => ({
  provider: 'circle',
  account: 'default',
  operation: reference === 'collection' ? 'collect' : 'payout',
  reference,
  providerRef: `at ${reference}`,
  method: 'bank_transfer',
  amount: '1000.00',
  currency: 'USD',
  state: 'completed',
  webhooks: 'once',
  plan: [],
  details: {},
  createdAt: at,
  updatedAt: at,
  ...change,
})

/** A ramp with these legs, which its provider accepted and completed. */
function evidenceOf(status: string, legs: LegRow[], changes: Record<string, Partial<Transaction>> = {}) {
  const transactions = legs.map(({ reference }) => transaction(reference, changes[reference]))
  const evidence: RampEvidence = {
    ramps: [
      {
        paymentId: 'p-1',
        clientReference: 'ramp-0',
        status,
        phase: 'closed',
        updatedAt: new Date(at),
        exceptions: [],
      },
    ],
    legs,
    acceptances: transactions.map((one, index) => ({
      ...one,
      sequence: index,
      kind: one.operation === 'collect' ? 'charge' : 'payout',
      at,
    })),
    transactions: new Map(transactions.map((one) => [one.reference, one])),
    deliveries: [],
  }
  return evidence
}

const problems = (evidence: RampEvidence): string[] => rampViolations(evidence).map(({ problem }) => problem)
const both = [leg('collection'), leg('delivery')]

describe('what the crash test of ramps finds', () => {
  it('nothing where ramp and provider agree', () => {
    expect(problems(evidenceOf('completed', both))).toEqual([])
    expect(problems(evidenceOf('refunded', [leg('collection'), leg('refund')]))).toEqual([])
    const declined = { collection: { state: 'failed' as const } }
    expect(problems(evidenceOf('failed', [leg('collection', { state: 'failed' })], declined))).toEqual([])
  })

  it('money that was collected and went nowhere', () => {
    expect(problems(evidenceOf('failed', [leg('collection')]))).toEqual([
      'it is failed, but its providers say in 1, out 0, back 0',
    ])
    const whole = [leg('whole', { state: 'failed' })]
    expect(problems(evidenceOf('failed', whole))).toHaveLength(1)
  })

  it('unless an exception was raised, or the provider reversed its outcome and the webhook was lost', () => {
    const evidence = evidenceOf('failed', [leg('collection')])
    const ramps = evidence.ramps.map((ramp) => ({ ...ramp, exceptions: ['ramp_underpaid'] }))
    expect(problems({ ...evidence, ramps })).toEqual([])
    const unsaid = { collection: { webhooks: 'never' as const } }
    expect(problems(evidenceOf('failed', [leg('collection', { state: 'failed' })], unsaid))).toEqual([])
  })

  it('an exception about a surplus does not explain where the rest went', () => {
    const evidence = evidenceOf('completed', [leg('collection')])
    const ramps = evidence.ramps.map((ramp) => ({ ...ramp, exceptions: ['ramp_overpaid'] }))
    expect(problems({ ...evidence, ramps })).toHaveLength(1)
  })

  it('money that was paid out twice, even with an exception', () => {
    const evidence = evidenceOf('completed', [...both, leg('refund')])
    const ramps = evidence.ramps.map((ramp) => ({ ...ramp, exceptions: ['ramp_reversed'] }))
    expect(problems({ ...evidence, ramps })).toEqual(['more was paid out than came in: in 1, out 1, back 1'])
  })

  it('a leg that was accepted twice, and one that was never committed', () => {
    const evidence = evidenceOf('completed', both)
    const twice = [...evidence.acceptances, ...evidence.acceptances.slice(1)]
    expect(problems({ ...evidence, acceptances: twice })[0]).toContain('one leg was accepted twice')
    expect(problems({ ...evidence, legs: [leg('collection')] })[0]).toContain('accepted without a leg')
  })

  it('a leg that is marked as not sent although it was accepted', () => {
    const unpaid = { collection: { state: 'failed' as const } }
    expect(problems(evidenceOf('failed', [leg('collection', { state: 'not_sent' })], unpaid))).toEqual([
      'its collection is not_sent, but it was accepted',
    ])
  })

  it('a different amount, a request that became two ramps, and a ramp that did not end', () => {
    expect(problems(evidenceOf('completed', both, { delivery: { amount: '999.00' } }))).toEqual([
      'its delivery moved 999.00 USD',
    ])
    const open = evidenceOf('processing', both)
    expect([problems(open), isIdle(open)]).toEqual([['it is still processing'], false])
    const evidence = evidenceOf('completed', both)
    expect(problems({ ...evidence, ramps: [...evidence.ramps, ...evidence.ramps] })).toEqual([
      'one request became 2 ramps',
    ])
  })
})
