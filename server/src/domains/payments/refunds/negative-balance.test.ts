import { Kysely, PostgresDialect } from 'kysely'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { beforeEach, expect, it } from 'vitest'
import type { DB } from '../../../kernel/db/generated/schema.ts'
import { brokenAfter } from '../../../../test/app/test-audit.ts'
import {
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openUnverified(t)
  await seedFunds(t.deps, org.orgId, 1n)
})

it('a reversal of money that was spent is booked all the same, raised once, and stops payouts', async () => {
  const ids: string[] = []
  for (let count = 0; count < 2; count += 1) ids.push(await org.start(mobileMoneyPayin()))
  await t.simulator.settle({ all: true })
  const beneficiary = await org.addBeneficiary(mobileMoneyBeneficiary())
  await org.start(mobileMoneyPayout(beneficiary, { amount: 9000, target_amount: 9000 }))
  for (const id of ids) {
    const reference = (await org.attempts(id)).at(-1)?.data.reference
    await t.simulator.reverse('pawapay', { reference })
    expect((await org.record(id)).status).toBe('refunded')
  }
  expect(await org.exceptions('&kind=negative_balance')).toMatchObject([
    { kind: 'negative_balance', payment_id: null, status: 'open' },
  ])
  const refused = await org.initiate(mobileMoneyPayout(beneficiary, { amount: 500, target_amount: 500 }))
  expect([refused.status, refused.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS'])
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  expect(await brokenAfter(owner, 'select 1')).toEqual([])
  // What no forced debit explains is found.
  const more = `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
    values ('${org.orgId}', gen_random_uuid(), 'adjustment', 'posted', 'available', 'fees', 'UGX', 5000)`
  expect(await brokenAfter(owner, more)).toContain('no pooled balance is below its limit')
})
