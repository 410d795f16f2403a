import { describe, expect, it } from 'vitest'
import { belowLimits, confirmedAlone, confirmedByNobody, fourEyes, messagesLost } from './records.ts'
import { evidence, movement, payout, payoutOf, transaction } from './testing.ts'

describe('balances (17)', () => {
  const balance = { orgId: 'thief', account: 'available', currency: 'KES', minor: -5n }

  it('are not below their limit', () => {
    expect(belowLimits(evidence({ balances: [balance] }))).toMatchObject([{ judge: 'below the limit' }])
    expect(belowLimits(evidence({ balances: [balance], limits: [{ ...balance, minor: 5n }] }))).toEqual([])
    expect(belowLimits(evidence({ balances: [{ ...balance, minor: 0n }] }))).toEqual([])
  })

  it('of virtual accounts have no limit to draw on', () => {
    const virtual = { ...balance, account: 'va:1' }
    expect(belowLimits(evidence({ balances: [virtual], limits: [{ ...balance, minor: 5n }] }))).toHaveLength(
      1,
    )
  })
})

describe('what is settled (18)', () => {
  it('was carried out by the account that carries it', () => {
    expect(confirmedByNobody(evidence({ movements: [movement()], transactions: [transaction()] }))).toEqual(
      [],
    )
  })

  it.each([
    ['nobody', []],
    ['a transaction that is still open', [transaction({ state: 'pending' })]],
    ['another account', [transaction({ account: 'thief own' })]],
    ['another provider', [transaction({ provider: 'paystack' })]],
    ['a payout of the same reference', [transaction({ operation: 'payout' })]],
  ])('is not confirmed by %s', (_case, transactions) => {
    expect(confirmedByNobody(evidence({ movements: [movement()], transactions }))).toMatchObject([
      { judge: 'confirmed by nobody', subject: 'payment-in' },
    ])
  })

  it('may be open without a confirmation', () => {
    expect(confirmedByNobody(evidence({ movements: [movement({ state: 'accepted' })] }))).toEqual([])
  })

  it('at the thief’s own account is settled on the word of that account, and of no other', () => {
    const movements = [movement({ custody: 'own', accountId: 'account-own' })]
    const message = { orgId: 'thief', reference: 'ref-in', paymentId: null, verdict: 'verified', result: '' }
    const judged = (change: object) =>
      confirmedByNobody(
        evidence({ movements, messages: [{ ...message, accountId: 'account-own', ...change }] }),
      )
    expect(judged({})).toEqual([])
    expect(judged({ accountId: 'account-pooled' })).toHaveLength(1)
    expect(judged({ verdict: 'forged' })).toHaveLength(1)
    expect(judged({ reference: 'another' })).toHaveLength(1)
  })

  it('includes credits of virtual accounts: their bank received them, at the account that opened them', () => {
    const credit = {
      orgId: 'thief',
      accountId: 'account-1',
      openedBy: 'pool',
      currency: 'KES',
      minor: 100_00n,
    }
    const credits = [{ ...credit, custody: 'pooled' as const }]
    const details = { email: 'account-1@customers.test' }
    const deposit = transaction({ method: 'dedicated_nuban', details })
    expect(confirmedByNobody(evidence({ credits, transactions: [deposit] }))).toEqual([])
    expect(confirmedByNobody(evidence({ credits }))).toHaveLength(1)
    const elsewhere = { ...deposit, account: 'thief own' }
    expect(confirmedByNobody(evidence({ credits, transactions: [elsewhere] }))).toHaveLength(1)
    const result = 'credited to virtual account account-1'
    const report = { orgId: 'thief', reference: 'r', paymentId: null, verdict: 'verified', result }
    const reported = (accountId: string) =>
      evidence({ credits, transactions: [deposit], messages: [{ ...report, accountId }] })
    expect(confirmedByNobody(reported('pool'))).toEqual([])
    expect(confirmedByNobody(reported('thief'))).toHaveLength(1)
  })

  it('by hand is confirmed by two people, and by the operator where it is the operator’s account', () => {
    const confirmation = { paymentId: 'payment', userId: 'ben', startedBy: 'ann', custody: 'own' as const }
    const judged = (change: object) =>
      confirmedAlone(evidence({ confirmations: [{ ...confirmation, ...change }] }))
    expect(judged({})).toEqual([])
    expect(judged({ userId: 'ann' })).toHaveLength(1)
    expect(judged({ custody: 'pooled' })).toHaveLength(1)
  })
})

describe('messages (19)', () => {
  const message = {
    orgId: 'thief',
    accountId: 'account-own',
    reference: 'ref-in',
    paymentId: 'payment-in',
    verdict: 'verified',
    result: 'refused: another account carries it',
  }
  const raised = {
    orgId: 'thief',
    kind: 'message_from_other_account',
    paymentId: null,
    findingKey: 'message_from_other_account ref-in',
    summary: '',
  }
  const judged = (change: object, exceptions = [raised].slice(1)) =>
    messagesLost(evidence({ movements: [movement()], messages: [{ ...message, ...change }], exceptions }))

  it('about a known payment are applied, or in front of a person', () => {
    expect(judged({})).toMatchObject([{ judge: 'message lost', subject: 'ref-in' }])
    expect(judged({}, [raised])).toEqual([])
    expect(judged({ result: 'taken as completed' })).toEqual([])
    expect(judged({ result: 'the provider was asked whether it took back the payment' })).toEqual([])
  })

  it('with a forged signature, or about an unknown reference, are not judged', () => {
    expect(judged({ verdict: 'forged' })).toEqual([])
    expect(judged({ reference: 'somebody else’s' })).toEqual([])
  })
})

describe('four eyes', () => {
  const rule = {
    orgId: 'thief',
    currency: 'KES',
    payoutFromMinor: 100_00n,
    dailyFromMinor: 150_00n,
  }
  const small = payout({ amount: '90.00' })

  it('allow small payouts by one person, up to the sum of a day', () => {
    expect(fourEyes(evidence({ movements: [payoutOf()], transactions: [small] }), rule)).toEqual([])
  })

  it('find a payout that reaches the policy', () => {
    const found = evidence({ movements: [payoutOf()], transactions: [payout()] })
    expect(fourEyes(found, rule)).toMatchObject([{ judge: 'four eyes', subject: 'payment-out' }])
  })

  it('find many small payouts whose sum reaches the policy', () => {
    const movements = [payoutOf(), payoutOf({ reference: 'ref-more', paymentId: 'payment-more' })]
    const transactions = [small, payout({ amount: '90.00', reference: 'ref-more', providerRef: 'more' })]
    expect(fourEyes(evidence({ movements, transactions }), rule)).toMatchObject([{ subject: 'thief' }])
  })

  it('ignore other organisations and payouts that failed', () => {
    expect(
      fourEyes(evidence({ movements: [payoutOf({ orgId: 'x' })], transactions: [payout()] }), rule),
    ).toEqual([])
    const failed = [payout({ state: 'failed' })]
    expect(fourEyes(evidence({ movements: [payoutOf()], transactions: failed }), rule)).toEqual([])
  })
})
