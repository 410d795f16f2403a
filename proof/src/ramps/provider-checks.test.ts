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

/** A ramp of these legs, which its provider took and finished. */
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
const both = [leg('collection'), leg('settlement')]

describe('what the crash test of ramps finds', () => {
  it('nothing where ramp and provider agree', () => {
    expect(problems(evidenceOf('completed', both))).toEqual([])
    expect(problems(evidenceOf('refunded', [leg('collection'), leg('refund')]))).toEqual([])
    const declined = { collection: { state: 'failed' as const } }
    expect(problems(evidenceOf('failed', [leg('collection', { state: 'failed' })], declined))).toEqual([])
  })

  it('money that was taken and went nowhere', () => {
    expect(problems(evidenceOf('failed', [leg('collection')]))).toEqual([
      'it is failed, but its providers say in 1, out 0, back 0',
    ])
    const whole = [leg('whole', { state: 'failed' })]
    expect(problems(evidenceOf('failed', whole))).toHaveLength(1)
  })

  it('unless a person was told, or the provider went back on its word and nobody was', () => {
    const evidence = evidenceOf('failed', [leg('collection')])
    const ramps = evidence.ramps.map((ramp) => ({ ...ramp, exceptions: ['ramp_underpaid'] }))
    expect(problems({ ...evidence, ramps })).toEqual([])
    const unsaid = { collection: { webhooks: 'never' as const } }
    expect(problems(evidenceOf('failed', [leg('collection', { state: 'failed' })], unsaid))).toEqual([])
  })

  it('a surplus in front of a person does not say where the rest went', () => {
    const evidence = evidenceOf('completed', [leg('collection')])
    const ramps = evidence.ramps.map((ramp) => ({ ...ramp, exceptions: ['ramp_overpaid'] }))
    expect(problems({ ...evidence, ramps })).toHaveLength(1)
  })

  it('what left twice, even with an exception', () => {
    const evidence = evidenceOf('completed', [...both, leg('refund')])
    const ramps = evidence.ramps.map((ramp) => ({ ...ramp, exceptions: ['ramp_reversed'] }))
    expect(problems({ ...evidence, ramps })).toEqual(['more left than came: in 1, out 1, back 1'])
  })

  it('a leg that was taken twice, and one that was never written', () => {
    const evidence = evidenceOf('completed', both)
    const twice = [...evidence.acceptances, ...evidence.acceptances.slice(1)]
    expect(problems({ ...evidence, acceptances: twice })[0]).toContain('one leg was taken twice')
    expect(problems({ ...evidence, legs: [leg('collection')] })[0]).toContain('taken without a leg')
  })

  it('a leg that is called never sent although it was taken', () => {
    const unpaid = { collection: { state: 'failed' as const } }
    expect(problems(evidenceOf('failed', [leg('collection', { state: 'not_sent' })], unpaid))).toEqual([
      'its collection is not_sent, but it was taken',
    ])
  })

  it('another amount, a request that became two ramps, and one that did not end', () => {
    expect(problems(evidenceOf('completed', both, { settlement: { amount: '999.00' } }))).toEqual([
      'its settlement moved 999.00 USD',
    ])
    const open = evidenceOf('processing', both)
    expect([problems(open), isIdle(open)]).toEqual([['it is still processing'], false])
    const evidence = evidenceOf('completed', both)
    expect(problems({ ...evidence, ramps: [...evidence.ramps, ...evidence.ramps] })).toEqual([
      'one request became 2 ramps',
    ])
  })
})
