import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { DB } from '../../../kernel/db/generated/schema.ts'
import { brokenAfter } from '../../../../test/app/test-audit.ts'
import { openPayments, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { disputable, paid } from './testing/disputed-payments.ts'

const posted = 'every movement of disputed money is posted once'
const summed = 'a dispute is the sum of its movements'
const carried = 'a dispute was reported by the account of its payment'
const evented = 'the state of a dispute matches its events'
const conserved = 'a payin gives back at most what it took, and the excess is in suspense'
const recorded = 'the sums of a payin are those of its records'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let owner: Kysely<DB>
beforeAll(async () => {
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const org = await openPayments(t)
  const { reference } = await paid(t, org, disputable.stripe)
  const { id } = await t.simulator.dispute('stripe', { reference })
  await t.simulator.dispute('stripe', { id, action: 'win' })
})

const broken = async (statement: string): Promise<string[]> =>
  (await brokenAfter(owner, statement)).filter((promise) =>
    [posted, summed, carried, evented, conserved, recorded].includes(promise),
  )

it('a dispute that was written by the server breaks no promise', async () => {
  expect(await brokenAfter(owner, 'select 1')).toEqual([])
})

it.each([
  [
    'a transfer of another amount',
    posted,
    `update ledger_transfers set amount_minor = 1 where kind = 'dispute.cost.1'`,
  ],
  ['a missing transfer', posted, `delete from ledger_transfers where kind = 'dispute.returned.1'`],
  [
    'a transfer from another account',
    posted,
    `update ledger_transfers set debit_account = 'available:own' where kind = 'dispute.withdrawn.1'`,
  ],
  [
    'a transfer of no dispute',
    posted,
    `update ledger_transfers set cause_id = gen_random_uuid() where kind = 'dispute.cost.1'`,
  ],
  ['a missing movement', summed, `update disputes set moves = 1`],
  ['another amount that is out', summed, `update disputes set withdrawn_minor = 5`],
  ['another account', carried, `update disputes set account_id = gen_random_uuid()`],
  ['another custody', carried, `update disputes set custody = 'own'`],
  ['another state', evented, `update disputes set state = 'lost'`],
  ['a missing event', evented, `delete from events where event_type = 'dispute.closed'`],
  [
    'money that was given back twice',
    conserved,
    `delete from ledger_transfers where kind = 'dispute.returned.1';
     update ledger_transfers set amount_minor = 2 * amount_minor where kind = 'dispute.withdrawn.1'`,
  ],
  [
    'money in suspense that does not exceed the payment',
    conserved,
    `update ledger_transfers set debit_account = 'suspense' where kind = 'dispute.withdrawn.1';
     delete from ledger_transfers where kind = 'dispute.returned.1'`,
  ],
  ['a forgotten withdrawal', recorded, `update payin_sums set withdrawn_minor = 0, returned_minor = 0`],
  ['a refund under way that is not there', recorded, `update payin_sums set refunding_minor = 1`],
  ['a demand that has ended', recorded, `update payin_sums set disputed_minor = 1`],
  ['another charge', recorded, `update payin_sums set charged_minor = charged_minor + 1`],
  ['a lost row of sums', recorded, `delete from payin_sums`],
  ['an excuse that was never raised', recorded, `update payin_sums set exception_id = gen_random_uuid()`],
  ['an unpublished change', evented, `update disputes set event_count = event_count + 1`],
])('%s is found', async (_what, promise, statement) => {
  const triggers = ['ledger_transfers', 'events'].map((table) => `alter table ${table} disable trigger user`)
  expect(await broken([...triggers, statement].join(';'))).toContain(promise)
})
