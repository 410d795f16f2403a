import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { openAccounts } from '../../../test/worlds/test-accounts.ts'
import { brokenAfter } from '../../../test/app/test-audit.ts'
import {
  bankPayout,
  mobileMoneyPayin,
  untilSettled,
  usePayments,
} from '../../../test/worlds/test-payments.ts'
import { until } from '../../../test/app/test-relay.ts'

const openHolds = 'open holds are those of open payouts and refunds'
const refundPosted = 'a refund is posted exactly if it is completed'

const t = usePayments({ delayMs: untilSettled })
let owner: Kysely<DB>
let payoutId: string
let withdrawalId: string
let refundId: string
beforeAll(async () => {
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const org = await openAccounts(t)
  const payinId = await org.start(mobileMoneyPayin())
  await t.simulator.settle({ all: true })
  await until('the payin to complete', async () => (await org.record(payinId)).status === 'completed')
  const refund = await org.call('POST', `/v1/payments/${payinId}/refund`, { reason: 'audit' })
  refundId = refund.body.data.refund_id
  await t.simulator.settle({ all: true })
  await until('the refund', async () => (await org.record(payinId)).status === 'refunded')
  payoutId = await org.start(bankPayout(org.beneficiaryId))
  const policies = [{ currency: 'NGN', payout_from: 1 }]
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
  t.deps.approvalPolicies.invalidate()
  const { account_id } = await org.funded(100_000)
  const withdrawal = await org.withdraw(account_id, 100)
  withdrawalId = withdrawal.body.data.transaction_id
  const { status } = await org.record(withdrawalId)
  if (status !== 'initiated')
    throw new Error(`the withdrawal is ${status} and does not wait for its approval`)
})

it('an open payout, a withdrawal that waits for its approval and a refund break no promise', async () => {
  expect(await brokenAfter(owner, 'select 1')).toEqual([])
})

describe('a hold', () => {
  it('of a withdrawal that waits for its approval must exist', async () => {
    const removal = `delete from ledger_transfers where cause_id = '${withdrawalId}'`
    expect(await brokenAfter(owner, removal)).toContain(openHolds)
  })

  it.each([
    ['kind', `kind = 'payout.other'`],
    ['debited account', `debit_account = 'fees'`],
    ['credited account', `credit_account = 'fees'`],
    ['currency', `currency = 'USD'`],
    ['amount', 'amount_minor = amount_minor + 1'],
  ])('of an open payout with another %s is found', async (_what, change) => {
    const statement = `update ledger_transfers set ${change} where cause_id = '${payoutId}'`
    expect(await brokenAfter(owner, statement)).toEqual([openHolds])
  })
})

describe('a refund', () => {
  it.each([
    ['in another phase', `phase = 'pending'`],
    ['from another account', `debit_account = 'fees'`],
    ['to another account', `credit_account = 'fees'`],
    ['in another currency', `currency = 'USD'`],
    ['with another amount', 'amount_minor = amount_minor + 1'],
  ])('that is posted %s is found', async (_what, change) => {
    const statement = `update ledger_transfers set ${change} where cause_id = '${refundId}'`
    expect(await brokenAfter(owner, statement)).toContain(refundPosted)
  })
})
