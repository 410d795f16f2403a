import { describe, expect, it } from 'vitest'
import type { Transfer } from '../../../kernel/ledger/transfers.ts'
import { guardStatements, holdStatements, isHeld, postingsFor } from './build-postings.ts'
import type { Payment } from '../record.ts'
import { statuses, type Status } from './rules.ts'
import { samplePayout } from '../testing/sample-payment.ts'
import { noSums } from '../sums/record.ts'

const fee = { amountMinor: 25n, currency: 'NGN', scheduleId: 'fees', isReturned: true }
const payoutOf = (change: Partial<Payment> = {}): Payment =>
  samplePayout({ custody: 'pooled', provider: 'paystack', accountId: 'acc', ...change })
const payinOf = (change: Partial<Payment> = {}): Payment => payoutOf({ direction: 'inbound', ...change })
const exchanged = {
  source: { amountMinor: 300n, currency: 'GBP' },
  target: { amountMinor: 1_000n, currency: 'NGN' },
}

const line = ({ kind, phase, debit, credit, amountMinor, currency }: Transfer): string =>
  `${kind} ${phase}: ${debit} to ${credit}, ${amountMinor} ${currency}`
const postings = (previous: Status, payment: Payment, refundedMinor = 0n): string[] => {
  const before = { ...noSums, refundedMinor }
  const reversedMinor = payment.source.amountMinor - refundedMinor
  const after = payment.failureCode === null ? payment : { ...payment, sums: { ...before, reversedMinor } }
  return postingsFor({ status: previous, sums: before }, after).map(line)
}

describe('a payout', () => {
  it('that completes posts its hold and settles with the account that carried it', () => {
    expect(postings('processing', payoutOf({ status: 'completed' }))).toEqual([
      'payout.hold.resolved post: available to outgoing, 2029 NGN',
      'payout.settled posted: outgoing to provider:paystack:acc, 2029 NGN',
    ])
  })

  it('that completes in another currency is converted on its way', () => {
    expect(postings('pending', payoutOf({ ...exchanged, status: 'completed' }))).toEqual([
      'payout.hold.resolved post: available to outgoing, 300 GBP',
      'fx.sold posted: outgoing to fx:GBP/NGN, 300 GBP',
      'fx.bought posted: fx:GBP/NGN to outgoing, 1000 NGN',
      'payout.settled posted: outgoing to provider:paystack:acc, 1000 NGN',
    ])
  })

  it('that completes after it failed debits anew, because its hold was released', () => {
    expect(postings('failed', payoutOf({ status: 'completed', fee }))).toEqual([
      'payout.late posted: available to outgoing, 2029 NGN',
      'payout.settled posted: outgoing to provider:paystack:acc, 2029 NGN',
      'fee.late posted: available to fees, 25 NGN',
    ])
  })

  it('is paid from where its money lies', () => {
    const settled = 'payout.settled posted: outgoing to provider:paystack:acc, 2029 NGN'
    expect(postings('processing', payoutOf({ status: 'completed', custody: 'own' }))).toEqual([
      'payout.hold.resolved post: available:own to outgoing, 2029 NGN',
      settled,
    ])
    expect(postings('processing', payoutOf({ status: 'completed', custody: null }))).toEqual([
      'payout.hold.resolved post: available to outgoing, 2029 NGN',
      settled,
    ])
    expect(postings('processing', payoutOf({ status: 'completed', fundingAccountId: 'v1' }))).toEqual([
      'payout.hold.resolved post: va:v1 to outgoing, 2029 NGN',
      settled,
    ])
  })

  it('of which nobody knows the provider is booked against an unknown one', () => {
    const payment = payoutOf({ status: 'completed', provider: null, accountId: null })
    expect(postings('processing', payment).at(-1)).toBe(
      'payout.settled posted: outgoing to provider:unknown, 2029 NGN',
    )
  })

  it.each(['failed', 'rejected', 'canceled'] as const)(
    'that is %s releases its hold and its fee',
    (status) => {
      expect(postings('processing', payoutOf({ status, fee }))).toEqual([
        'payout.hold.resolved void: available to outgoing, 2029 NGN',
        'fee.resolved void: available to fees, 25 NGN',
      ])
      expect(postings('initiated', payoutOf({ status, fee }))).toEqual([])
    },
  )

  it('that moves on without ending posts nothing', () => {
    expect(postings('confirmed', payoutOf({ status: 'processing', fee }))).toEqual([])
    expect(postings('completed', payoutOf({ status: 'completed', fee }))).toEqual([])
  })

  it('that its provider returns gives the amount and the fee back', () => {
    const returned = payoutOf({ status: 'refunded', failureCode: 'RETURNED', fee })
    expect(postings('completed', returned)).toEqual([
      'payout.returned posted: provider:paystack:acc to available, 2029 NGN',
      'fee.returned posted: fees to available, 25 NGN',
    ])
    expect(postings('completed', { ...returned, provider: null, accountId: null, fee: null })).toEqual([
      'payout.returned posted: provider:unknown to available, 2029 NGN',
    ])
  })

  it('that is returned in another currency is converted back at its own rate', () => {
    const returned = payoutOf({ ...exchanged, status: 'refunded', failureCode: 'RETURNED' })
    expect(postings('completed', returned)).toEqual([
      'payout.returned posted: provider:paystack:acc to fx:GBP/NGN, 1000 NGN',
      'payout.returned.fx posted: fx:GBP/NGN to available, 300 GBP',
    ])
  })
})

