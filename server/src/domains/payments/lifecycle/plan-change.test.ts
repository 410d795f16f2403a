import { describe, expect, it } from 'vitest'
import { defaultPollSchedule } from '../attempts/rules.ts'
import { fundingStatements, planChange } from './plan-change.ts'
import type { Payment } from '../record.ts'
import { noSums } from '../sums/record.ts'
import type { Status } from './rules.ts'
import { sampleNow, samplePayout, writtenTables } from '../testing/sample-payment.ts'

const dayMs = 24 * 3_600_000
const events = ['insert events', 'insert deliveries']

function plan(
  before: Payment,
  change: Partial<Payment>,
  { moves = change.status === undefined ? [] : [change.status], isFirstAcceptance = false } = {},
) {
  const funded: (Status | undefined)[] = []
  const deps = {
    pollSchedule: defaultPollSchedule,
    funding: (previous: Status | undefined) => {
      funded.push(previous)
      return []
    },
  }
  const planned = planChange(deps, { before, after: { ...before, ...change }, moves, isFirstAcceptance })
  return { ...planned, written: writtenTables(planned.statements), funded }
}

describe('a change of a payment', () => {
  it('increments its version, and counts its events', () => {
    const before = samplePayout({ status: 'confirmed' })
    const { payment } = plan(before, { status: 'processing' })
    expect([payment.version, payment.eventCount, payment.status]).toEqual([4, 3, 'processing'])
    expect(plan(before, {}).payment).toMatchObject({ version: 4, eventCount: 2 })
  })

  it('is fenced by the version that it read', () => {
    const before = samplePayout()
    const [update] = plan(before, {}).statements
    expect(update?.parameters.slice(-3)).toEqual([before.orgId, before.paymentId, before.version])
  })

  it('of what it gave back is written beside it, first as a row and then as a change of that row', () => {
    const before = samplePayout({ direction: 'inbound', status: 'completed' })
    const refunding = { ...noSums, refundingMinor: 3n }
    const first = plan(before, { sums: refunding })
    expect(first.written).toEqual(['update payments', 'insert payin_sums'])
    const row = [before.orgId, before.paymentId, '2029', '3']
    expect(first.statements[1]?.parameters).toEqual(expect.arrayContaining(row))
    const second = plan(first.payment, { sums: { ...refunding, refundingMinor: 5n } })
    expect(second.written).toEqual(['update payments', 'update payin_sums'])
    expect(second.statements[1]?.parameters).toEqual(
      expect.arrayContaining(['5', before.orgId, before.paymentId]),
    )
    expect(plan(second.payment, {}).written).toEqual(['update payments'])
  })

  it('that ends it posts its transfers and drops its supervision', () => {
    expect(plan(samplePayout(), { status: 'completed' }).written).toEqual([
      'update payments',
      ...events,
      'insert ledger_transfers',
      'delete outbox',
    ])
  })

  it('that leaves it open posts nothing and keeps its supervision', () => {
    const { written } = plan(samplePayout({ status: 'confirmed' }), { status: 'processing' })
    expect(written).toEqual(['update payments', ...events])
  })

  it('after its end drops no supervision again', () => {
    const { written } = plan(samplePayout({ status: 'failed' }), { status: 'completed' })
    expect(written).toEqual(['update payments', ...events, 'insert ledger_transfers', 'insert exceptions'])
  })

  it('without a move records no event, except for its first acceptance', () => {
    expect(plan(samplePayout(), {}).written).toEqual(['update payments'])
    expect(plan(samplePayout(), {}, { isFirstAcceptance: true }).written).toEqual([
      'update payments',
      ...events,
    ])
  })

  it('that completes it marks its link as paid', () => {
    const { written } = plan(samplePayout({ linkId: 'link', direction: 'inbound' }), { status: 'completed' })
    expect(written).toEqual([
      'update payments',
      ...events,
      'insert ledger_transfers',
      'update payment_links',
      'delete outbox',
    ])
  })

  it.each<[Status, Status, boolean]>([
    ['initiated', 'confirmed', true],
    ['reviewed', 'rejected', true],
    ['initiated', 'reviewed', false],
    ['confirmed', 'processing', false],
  ])('from %s to %s ends its review: %s', (from, to, isEnded) => {
    const { statements } = plan(samplePayout({ status: from }), { status: to })
    expect(statements.filter(({ sql }) => sql.includes('review')).length).toBe(isEnded ? 1 : 0)
  })
})

describe('the end of an old payment', () => {
  const settled = (ageMs: number, status: Status = 'completed') =>
    plan(samplePayout(), { status, updatedAt: new Date(sampleNow.getTime() + ageMs) }).statements.find(
      ({ sql }) => sql.startsWith('update "exceptions"'),
    )

  it('closes the exceptions about its doubt', () => {
    expect(settled(dayMs - 1)).toBeUndefined()
    expect(settled(dayMs)?.parameters).toEqual(
      expect.arrayContaining([
        'The payment is completed.',
        null,
        ['outcome_unknown', 'pending_too_long', 'ramp_unknown'],
      ]),
    )
    expect(settled(dayMs, 'processing')).toBeUndefined()
  })
})

describe('the account that funds a payment', () => {
  const fundingAccountId = 'v1'

  it('hears of every new status', () => {
    const funded = samplePayout({ fundingAccountId })
    expect(plan(funded, { status: 'completed' }).funded).toEqual(['processing'])
    expect(plan(funded, {}).funded).toEqual([])
    expect(plan(samplePayout(), { status: 'completed' }).funded).toEqual([])
  })

  it('hears of the request, before which there was no status', () => {
    const calls: unknown[] = []
    const funding = (previous: Status | undefined) => {
      calls.push(previous)
      return []
    }
    fundingStatements({ funding }, undefined, samplePayout({ fundingAccountId }))
    expect(calls).toEqual([undefined])
  })
})
