import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { brokenAfter } from '../../../test/app/test-audit.ts'
import { runDisbursement } from '../../../test/worlds/test-disbursement.ts'
import { fixed, openEscrow, percent } from '../../../test/worlds/test-escrow.ts'
import { untilSettled, usePayments } from '../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let owner: Kysely<DB>
beforeAll(async () => {
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const escrow = await openEscrow(t)
  const [ada, ben] = [await escrow.accountParty(), await escrow.payoutParty()]
  const milestones = [
    await escrow.milestone(100, [percent(ada, 100), fixed(ben, 30)]),
    await escrow.milestone(50, [percent(ada, 100)]),
  ]
  await escrow.fund(120)
  const { milestone_id: milestoneId } = milestones[0]
  await escrow.approve(milestoneId)
  await escrow.disburse(milestoneId)
  const ids = { orgId: escrow.org.orgId, milestoneId }
  await runDisbursement(t, ids)
  await t.simulator.settle({ all: true })
  await runDisbursement(t, ids)
})

const ofAccount = `party_id = (select party_id from escrow_parties where account_id is not null)`
const ofPayout = `party_id = (select party_id from escrow_parties where beneficiary_id is not null)`

it.each([
  [
    `update escrow_milestones set covered_minor = covered_minor - 1 where status = 'pending'`,
    'an escrow holds what is covered minus what was disbursed',
  ],
  [`update escrow_shares set state = 'paying'`, 'an escrow holds what is covered minus what was disbursed'],
  [`update escrow_fundings set returned_minor = 1`, 'the funding of an escrow covers its milestones'],
  [
    `update escrow_fundings set funding_id = gen_random_uuid()`,
    'the funding of an escrow covers its milestones',
  ],
  [`update escrow_shares set amount_minor = amount_minor + 1`, 'shares conserve every minor unit'],
  [`delete from escrow_shares where ${ofAccount}`, 'shares conserve every minor unit'],
  [
    `update escrow_milestones set status = 'approved' where status = 'disbursed'`,
    'shares conserve every minor unit',
  ],
  [
    `update escrow_shares set payment_id = gen_random_uuid() where ${ofAccount}`,
    'a share is paid exactly once',
  ],
  [
    `update escrow_shares set payment_id = gen_random_uuid() where ${ofPayout}`,
    'a share is paid exactly once',
  ],
  [`update escrow_shares set state = 'stuck' where ${ofPayout}`, 'a share is paid exactly once'],
  [
    `update escrow_shares set state = 'failed' where ${ofPayout}`,
    'the status of a milestone matches its shares',
  ],
  [
    `update escrow_shares set state = 'stuck' where ${ofPayout}`,
    'the status of a milestone matches its shares',
  ],
  [`update escrow_milestones set disbursed_at = null`, 'the status of a milestone matches its shares'],
  [
    `delete from events where event_type like 'escrow.%' and sequence = 2`,
    'a milestone has an event for each change',
  ],
  [
    `update escrow_milestones set status = 'submitted' where status = 'pending'`,
    'a milestone has an event for each change',
  ],
])('%s breaks the promise', async (statement, promise) => {
  expect(await brokenAfter(owner, 'select 1')).toEqual([])
  expect(await brokenAfter(owner, statement)).toContain(promise)
})
