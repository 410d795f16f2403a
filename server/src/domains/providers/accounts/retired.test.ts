import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openOrganization } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  kenyanPayin,
  paymentsOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

/** An organisation with an empty pooled balance and a Paystack account of its own. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
afterAll(() => expectCleanAudit(t))

const accounts = '/v1/payments/provider-accounts'
let thief: OrgPayments
let key: string
let webhookUrl: string
let ownAccountId: string
beforeEach(async () => {
  const { orgId, admin } = await openOrganization(t, 'NG')
  await t.owner.query(`update organizations set kyb_status = 'approved' where org_id = $1`, [orgId])
  thief = paymentsOf(t, orgId, admin.token)
  key = `sk_own_${orgId}`
  t.simulator.configure('paystack', { account: orgId, secrets: { secret_key: key } })
  const keys = { secretKey: key, baseUrl: `${t.simulator.url}/paystack` }
  webhookUrl = (await thief.ownAccount('paystack', keys, orgId)).webhook_url
  const { body } = await thief.call('GET', `${accounts}?provider=paystack`)
  ownAccountId = body.data.find((account: Json) => account.org_id === orgId).account_id
  await thief.networks({ country: 'KE' })
})

const retire = (): Promise<CallAnswer> =>
  thief.call('PATCH', `${accounts}/${ownAccountId}`, { status: 'retired' })
const completed = async (body: Json): Promise<string> => {
  const id = await thief.start(body)
  await t.simulator.settle()
  expect((await thief.record(id)).status).toBe('completed')
  return id
}
const balances = async (): Promise<Json[]> =>
  (await thief.call('GET', `/v1/organizations/${thief.orgId}/balances`)).body.data

describe('a retired account', () => {
  it('leaves its configurations to the operator’s account, which pays from the pooled balance only', async () => {
    const beneficiary = await thief.addBeneficiary(bankBeneficiary())
    const payout = bankPayout(beneficiary, { amount: 900_000, target_amount: 900_000 })
    const before = await thief.start(payout)
    expect(await thief.accepted(before)).toMatchObject([{ account: thief.orgId }])
    await t.simulator.settle()
    expect((await retire()).status).toBe(200)
    const answer = await thief.initiate(payout)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      422,
      'INSUFFICIENT_FUNDS',
      expect.stringContaining('0.00 NGN is available and 900000.00 NGN is missing'),
    ])
  })

  it('still says what became of what it carries, and of nothing else', async () => {
    const open = await thief.start(kenyanPayin())
    expect((await retire()).status).toBe(200)
    await t.simulator.settle()
    expect((await thief.record(open)).status).toBe('completed')
    const pooled = await thief.start(kenyanPayin())
    const [attempt] = await thief.attempts(pooled)
    const rawBody = JSON.stringify({
      event: 'charge.success',
      data: { id: 1, status: 'success', reference: attempt.data.reference, amount: 10_000, currency: 'KES' },
    })
    const signature = createHmac('sha512', key).update(rawBody).digest('hex')
    const headers = { 'x-paystack-signature': signature }
    const path = new URL(webhookUrl).pathname
    expect((await t.call('POST', path, { rawBody, headers, unaudited: true })).status).toBe(200)
    expect((await thief.record(pooled)).status).not.toBe('completed')
    expect(await thief.postings(pooled)).toEqual([])
    expect((await thief.exceptions()).map(({ kind }) => kind)).toContain('message_from_other_account')
  })
})

describe('a refund', () => {
  const refund = (id: string): Promise<CallAnswer> =>
    thief.call('POST', `/v1/payments/${id}/refund`, { reason: 'Robbery' })

  it('of what its own account collected is paid by that account, also when it is retired', async () => {
    const id = await completed(kenyanPayin())
    expect((await retire()).status).toBe(200)
    expect((await refund(id)).status).toBe(201)
    const refunds = t.simulator.log().filter(({ kind }) => kind === 'refund')
    expect(refunds.at(-1)).toMatchObject({ account: thief.orgId })
    expect((await balances()).filter(({ custody }) => custody === 'pooled')).toEqual([])
  })

  it('of what the operator’s account collected is refused after the money was paid out', async () => {
    await retire()
    const id = await completed(kenyanPayin())
    const [pooled] = (await balances()).filter(({ custody }) => custody === 'pooled')
    expect(pooled).toMatchObject({ currency: 'KES' })
    await t.owner.query(
      `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
       select org_id, gen_random_uuid(), 'opening', 'posted', 'available', 'opening', currency, amount_minor
       from ledger_transfers where cause_id = $1 and kind = 'payin'`,
      [id],
    )
    const refused = await refund(id)
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('is missing')])
    expect((await thief.record(id)).status).toBe('completed')
  })
})
