import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { useDatabase } from '../../../test/app/test-database.ts'
import { assertCovered, availableBalances, foldBalancesAcrossOrgs, shortfallOf } from './available.ts'
import { balancesOf } from './balances.ts'
import { account, postHold, held, insertTransfers, posted, releaseHold, type Transfer } from './transfers.ts'

const t = useDatabase()

const ngn = { currency: 'NGN' }
const payin = (amountMinor: bigint): Transfer =>
  posted({
    ...ngn,
    causeId: newId(),
    kind: 'payin',
    debit: account.provider('paystack', null),
    credit: account.available('pooled'),
    amountMinor,
  })
const hold = (amountMinor: bigint): Transfer =>
  held({
    ...ngn,
    causeId: newId(),
    kind: 'payout.hold',
    debit: account.available('pooled'),
    credit: account.outgoing,
    amountMinor,
  })
const credit = (orgId: string, amountMinor: bigint): Promise<unknown> =>
  t.db.batchInOrg(orgId, [insertTransfers(orgId, [payin(amountMinor)])])
const spend = (orgId: string, transfer: Transfer): Promise<unknown> =>
  t.db.batchInOrg(orgId, [
    insertTransfers(orgId, [transfer]),
    assertCovered(orgId, { ...ngn, account: account.available('pooled') }),
  ])
const fold = (): Promise<number> => t.db.acrossOrgs((tx) => foldBalancesAcrossOrgs(tx))
const read = (orgId: string) => t.db.inOrg(orgId, (tx) => availableBalances(tx, orgId))
const bruteForce = (orgId: string) =>
  t.db.inOrg(orgId, (tx) => balancesOf(tx, orgId, [account.available('pooled')]))