describe('a payin', () => {
  it('that completes is available where its account is, less the fee', () => {
    expect(postings('processing', payinOf({ status: 'completed', fee }))).toEqual([
      'payin posted: provider:paystack:acc to available, 2029 NGN',
      'fee posted: available to fees, 25 NGN',
    ])
    expect(postings('failed', payinOf({ status: 'completed', custody: 'own', fee }))).toEqual([
      'payin posted: provider:paystack:acc to available:own, 2029 NGN',
      'fee posted: fees_due to fees, 25 NGN',
    ])
    const unknown = payinOf({ status: 'completed', custody: null, provider: null, accountId: null })
    expect(postings('processing', unknown)).toEqual(['payin posted: provider:unknown to available, 2029 NGN'])
  })

  it('in another currency is converted after it arrived', () => {
    expect(postings('processing', payinOf({ ...exchanged, status: 'completed' }))).toEqual([
      'payin posted: provider:paystack:acc to available, 300 GBP',
      'fx.sold posted: available to fx:GBP/NGN, 300 GBP',
      'fx.bought posted: fx:GBP/NGN to available, 1000 NGN',
    ])
  })

  it.each(['failed', 'rejected', 'canceled'] as const)('that is %s posts nothing', (status) => {
    expect(postings('processing', payinOf({ status, fee }))).toEqual([])
  })

  it('that its provider takes back costs what earlier refunds have left', () => {
    const reversed = payinOf({ status: 'refunded', failureCode: 'REVERSED', fee })
    expect(postings('completed', reversed, 2_000n)).toEqual([
      'payin.reversed posted: available to provider:paystack:acc, 29 NGN',
      'fee.returned posted: fees to available, 25 NGN',
    ])
    const elsewhere = { ...reversed, custody: null, provider: null, accountId: null, fee: null }
    expect(postings('completed', elsewhere)).toEqual([
      'payin.reversed posted: available to provider:unknown, 2029 NGN',
    ])
    expect(postings('completed', { ...reversed, custody: 'own', fee: null })).toEqual([
      'payin.reversed posted: available:own to provider:paystack:acc, 2029 NGN',
    ])
  })

  it('that is taken back in another currency leaves what its refunds have sold already', () => {
    const reversed = payinOf({ ...exchanged, status: 'refunded', failureCode: 'REVERSED' })
    expect(postings('completed', reversed, 100n)).toEqual([
      'payin.reversed posted: fx:GBP/NGN to provider:paystack:acc, 200 GBP',
      'payin.reversed.fx posted: available to fx:GBP/NGN, 666 NGN',
    ])
    const scarce = { ...reversed, target: { amountMinor: 2n, currency: 'NGN' } }
    expect(postings('completed', scarce, 100n).at(-1)).toBe(
      'payin.reversed.fx posted: available to fx:GBP/NGN, 1 NGN',
    )
    expect(postings('completed', reversed, 300n)).toEqual([])
  })

  it('that is refunded posts only its fee here, because a refund has postings of its own', () => {
    const refunded = payinOf({ status: 'refunded', fee })
    expect(postings('completed', refunded)).toEqual(['fee.returned posted: fees to available, 25 NGN'])
    expect(postings('completed', { ...refunded, fee: { ...fee, isReturned: false } })).toEqual([])
    expect(postings('processing', refunded)).toEqual([])
  })
})

