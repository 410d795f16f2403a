import { describe, expect, it } from 'vitest'
import {
  operatorLoses,
  outsideBounds,
  paidTwice,
  rampsWithoutCollection,
  unverifiedPaidOut,
} from './operator.ts'
import { evidence, movement, payout, payoutOf, transaction } from './testing.ts'

describe('the operator loses', () => {
  const both = [movement(), payoutOf()]

  it('nothing when a payout is covered by what was really paid in', () => {
    expect(operatorLoses(evidence({ movements: both, transactions: [transaction(), payout()] }))).toEqual([])
  })

  it.each([
    ['nothing was paid in', [payout()]],
    ['the payin is still open', [transaction({ state: 'pending' }), payout()]],
    ['it was paid into the thief’s own account', [transaction({ account: 'thief own' }), payout()]],
    ['more leaves than came', [transaction(), payout({ amount: '100.01' })]],
    ['the payout may still be carried out', [transaction({ state: 'failed' }), payout({ state: 'pending' })]],
  ])('when %s', (_case, transactions) => {
    expect(operatorLoses(evidence({ movements: both, transactions }))).toMatchObject([
      { judge: 'operator loses', subject: 'thief' },
    ])
  })

  it.each([
    ['a payout failed', payout({ state: 'failed' })],
    ['it left an account of the thief', payout({ account: 'thief own' })],
  ])('nothing when %s', (_case, sent) => {
    expect(operatorLoses(evidence({ movements: both, transactions: [sent] }))).toEqual([])
  })

  it('nothing within the credit limit', () => {
    const limits = [{ orgId: 'thief', account: 'available', currency: 'KES', minor: 100_00n }]
    expect(operatorLoses(evidence({ movements: both, transactions: [payout()], limits }))).toEqual([])
  })

  it('when an exchanged payout takes more of the source currency than there is', () => {
    const exchanged = payoutOf({ booked: { currency: 'USD', minor: 80n } })
    const transactions = [transaction(), payout()]
    expect(operatorLoses(evidence({ movements: [movement(), exchanged], transactions }))).toMatchObject([
      { problem: `80 USD left the installation's accounts, 0 came in` },
    ])
  })

  it('nothing when a bank deposit to a virtual account covers it', () => {
    const details = { email: 'account-1@customers.test' }
    const deposit = transaction({ reference: 'bank', method: 'dedicated_nuban', details })
    const credit = {
      orgId: 'thief',
      accountId: 'account-1',
      openedBy: 'pool',
      currency: 'KES',
      minor: 100_00n,
    }
    const credits = [{ ...credit, custody: 'pooled' as const }]
    const found = evidence({ movements: [payoutOf()], transactions: [deposit, payout()], credits })
    expect(operatorLoses(found)).toEqual([])
    expect(operatorLoses({ ...found, credits: [] })).toHaveLength(1)
  })

  it('when a manual payout of the operator’s account was confirmed without a balance', () => {
    const manual = payoutOf({ provider: 'manual' })
    expect(operatorLoses(evidence({ movements: [manual] }))).toHaveLength(1)
    expect(operatorLoses(evidence({ movements: [{ ...manual, custody: 'own' }] }))).toEqual([])
  })
})

describe('a payout', () => {
  const again = payout({ reference: 'ref-again', provider: 'paystack' })
  const movements = [payoutOf(), payoutOf({ reference: 'ref-again', provider: 'paystack' })]

  it('is paid twice when two routes carried it out and one of them is the installation’s', () => {
    expect(paidTwice(evidence({ movements, transactions: [payout(), again] }))).toMatchObject([
      { judge: 'paid twice', subject: 'payment-out' },
    ])
  })

  it('is not paid twice when the first one failed, or when both are the thief’s own', () => {
    expect(paidTwice(evidence({ movements, transactions: [payout({ state: 'failed' }), again] }))).toEqual([])
    const own = [payout({ account: 'thief own' }), { ...again, account: 'thief own' }]
    expect(paidTwice(evidence({ movements, transactions: own }))).toEqual([])
  })

  it('is outside the bounds when it exceeds the operator’s maximum at the installation’s account', () => {
    const bounds = new Map([['KES', 99_99n]])
    expect(outsideBounds(evidence({ movements, transactions: [payout()] }), bounds)).toHaveLength(1)
    expect(outsideBounds(evidence({ transactions: [payout({ account: 'thief own' })] }), bounds)).toEqual([])
    expect(outsideBounds(evidence({ transactions: [payout({ amount: '99.99' })] }), bounds)).toEqual([])
  })

  it('of an unverified organisation is found, and those of others are not', () => {
    const found = evidence({ movements, transactions: [payout()] })
    expect(unverifiedPaidOut(found, 'thief')).toHaveLength(1)
    expect(unverifiedPaidOut(found, 'somebody else')).toEqual([])
  })
})

describe('a ramp', () => {
  const collection = movement({ kind: 'leg', legKind: 'collection', paymentId: 'ramp' })
  const delivery = movement({ kind: 'leg', legKind: 'delivery', paymentId: 'ramp', reference: 'tokens' })
  const movements = [collection, delivery]

  it('may settle after fiat arrived in an installation account', () => {
    expect(rampsWithoutCollection(evidence({ movements, transactions: [transaction()] }))).toEqual([])
  })

  it.each([
    ['nothing arrived', []],
    ['it arrived in the thief’s account', [transaction({ account: 'thief own' })]],
    ['it is still open', [transaction({ state: 'pending' })]],
  ])('must not settle when %s', (_case, transactions) => {
    expect(rampsWithoutCollection(evidence({ movements, transactions }))).toMatchObject([{ subject: 'ramp' }])
  })

  it('must not settle and refund, whatever our records call it', () => {
    const refund = movement({ ...delivery, legKind: 'refund', reference: 'back', state: 'sending' })
    const judged = (...left: readonly string[]) =>
      rampsWithoutCollection(
        evidence({
          movements: [...movements, refund],
          transactions: [transaction(), ...left.map((reference) => payout({ reference }))],
        }),
      )
    expect(judged()).toEqual([])
    expect(judged('back')).toMatchObject([{ subject: 'ramp' }])
  })

  it('settles with one transfer on the chain, of its own amount', () => {
    const onChain = movement({ ...delivery, provider: 'crypto', carried: { currency: 'USDC', minor: 5n } })
    const judged = (tokens: readonly bigint[], transactions = [transaction()]) =>
      rampsWithoutCollection(evidence({ movements: [collection, onChain], transactions, tokens }))
    expect(judged([5n])).toEqual([])
    expect(judged([5n, 5n])).toMatchObject([{ judge: 'ramp without collection' }])
    expect(judged([6n])).toHaveLength(1)
    expect(judged([5n], [])).toHaveLength(2)
  })
})
