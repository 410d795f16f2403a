import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { newId } from '../../lib/ids.ts'
import { brokenAfter } from '../../../test/app/test-audit.ts'
import { useDatabase } from '../../../test/app/test-database.ts'
import { until } from '../../../test/app/test-relay.ts'
import { foldBalancesAcrossOrgs } from './available.ts'
import { account, insertTransfers, posted } from './transfers.ts'

const folded = 'a folded balance is the sum of its transfers'
const withinLimit = 'no pooled balance is below its limit'
const takenOut = 'nobody takes out more than was put in, plus the limit'

const t = useDatabase()
const orgId = newId()
let owner: Kysely<DB>
beforeAll(async () => {
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const terms = { currency: 'NGN', amountMinor: 1_000n, causeId: newId() }
  await t.db.batchInOrg(orgId, [
    insertTransfers(orgId, [
      posted({ ...terms, kind: 'opening', debit: account.opening, credit: account.available('pooled') }),
    ]),
  ])
  // Open transactions of other tests on the same server hold a fold back.
  await until('the fold', async () => {
    await t.db.acrossOrgs((tx) => foldBalancesAcrossOrgs(tx))
    return ((await t.owner.query('select from balance_folds where org_id = $1', [orgId])).rowCount ?? 0) > 0
  })
})

const planted = (
  kind: string,
  phase: string,
  change: Partial<Record<'debit' | 'credit' | 'minor', string>>,
) =>
  `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
   values ('${orgId}', gen_random_uuid(), '${kind}', '${phase}', '${change.debit ?? 'available'}',
     '${change.credit ?? 'provider:x'}', 'NGN', ${change.minor ?? '1001'})`
const limitOf = (minor: number): string =>
  `insert into credit_limits (org_id, currency, limit_minor) values ('${orgId}', 'NGN', ${minor})`
const brokenBalances = async (...statements: string[]): Promise<string[]> =>
  (await brokenAfter(owner, statements.join(';'))).filter((promise) =>
    [folded, withinLimit, takenOut].includes(promise),
  )

it('balances that were written by the ledger break no promise', async () => {
  expect(await brokenAfter(owner, 'select 1')).toEqual([])
})

it.each([
  ['another posted amount', 'update balance_folds set posted_minor = posted_minor + 1'],
  ['another held amount', 'update balance_folds set held_minor = 1'],
  ['no row', 'delete from balance_folds'],
  [
    'a transfer that it missed',
    'update balance_fold_progress set folded_below = pg_current_xact_id()::text::bigint + 1;' +
      planted('payin', 'posted', { debit: 'provider:x', credit: 'available' }),
  ],
])('a fold with %s is found', async (_what, statement) => {
  expect(await brokenBalances(statement)).toEqual([folded])
})

it('a pooled balance below zero is found, whether by a posting or by a hold', async () => {
  expect(await brokenBalances(planted('refund', 'posted', {}))).toEqual([withinLimit, takenOut])
  expect(await brokenBalances(planted('payout.hold', 'pending', { credit: 'outgoing' }))).toEqual([
    withinLimit,
  ])
})

it('a balance may be as far below zero as its limit, and no further', async () => {
  expect(await brokenBalances(planted('refund', 'posted', {}), limitOf(1))).toEqual([])
  expect(await brokenBalances(planted('refund', 'posted', { minor: '1002' }), limitOf(1))).toEqual([
    withinLimit,
    takenOut,
  ])
})

it('a payout that its provider paid after it had failed is not held against the limit', async () => {
  expect(await brokenBalances(planted('payout.late', 'posted', { credit: 'outgoing' }))).toEqual([])
})

it('money that left through another account than the balance is found', async () => {
  expect(await brokenBalances(planted('ramp.delivered', 'posted', { debit: 'ramps' }))).toEqual([takenOut])
})
