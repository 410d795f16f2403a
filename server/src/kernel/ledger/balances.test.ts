import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { useDatabase } from '../../../test/app/test-database.ts'
import { balancesOf, type Balance } from './balances.ts'
import { account, postHold, held, insertTransfers, posted, releaseHold, type Transfer } from './transfers.ts'

const t = useDatabase()

const write = (orgId: string, transfers: readonly Transfer[]): Promise<unknown> =>
  t.db.batchInOrg(orgId, [insertTransfers(orgId, transfers)])
const balances = (orgId: string, accounts?: string[]): Promise<Balance[]> =>
  t.db.inOrg(orgId, (tx) => balancesOf(tx, orgId, accounts))

const payout = (amountMinor: bigint): Transfer =>
  held({
    causeId: newId(),
    kind: 'payout.hold',
    debit: account.available('pooled'),
    credit: account.outgoing,
    currency: 'NGN',
    amountMinor,
  })

describe('a balance', () => {
  it('is credits minus debits of final transfers, with holds counted separately', async () => {
    const orgId = newId()
    const hold = payout(300n)
    const received = posted({
      causeId: newId(),
      kind: 'payin',
      debit: account.provider('paystack', null),
      credit: account.available('pooled'),
      currency: 'NGN',
      amountMinor: 1_000n,
    })
    await write(orgId, [received, hold])
    const ngn = { currency: 'NGN' }
    expect(await balances(orgId)).toEqual([
      { ...ngn, account: 'available', postedMinor: 1_000n, heldMinor: 300n },
      { ...ngn, account: 'outgoing', postedMinor: 0n, heldMinor: 0n },
      { ...ngn, account: 'provider:paystack', postedMinor: -1_000n, heldMinor: 0n },
    ])
  })

  it('changes when a hold is posted and not when one is released, and neither leaves a hold', async () => {
    const orgId = newId()
    const [one, two] = [payout(300n), payout(50n)]
    await write(orgId, [one, two])
    await write(orgId, [postHold(one), releaseHold(two)])
    expect(await balances(orgId, ['available', 'outgoing'])).toEqual([
      { account: 'available', currency: 'NGN', postedMinor: -300n, heldMinor: 0n },
      { account: 'outgoing', currency: 'NGN', postedMinor: 300n, heldMinor: 0n },
    ])
  })

  it('is exact far beyond the range of a double', async () => {
    const orgId = newId()
    const amountMinor = 10n ** 30n + 1n
    await write(orgId, [payout(amountMinor), payout(1n)])
    const [available] = await balances(orgId, ['available'])
    expect(available?.heldMinor).toBe(amountMinor + 1n)
  })

  it('of one currency is not affected by another', async () => {
    const orgId = newId()
    await write(orgId, [
      posted({ ...payout(7n), kind: 'fx.sold', credit: account.exchange('NGN', 'GBP') }),
      posted({
        ...payout(9n),
        kind: 'fx.bought',
        debit: account.exchange('NGN', 'GBP'),
        credit: account.available('pooled'),
        currency: 'GBP',
      }),
    ])
    expect((await balances(orgId, ['available'])).map((row) => [row.currency, row.postedMinor])).toEqual([
      ['GBP', 9n],
      ['NGN', -7n],
    ])
  })
})

const accounts = ['available', 'outgoing', 'fees', 'suspense', 'provider:a', 'provider:b', 'fx:NGN/GBP']
const movement = fc
  .record({
    sides: fc.shuffledSubarray(accounts, { minLength: 2, maxLength: 2 }),
    currency: fc.constantFrom('NGN', 'GBP', 'UGX'),
    amountMinor: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    fate: fc.constantFrom('final', 'held', 'posted', 'released'),
  })
  .map(({ sides: [debit = '', credit = ''], fate, ...rest }) => ({ debit, credit, fate, ...rest }))
type Movement = typeof movement extends fc.Arbitrary<infer Value> ? Value : never

function transfersOf({ fate, ...terms }: Movement): Transfer[] {
  const base = { ...terms, causeId: newId(), kind: 'any' }
  if (fate === 'final') return [posted(base)]
  const hold = held(base)
  if (fate === 'held') return [hold]
  return [hold, fate === 'posted' ? postHold(hold) : releaseHold(hold)]
}

/** Computes the same balances without SQL. */
function sumBalances(
  movements: readonly Movement[],
): Map<string, { postedMinor: bigint; heldMinor: bigint }> {
  const sums = new Map<string, { postedMinor: bigint; heldMinor: bigint }>()
  const at = (name: string, currency: string) => {
    const key = `${name} ${currency}`
    const sum = sums.get(key) ?? { postedMinor: 0n, heldMinor: 0n }
    sums.set(key, sum)
    return sum
  }
  for (const { debit, credit, currency, amountMinor, fate } of movements) {
    const [from, to] = [at(debit, currency), at(credit, currency)]
    if (fate === 'held') from.heldMinor += amountMinor
    if (fate === 'final' || fate === 'posted') {
      from.postedMinor -= amountMinor
      to.postedMinor += amountMinor
    }
  }
  return sums
}

describe('any sequence of transfers, holds, postings and releases', () => {
  it('gives the balances of a plain sum, and every currency sums to zero', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { minLength: 1, maxLength: 40 }), async (movements) => {
        const orgId = newId()
        // In several transactions, as in production.
        for (let from = 0; from < movements.length; from += 7)
          await write(orgId, movements.slice(from, from + 7).flatMap(transfersOf))
        const found = await balances(orgId)
        const byKey = new Map(
          found.map(({ account: name, currency, postedMinor, heldMinor }) => [
            `${name} ${currency}`,
            { postedMinor, heldMinor },
          ]),
        )
        expect(byKey).toEqual(sumBalances(movements))
        for (const currency of new Set(movements.map((one) => one.currency)))
          expect(
            found.filter((row) => row.currency === currency).reduce((sum, row) => sum + row.postedMinor, 0n),
          ).toBe(0n)
      }),
      { numRuns: 60 },
    )
  })
})
