import { expect, it } from 'vitest'
import { paidToListed } from './listed.ts'
import { evidence, movement, payout, payoutOf, transaction } from './testing.ts'

const listed = new Set(['payment-in', 'payment-out'])
const both = [movement(), payoutOf()]

it.each([
  ['was collected', transaction()],
  ['was sent', payout()],
  ['may still be sent', payout({ state: 'pending' })],
  ['was sent from an account of the thief', payout({ account: 'thief own' })],
])('what %s for a listed person is found', (_case, moved) => {
  const found = paidToListed(evidence({ movements: both, transactions: [moved] }), listed)
  expect(found).toMatchObject([{ judge: 'paid to a listed name' }])
})

it('tokens that were delivered to a listed person are found', () => {
  const delivery = payoutOf({ provider: 'crypto', kind: 'leg', legKind: 'delivery' })
  const judged = (tokens: readonly bigint[]) =>
    paidToListed(evidence({ movements: [delivery], tokens }), listed)
  expect(judged([5n])).toHaveLength(1)
  expect(judged([])).toEqual([])
})

it.each([
  ['was held', []],
  ['failed', [payout({ state: 'failed' })]],
])('nothing is found when it %s', (_case, transactions) => {
  expect(paidToListed(evidence({ movements: both, transactions }), listed)).toEqual([])
})

it('payments of other people are not judged', () => {
  const transactions = [transaction(), payout()]
  expect(paidToListed(evidence({ movements: both, transactions }), new Set())).toEqual([])
})
