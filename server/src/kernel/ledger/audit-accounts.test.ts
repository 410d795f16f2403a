import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { brokenAfter } from '../../../test/app/test-audit.ts'
import { openAccounts } from '../../../test/worlds/test-accounts.ts'
import { untilSettled, usePayments } from '../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let owner: Kysely<DB>
beforeAll(async () => {
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const accounts = await openAccounts(t)
  const account = await accounts.funded(100_000)
  await accounts.withdraw(account.account_id, 100)
  await accounts.deposit({ bank_details: { account_number: '9999999999' } }, 5_000)
})

it.each([
  [
    'update guarded_balances set available_minor = available_minor + 1',
    'a guarded balance is the sum of its transfers',
  ],
  [
    'update guarded_balances set held_minor = held_minor + 1',
    'a guarded balance is the sum of its transfers',
  ],
  ['delete from guarded_balances', 'a guarded balance is the sum of its transfers'],
  ['update guarded_balances set entry_count = entry_count + 1', 'statement entries have no gap'],
  ['update virtual_transactions set entry_no = 2 where entry_no = 1', 'statement entries have no gap'],
  [
    'update virtual_transactions set balance_after_minor = 1 where entry_no = 1',
    'statement entries have no gap',
  ],
  [`delete from events where event_type like 'virtual_account.%'`, 'a booked transaction has its event'],
  [
    `update events set event_type = 'virtual_account.withdrawal' where event_type = 'virtual_account.deposit'`,
    'a booked transaction has its event',
  ],
  [
    `update virtual_transactions set status = 'failed' where status = 'pending'`,
    'the status of a withdrawal matches its payment',
  ],
  [`update suspended_deposits set status = 'returned'`, 'suspense equals what is under manual review'],
  ['delete from suspended_deposits', 'suspense equals what is under manual review'],
])('%s breaks the promise', async (statement, promise) => {
  expect(await brokenAfter(owner, 'select 1')).toEqual([])
  expect(await brokenAfter(owner, statement)).toContain(promise)
})