describe('fees', () => {
  it('of a pooled payout are held with it and posted', () => {
    expect(postings('processing', payoutOf({ status: 'completed', fee })).at(-1)).toBe(
      'fee.resolved post: available to fees, 25 NGN',
    )
  })

  it('of a payout from an own account are owed from its completion on', () => {
    const own = payoutOf({ custody: 'own', fee })
    expect(postings('processing', { ...own, status: 'completed' }).at(-1)).toBe(
      'fee posted: fees_due to fees, 25 NGN',
    )
    expect(postings('processing', { ...own, status: 'failed' })).toEqual([
      'payout.hold.resolved void: available:own to outgoing, 2029 NGN',
    ])
    expect(postings('completed', { ...own, status: 'refunded' })).toEqual([
      'fee.returned posted: fees to fees_due, 25 NGN',
    ])
  })
})

it('a ramp posts its own transfers', () => {
  for (const status of statuses)
    expect(postings('processing', payoutOf({ direction: 'external', status, fee }))).toEqual([])
})

describe('every posting', () => {
  it('names its payment as the cause', () => {
    const payment = payoutOf({ ...exchanged, status: 'completed', fee })
    for (const previous of ['processing', 'failed'] as const)
      for (const { causeId } of postingsFor({ status: previous, sums: noSums }, payment))
        expect(causeId).toBe(payment.paymentId)
    for (const back of [payment, { ...payment, direction: 'inbound' as const }]) {
      const sums = { ...noSums, reversedMinor: back.source.amountMinor }
      const taken = { ...back, status: 'refunded' as const, failureCode: 'RETURNED', sums }
      const causes = postingsFor({ status: 'completed', sums: noSums }, taken).map(({ causeId }) => causeId)
      expect(causes).toEqual([payment.paymentId, payment.paymentId, payment.paymentId])
    }
    const arrived = postingsFor({ status: 'processing', sums: noSums }, { ...payment, direction: 'inbound' })
    expect(new Set(arrived.map(({ causeId }) => causeId))).toEqual(new Set([payment.paymentId]))
  })
})

describe('the hold of a payout', () => {
  const tables = (payment: Payment): string[] =>
    holdStatements(payment).map(({ sql }) => /assert_covered|ledger_transfers/.exec(sql)?.[0] ?? sql)

  it('is written with that of its fee', () => {
    const payment = payoutOf({ fee })
    const parameters = holdStatements(payment)[0]?.parameters ?? []
    expect(
      JSON.stringify(parameters, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    ).toMatch(/payout\.hold.*pending.*available.*outgoing.*2029.*fee.*pending.*available.*fees.*25/s)
  })

  it('is refused when the pooled balance does not cover it', () => {
    expect(tables(payoutOf())).toEqual(['ledger_transfers', 'assert_covered'])
    expect(tables(payoutOf({ custody: 'own', fee }))).toEqual(['ledger_transfers'])
    expect(tables(payoutOf({ fundingAccountId: 'v1' }))).toHaveLength(1)
    // The fee of a payout that a virtual account pays for is the organisation's.
    expect(tables(payoutOf({ fundingAccountId: 'v1', fee }))).toHaveLength(2)
  })

  it('guards the account and currency that it debits', () => {
    const payment = payoutOf()
    const debit = { kind: 'x', phase: 'pending', causeId: 'c', credit: 'outgoing', amountMinor: 1n } as const
    const guarded = guardStatements(payment, { ...debit, debit: 'available', currency: 'NGN' })
    expect(guarded.map(({ parameters }) => parameters)).toEqual([[payment.orgId, 'available', 'NGN']])
    expect(guardStatements(payment, { ...debit, debit: 'va:v1', currency: 'NGN' })).toEqual([])
  })

  it('stands while the payout is under way, and from the request on where a virtual account pays', () => {
    const own = statuses.filter((status) => isHeld(status, payoutOf()))
    expect(own).toEqual(['confirmed', 'processing', 'pending'])
    const funded = statuses.filter((status) => isHeld(status, payoutOf({ fundingAccountId: 'v1' })))
    expect(funded).toEqual(['initiated', 'reviewed', 'confirmed', 'processing', 'pending'])
  })
})
