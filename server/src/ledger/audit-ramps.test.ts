import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { transitions } from '../domains/payments/rules.ts'
import { openPayments, startTestPayments, untilSettled, type TestPayments } from '../testing/test-payments.ts'
import { completeWholeRamp } from '../testing/test-ramps.ts'
import { auditAcrossOrgs } from './audit.ts'

let t: TestPayments
let ramp: string
beforeAll(async () => {
  t = await startTestPayments({ delayMs: untilSettled })
  const org = await openPayments(t)
  ramp = await completeWholeRamp(t, org)
})
afterAll(() => t.close())

/** The promises that are broken after the statement, of which nothing is left afterwards. */
async function brokenAfter(statement: string): Promise<string[]> {
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const transaction = await owner.startTransaction().execute()
  try {
    await sql.raw(statement).execute(transaction)
    const findings = await auditAcrossOrgs(transaction, transitions)
    return findings.filter(({ violations }) => violations > 0).map(({ promise }) => promise)
  } finally {
    await transaction.rollback().execute()
  }
}

const ofRamp = (what: string, kind: string): string =>
  `${what} where cause_id = '${ramp}' and kind like '${kind}'`

it('a ramp that only the operations wrote breaks no promise', async () => {
  expect(await brokenAfter('select 1')).toEqual([])
})

it('money that is forgotten in the middle is found', async () => {
  expect(await brokenAfter(ofRamp('delete from ledger_transfers', 'ramp.settled'))).toEqual([
    'money in the middle belongs to an open ramp',
    'a ramp is posted in both assets as it ended',
  ])
})

it('an amount that is not the ramp’s is found', async () => {
  const more = ofRamp('update ledger_transfers set amount_minor = amount_minor + 1', 'ramp.bought')
  expect(await brokenAfter(more)).toContain('a ramp is posted in both assets as it ended')
})

it('a ramp that is completed without a settlement is found', async () => {
  const undone = `update ramp_legs set state = 'failed' where payment_id = '${ramp}'`
  expect(await brokenAfter(undone)).toEqual(['legs fit the status of their ramp'])
})

it('a nonce that is bound to a leg which nobody looks after is found', async () => {
  const left = `insert into wallet_transfers
      (org_id, reference, chain_id, token, from_address, to_address, amount_minor, nonce, state)
    select org_id, reference, 1, '0x', '0x', '0x', 1, 0, 'open' from ramp_legs where payment_id = '${ramp}'`
  expect(await brokenAfter(left)).toEqual(['a transfer on its way has its leg'])
})
