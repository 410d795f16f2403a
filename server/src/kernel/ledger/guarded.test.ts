import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { untilLockAwaited, useDatabase } from '../../../test/app/test-database.ts'
import { isBelowZero, lockGuarded, openGuardedAccount } from './guarded.ts'
import { account, held, insertTransfers, posted, releaseHold, type Transfer } from './transfers.ts'

const t = useDatabase()

/** Two accounts of a new organisation with 100 minor units each; the first comes first in the lock order. */
async function openPair(): Promise<{ orgId: string; first: string; second: string }> {
  const orgId = newId()
  const [first = '', second = ''] = [newId(), newId()].toSorted().map(account.virtual)
  await t.db.inOrg(orgId, async (tx) => {
    for (const name of [first, second])
      await openGuardedAccount(tx, orgId, { account: name, currency: 'NGN' })
  })
  const fundings = [first, second].map((credit) =>
    transferOf({ kind: 'va.deposit', debit: account.provider('paystack', null), credit, amountMinor: 100n }),
  )
  await write(orgId, ...fundings)
  return { orgId, first, second }
}

const transferOf = (
  parts: Pick<Transfer, 'debit' | 'credit' | 'amountMinor'> & { kind?: string },
): Transfer => posted({ causeId: newId(), kind: 'va.transfer', currency: 'NGN', ...parts })

const write = (orgId: string, ...transfers: Transfer[]): Promise<unknown> =>
  t.db.batchInOrg(orgId, [insertTransfers(orgId, transfers)])

describe('the lock of an account', () => {
  it('keeps transfers of the account waiting until the transaction that holds it ends', async () => {
    const { orgId, first, second } = await openPair()
    const order: string[] = []
    let transfer: Promise<unknown> = Promise.resolve()
    await t.db.inOrg(orgId, async (tx) => {
      expect(await lockGuarded(tx, orgId, [first])).toEqual([
        { account: first, currency: 'NGN', availableMinor: 100n, heldMinor: 0n },
      ])
      transfer = write(orgId, transferOf({ debit: first, credit: second, amountMinor: 1n })).then(() =>
        order.push('transfer'),
      )
      await untilLockAwaited(t.owner)
      order.push('lock')
    })
    await transfer
    expect(order).toEqual(['lock', 'transfer'])
  })

  it('is taken in the order of names, whichever account a transfer debits', async () => {
    const { orgId, first, second } = await openPair()
    const client = await t.owner.connect()
    const rowOf = 'select from guarded_balances where org_id = $1 and account = $2 for update'
    let transfer: Promise<unknown> = Promise.resolve()
    try {
      await client.query('begin')
      await client.query(rowOf, [orgId, second])
      transfer = write(orgId, transferOf({ debit: second, credit: first, amountMinor: 1n }))
      await untilLockAwaited(t.owner)
      const isFirstLocked = t.owner.query(`${rowOf} nowait`, [orgId, first])
      await expect(isFirstLocked).rejects.toMatchObject({ code: '55P03' })
    } finally {
      await client.query('rollback')
      client.release()
    }
    await transfer
  })
})

describe('a balance below zero', () => {
  const refusal = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('is what a transfer of more than the account has is refused for', async () => {
    const { orgId, first, second } = await openPair()
    const error = await refusal(write(orgId, transferOf({ debit: first, credit: second, amountMinor: 101n })))
    expect(error).toMatchObject({ constraint: 'guarded_balances_not_below_zero' })
    expect(isBelowZero(error)).toBe(true)
  })

  it('is told apart from the other constraints that can refuse a transfer', async () => {
    const { orgId, first, second } = await openPair()
    const transfer = transferOf({ debit: first, credit: second, amountMinor: 1n })
    await write(orgId, transfer)
    const repeated = await refusal(write(orgId, transfer))
    expect(repeated).toMatchObject({ constraint: 'ledger_transfers_pkey' })
    expect(isBelowZero(repeated)).toBe(false)
    const hold = held({ ...transfer, causeId: newId(), kind: 'payout.hold' })
    const neverHeld = await refusal(write(orgId, releaseHold(hold)))
    expect(neverHeld).toMatchObject({ constraint: 'guarded_balances_holds_not_below_zero' })
    expect(isBelowZero(neverHeld)).toBe(false)
  })
})
