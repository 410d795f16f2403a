import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit, openAccounts, type TestAccounts } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { bankPayout, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

/** Between the request and the approval of a payout, the organisation changes the routes that it owns. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
afterAll(() => expectCleanAudit(t))
let thief: TestAccounts
beforeEach(async () => {
  thief = await openAccounts(t)
  const secret_key = `sk_own_${thief.orgId}`
  t.simulator.configure('paystack', { account: thief.orgId, secrets: { secret_key } })
  await thief.ownAccount(
    'paystack',
    { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` },
    thief.orgId,
  )
  await setPolicy()
})

async function setPolicy(): Promise<void> {
  const policies = [{ currency: 'NGN', payout_from: 1_000 }]
  const path = `/v1/organizations/${thief.orgId}/approval-policies`
  expect((await thief.call('PUT', path, { policies })).status).toBe(200)
}

const configs = '/v1/payments/provider-configs'
const setOwnRoutes = async (change: Json): Promise<void> => {
  const { body } = await thief.call('GET', `${configs}?provider=paystack&limit=100`)
  for (const { config_id, org_id } of body.data)
    if (org_id !== null) await thief.call('PATCH', `${configs}/paystack/${config_id}`, change)
}
const approve = async (paymentId: string): Promise<CallAnswer> => {
  let answer: CallAnswer | undefined
  for (let count = 0; count < 2; count += 1) {
    const { token: as } = await addPerson(t, thief.orgId, 'org-admin')
    answer = await t.call('POST', `/v1/payments/${paymentId}/review`, { as, body: { decision: 'approve' } })
  }
  if (!answer) throw new Error('nobody approved')
  return answer
}
const heldPayout = (): Promise<string> =>
  thief.start(bankPayout(thief.beneficiaryId, { amount: 2_000_000, target_amount: 2_000_000 }))
const emptyPooledBalance = (): Promise<unknown> =>
  t.owner.query(
    `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
     select $1, gen_random_uuid(), 'opening', 'posted', 'available', 'opening', 'NGN', posted_minor
     from available_balances($1) where account = 'available' and currency = 'NGN'`,
    [thief.orgId],
  )

describe('a payout that waits for approval is paid from the custody that it was requested in', () => {
  it('an own account that is switched off is not replaced by the operator’s', async () => {
    await emptyPooledBalance()
    const id = await heldPayout()
    expect(await thief.record(id)).toMatchObject({ status: 'initiated' })
    await setOwnRoutes({ is_active: false })
    const refused = await approve(id)
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('No provider is configured'),
    ])
    await thief.advance(id)
    expect(await thief.accepted(id)).toEqual([])
    expect((await thief.record(id)).status).toBe('reviewed')
  })

  it('a withdrawal of its own virtual account neither', async () => {
    const account = await thief.funded(300_000_000)
    expect(account.custody).toBe('own')
    const withdrawn = await thief.withdraw(account.account_id, 2_000_000)
    expect(withdrawn.status).toBe(201)
    const id = withdrawn.body.data.transaction_id
    await setOwnRoutes({ is_active: false })
    expect((await approve(id)).status).toBe(422)
    await thief.advance(id)
    expect(await thief.accepted(id)).toEqual([])
  })

  it('nor is the pooled balance charged for what its own account pays', async () => {
    await setOwnRoutes({ is_active: false })
    const id = await heldPayout()
    await setOwnRoutes({ is_active: true })
    expect((await approve(id)).status).toBe(200)
    await thief.advance(id)
    expect(await thief.accepted(id)).toMatchObject([{ account: 'default' }])
  })
})