describe('a guarded debit', () => {
  it('is refused with what is missing, and leaves nothing behind', async () => {
    const orgId = newId()
    await credit(orgId, 1_000n)
    await spend(orgId, hold(600n))
    const refused = await spend(orgId, hold(401n)).catch((error: unknown) => error)
    expect(shortfallOf(refused)).toEqual({ remainingMinor: -1n, creditLimitMinor: 0n })
    expect(await read(orgId)).toEqual([
      { account: 'available', currency: 'NGN', postedMinor: 1_000n, heldMinor: 600n },
    ])
    await spend(orgId, hold(400n))
  })

  it('may go as far below zero as the credit limit', async () => {
    const orgId = newId()
    await t.db.acrossOrgs((tx) =>
      tx.db
        .insertInto('credit_limits')
        .values({ org_id: orgId, currency: 'NGN', limit_minor: '500' })
        .execute(),
    )
    await spend(orgId, hold(500n))
    const refused = await spend(orgId, hold(1n)).catch((error: unknown) => error)
    expect(shortfallOf(refused)).toEqual({ remainingMinor: -501n, creditLimitMinor: 500n })
  })

  it('is not covered by a credit in another currency or of another organisation', async () => {
    const [orgId, other] = [newId(), newId()]
    await credit(other, 1_000n)
    await t.db.batchInOrg(orgId, [insertTransfers(orgId, [{ ...payin(1_000n), currency: 'KES' }])])
    expect(shortfallOf(await spend(orgId, hold(1n)).catch((error: unknown) => error))).toBeDefined()
  })

  it('reads the transfers since the last fold only, by a plan that was made while there were few', async () => {
    const orgId = newId()
    await credit(orgId, 1_000n)
    const readPages = () =>
      t.db.inOrg(orgId, async (tx) => {
        const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
          explain (analyze, buffers, format json)
          select assert_covered(${orgId}::uuid, 'available', 'NGN')`.execute(tx.db)
        const plan = rows[0]!['QUERY PLAN'][0].Plan
        return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
      })
    // The first call also reads the catalogue.
    await readPages()
    const pages = await readPages()
    await t.owner.query(
      `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
       select $1, gen_random_uuid(), 'payin', 'posted', 'provider:paystack', 'available', 'NGN', 1
       from generate_series(1, 20000)`,
      [orgId],
    )
    // A fold stops before the transfers that an open transaction of another test may still precede.
    await vi.waitFor(async () => {
      await fold()
      await credit(orgId, 1_000n)
      expect(await readPages()).toBeLessThan(pages + 20)
    }, 10_000)
  })

  it.each([false, true])(
    '64 at once spend what is there and no more (folded before: %s)',
    async (isFolded) => {
      const orgId = newId()
      await credit(orgId, 2_000n)
      if (isFolded) await fold()
      const results = await Promise.allSettled(Array.from({ length: 64 }, () => spend(orgId, hold(100n))))
      const refused = results.filter((result) => result.status === 'rejected')
      expect(results.length - refused.length).toBe(20)
      expect(refused.every((result) => shortfallOf(result.reason) !== undefined)).toBe(true)
      expect(await read(orgId)).toEqual([
        { account: 'available', currency: 'NGN', postedMinor: 2_000n, heldMinor: 2_000n },
      ])
    },
  )
})

describe('folding', () => {
  it('changes no balance, whatever was folded and whatever came since', async () => {
    const orgId = newId()
    const holds = [hold(100n), hold(200n), hold(300n)] as const
    await credit(orgId, 1_000n)
    await fold()
    for (const transfer of holds) await spend(orgId, transfer)
    await fold()
    await t.db.batchInOrg(orgId, [insertTransfers(orgId, [postHold(holds[0]), releaseHold(holds[1])])])
    expect(await read(orgId)).toEqual(await bruteForce(orgId))
    await fold()
    await credit(orgId, 7n)
    expect(await read(orgId)).toEqual([
      { account: 'available', currency: 'NGN', postedMinor: 907n, heldMinor: 300n },
    ])
    expect(await read(orgId)).toEqual(await bruteForce(orgId))
  })

  it('leaves out what an open transaction wrote, and counts it once it commits', async () => {
    const orgId = newId()
    await credit(orgId, 1_000n)
    const open = await t.owner.connect()
    try {
      await open.query('begin')
      await open.query(
        `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
         values ($1, gen_random_uuid(), 'payin', 'posted', 'provider:paystack', 'available', 'NGN', 50)`,
        [orgId],
      )
      // Younger transactions commit and are folded around it.
      await credit(orgId, 1n)
      await fold()
      expect(await read(orgId)).toEqual([
        { account: 'available', currency: 'NGN', postedMinor: 1_001n, heldMinor: 0n },
      ])
      await open.query('commit')
    } finally {
      open.release()
    }
    expect((await read(orgId))[0]?.postedMinor).toBe(1_051n)
    await fold()
    expect((await read(orgId))[0]?.postedMinor).toBe(1_051n)
    expect(await read(orgId)).toEqual(await bruteForce(orgId))
  })

  it('never shows another number than the sum of the transfers while transfers are written', async () => {
    const orgId = newId()
    await credit(orgId, 100_000n)
    let isDone = false
    const writers = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        await credit(orgId, 3n)
        await spend(orgId, hold(2n))
      }
    })
    const folder = (async () => {
      while (!isDone) await fold()
    })()
    for (let round = 0; round < 100; round++) {
      const [folded, summed] = await t.db.inOrg(orgId, async (tx) => {
        await sql`set transaction isolation level repeatable read`.execute(tx.db)
        return [await availableBalances(tx, orgId), await balancesOf(tx, orgId, ['available'])] as const
      })
      expect(folded).toEqual(summed)
    }
    isDone = true
    await Promise.all([...writers, folder])
    expect(await read(orgId)).toEqual(await bruteForce(orgId))
  })
})

describe('a database that was restored from a dump, where transaction ids start again', () => {
  /** As if the ids of the old cluster had been a million ahead. */
  const restore = async (): Promise<void> => {
    await t.owner.query('update ledger_transfers set xact_id = xact_id + 1000000')
    await t.owner.query('update balance_fold_progress set folded_below = folded_below + 1000000')
  }

  it('refuses debits until its balances have been summed again, and then counts everything', async () => {
    const orgId = newId()
    await credit(orgId, 1_000n)
    await fold()
    await credit(orgId, 200n)
    await spend(orgId, hold(300n))
    await restore()
    await expect(spend(orgId, hold(1n))).rejects.toMatchObject({ status: 503 })
    await credit(orgId, 50n)
    await fold()
    expect(await read(orgId)).toEqual([
      { account: 'available', currency: 'NGN', postedMinor: 1_250n, heldMinor: 300n },
    ])
    await spend(orgId, hold(950n))
    await fold()
    expect(await read(orgId)).toEqual(await bruteForce(orgId))
    await expect(spend(orgId, hold(1n))).rejects.toThrow('the balance does not cover it')
  })
})
