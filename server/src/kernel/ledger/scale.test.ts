import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { useDatabase } from '../../../test/app/test-database.ts'
import { assertCovered, availableBalances, foldBalancesAcrossOrgs } from './available.ts'
import { balancesOf } from './balances.ts'
import { account, held, insertTransfers, posted } from './transfers.ts'

/** `npm run balances:scale` sets a million transfers and a thousand checks. */
const transfers = Number(process.env['BALANCE_TRANSFERS'] ?? 10_000)
const checks = Number(process.env['BALANCE_CHECKS'] ?? 30)
const writesPerSecond = 500
const timeLimitMs = 1_800_000

const t = useDatabase()
const orgId = newId()
beforeAll(async () => {
  await t.owner.query(
    `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
     select $1, gen_random_uuid(), 'payin', 'posted', 'provider:paystack', 'available', 'NGN', 1 + n % 1000
     from generate_series(1, $2::integer) n`,
    [orgId, transfers],
  )
  await fold()
  await t.owner.query('vacuum analyze ledger_transfers, balance_folds')
}, 600_000)

const fold = (): Promise<number> => t.db.acrossOrgs((tx) => foldBalancesAcrossOrgs(tx))
const read = () => t.db.inOrg(orgId, (tx) => availableBalances(tx, orgId))

const payin = () =>
  posted({
    causeId: newId(),
    kind: 'payin',
    debit: account.provider('paystack', null),
    credit: account.available('pooled'),
    currency: 'NGN',
    amountMinor: 3n,
  })
const hold = () =>
  held({
    causeId: newId(),
    kind: 'payout.hold',
    debit: account.available('pooled'),
    credit: account.outgoing,
    currency: 'NGN',
    amountMinor: 2n,
  })

/** Writes transfers at the rate, half of them guarded debits, until it is stopped; returns how many. */
function startWriting(): { stop(): Promise<number> } {
  let isDone = false
  let written = 0
  const began = performance.now()
  const writers = Array.from({ length: 4 }, async () => {
    while (!isDone) {
      const due = ((performance.now() - began) / 1_000) * writesPerSecond
      if (written >= due) {
        await delay(1)
        continue
      }
      written += 2
      await t.db.batchInOrg(orgId, [insertTransfers(orgId, [payin()])])
      await t.db.batchInOrg(orgId, [
        insertTransfers(orgId, [hold()]),
        assertCovered(orgId, { account: account.available('pooled'), currency: 'NGN' }),
      ])
    }
  })
  return {
    async stop() {
      isDone = true
      await Promise.all(writers)
      return written / ((performance.now() - began) / 1_000)
    },
  }
}

it(`a balance over ${transfers} transfers is their sum`, async () => {
  expect(await read()).toEqual(await t.db.inOrg(orgId, (tx) => balancesOf(tx, orgId, ['available'])))
})

it(
  'a balance is the sum of its transfers at every moment while transfers are written and folded',
  async () => {
    const writing = startWriting()
    let isDone = false
    const folding = (async () => {
      while (!isDone) {
        await fold()
        await delay(100)
      }
    })()
    for (let check = 0; check < checks; check++) {
      const [folded, summed] = await t.db.inOrg(orgId, async (tx) => {
        await sql`set transaction isolation level repeatable read`.execute(tx.db)
        // The sum reads every transfer, which takes seconds on a busy machine.
        await sql`set local statement_timeout = 0`.execute(tx.db)
        return [await availableBalances(tx, orgId), await balancesOf(tx, orgId, ['available'])] as const
      })
      expect(folded).toEqual(summed)
    }
    isDone = true
    const rate = await writing.stop()
    await folding
    process.stdout.write(`${checks} checks while ${rate.toFixed(0)} transfers/s were written\n`)
  },
  timeLimitMs,
)
