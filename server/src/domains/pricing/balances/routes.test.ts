import { beforeEach, describe, expect, it } from 'vitest'
import { creditOpenings, seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  openPayments,
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { openEscrow, percent } from '../../../../test/worlds/test-escrow.ts'
import { wholeRampBody } from '../../../../test/worlds/test-ramps.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { foldBalances } from './fold-balances.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let payee: string
/** An organisation with a balance of 1,000.00 in every currency. */
beforeEach(async () => {
  org = await openUnverified(t)
  await seedFunds(t.deps, org.orgId, 1_000n)
  payee = await org.addBeneficiary(bankBeneficiary())
})

const balanceOf = async (currency: string): Promise<Json> =>
  (await org.call('GET', `/v1/organizations/${org.orgId}/balances`)).body.data.find(
    (balance: Json) => balance.currency === currency,
  )
const payout = (amount: number): Json => bankPayout(payee, { amount, target_amount: amount })
const setLimits = (limits: Json[], as = t.seed.platformAdmin.api_key): Promise<CallAnswer> =>
  t.call('PUT', `/v1/organizations/${org.orgId}/credit-limits`, { as, body: { limits } })
const traces = async (): Promise<unknown[]> => {
  const { rows } = await t.owner.query(
    `select (select count(*) from payments where org_id = $1) as payments,
            (select count(*) from ledger_transfers where org_id = $1) as transfers,
            (select count(*) from outbox where org_id = $1) as jobs`,
    [org.orgId],
  )
  return [rows, t.simulator.log().length]
}
async function completedPayin(change: Json = {}): Promise<string> {
  const id = await org.start(cardPayin(change))
  await t.simulator.settle({ all: true })
  await until('the payin', async () => (await org.record(id)).status === 'completed')
  return id
}

describe('a payout', () => {
  it('that the balance does not cover is refused with what is missing, and nothing is sent', async () => {
    await org.start(payout(600))
    const before = await traces()
    const answer = await org.initiate(payout(400.01))
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      message: expect.stringContaining('400.00 NGN is available and 0.01 NGN is missing'),
      details: [{ path: 'amount', message: '400.00 NGN is available and 0.01 NGN is missing' }],
    })
    expect(await traces()).toEqual(before)
    expect((await org.initiate(payout(400))).status).toBe(200)
    expect(await balanceOf('NGN')).toMatchObject({ available: 0 })
  })

  it('that fails gives its hold back', async () => {
    t.simulator.setFaults('paystack', [{ on: 'payout', fault: 'decline', times: 1 }])
    await org.initiate(payout(1_000))
    expect(await balanceOf('NGN')).toMatchObject({ available: 1_000, held: 0, in_transit: 0 })
    expect((await org.initiate(payout(1_000))).status).toBe(200)
  })

  it('in another currency is covered by the balance that pays', async () => {
    const rates = await org.call(
      'GET',
      '/v1/organizations/admin/exchange-rate?fromCurrency=USD&toCurrency=NGN',
    )
    const { rate, org_rate_id } = rates.body.data
    const target_amount = Math.round(1_001 * Number(rate) * 100) / 100
    const answer = await org.initiate(
      bankPayout(payee, { amount: 1_001, currency: 'USD', target_amount, org_rate_id }),
    )
    expect([answer.status, answer.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS'])
    expect(answer.body.message).toContain('1.00 USD is missing')
  })

  it('waits for its approval without a hold, and the approval is refused without funds', async () => {
    const policies = [{ currency: 'NGN', payout_from: 1 }]
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
    t.deps.approvalPolicies.invalidate()
    const ids = [await org.start(payout(700)), await org.start(payout(700))]
    const [first, second] = [
      await addPerson(t, org.orgId, 'org-admin'),
      await addPerson(t, org.orgId, 'org-admin'),
    ]
    const review = (id: string, as: string): Promise<CallAnswer> =>
      t.call('POST', `/v1/payments/${id}/review`, { as, body: { decision: 'approve' } })
    for (const id of ids) await review(id, first.token)
    const answers = await Promise.all(ids.map((id) => review(id, second.token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status === 422)?.body.message).toContain('400.00 NGN is missing')
    expect(await balanceOf('NGN')).toMatchObject({ available: 300, held: 700 })
  })

  it('of an organisation without funds is refused although others have them', async () => {
    const poor = await openUnverified(t)
    await seedFunds(t.deps, poor.orgId, 1n)
    const beneficiary = await poor.addBeneficiary(bankBeneficiary())
    const answer = await poor.initiate(
      bankPayout(beneficiary, { amount: 90_000_000, target_amount: 90_000_000 }),
    )
    expect([answer.status, answer.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS'])
  })

  it('is covered by at most the balance when many start at once', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => org.initiate(payout(200))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(11)
    expect(await balanceOf('NGN')).toMatchObject({ available: 0 })
    await expectCleanAudit(t)
  })
})

describe('a refund', () => {
  it('holds its amount, and is refused when the balance does not cover it', async () => {
    const [first, second] = [await completedPayin(), await completedPayin()]
    // Takes out all but 30.00 of the 1,050.00.
    await t.owner.query(
      `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
       values ($1, gen_random_uuid(), 'opening.returned', 'posted', 'available', 'opening', 'GBP', 102000)`,
      [org.orgId],
    )
    const refund = (paymentId: string): Promise<CallAnswer> =>
      org.call('POST', `/v1/payments/${paymentId}/refund`, { reason: 'returned goods' })
    expect((await refund(first)).status).toBe(201)
    expect(await balanceOf('GBP')).toMatchObject({ available: 5 })
    const refused = await refund(second)
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('20.00 GBP is missing'),
    ])
    expect((await org.call('GET', `/v1/payments/${second}/refunds`)).body.count).toBe(0)
    await expectCleanAudit(t)
  })

  it('that fails gives its hold back', async () => {
    const id = await completedPayin()
    t.simulator.setFaults('stripe', [{ on: 'refund', fault: 'decline', reason: 'insufficient_funds' }])
    await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'returned goods' })
    expect(await balanceOf('GBP')).toMatchObject({ available: 1_025, held: 0, in_transit: 0 })
    await expectCleanAudit(t)
  })
})

describe('GET balances', () => {
  it('splits what is posted into available, held and in transit, folded or not', async () => {
    await org.start(payout(250))
    const posted = { currency: 'NGN', custody: 'pooled', available: 750, held: 0, in_transit: 250 }
    expect(await balanceOf('NGN')).toEqual({ ...posted, credit_limit: 0 })
    await foldBalances(t.deps)
    expect(await balanceOf('NGN')).toEqual({ ...posted, credit_limit: 0 })
    await t.simulator.settle({ all: true })
    await until('the payout', async () => (await balanceOf('NGN')).in_transit === 0)
    expect(await balanceOf('NGN')).toMatchObject({ available: 750, held: 0, in_transit: 0 })
  })

  it('a viewer reads them; another organisation does not', async () => {
    const path = `/v1/organizations/${org.orgId}/balances`
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await t.call('GET', path, { as: viewer.token })).status).toBe(200)
    const stranger = await openPayments(t)
    expect((await stranger.call('GET', path)).status).toBe(403)
    expect((await t.call('GET', path, { as: t.seed.platformAdmin.api_key })).status).toBe(200)
  })
})

describe('credit limits', () => {
  it('let the balance go below zero as far as they reach', async () => {
    expect((await setLimits([{ currency: 'NGN', amount: 500 }])).status).toBe(200)
    expect((await org.initiate(payout(1_500))).status).toBe(200)
    expect(await balanceOf('NGN')).toMatchObject({ available: -500, credit_limit: 500 })
    const answer = await org.initiate(payout(0.01))
    expect([answer.status, answer.body.details[0].message]).toEqual([
      422,
      '0.00 NGN is available and 0.01 NGN is missing',
    ])
    await expectCleanAudit(t)
  })

  it('cannot be lowered below what is used, or left out: 409', async () => {
    await setLimits([{ currency: 'NGN', amount: 500 }])
    await org.start(payout(1_200))
    for (const limits of [[], [{ currency: 'NGN', amount: 199.99 }]]) {
      const answer = await setLimits(limits)
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('200.00 NGN')])
    }
    const read = await t.call('GET', `/v1/organizations/${org.orgId}/credit-limits`, {
      as: t.seed.platformAdmin.api_key,
    })
    expect(read.body.data.limits).toEqual([{ currency: 'NGN', amount: 500 }])
    expect((await setLimits([{ currency: 'NGN', amount: 200 }])).status).toBe(200)
  })

  it('are the operator’s alone', async () => {
    const limits = [{ currency: 'NGN', amount: 1 }]
    expect((await setLimits(limits, org.credential)).status).toBe(403)
    expect((await org.call('GET', `/v1/organizations/${org.orgId}/credit-limits`)).status).toBe(403)
  })

  it.each([
    [[{ currency: 'XXQ', amount: 1 }]],
    [[{ currency: 'NGN', amount: -1 }]],
    [[{ currency: 'UGX', amount: 0.5 }]],
    [
      [
        { currency: 'NGN', amount: 1 },
        { currency: 'NGN', amount: 2 },
      ],
    ],
  ])('%j: 400', async (limits) => {
    expect((await setLimits(limits)).status).toBe(400)
  })
})

describe('an organisation whose verification was revoked', () => {
  it('has no way out, although it has funds, until the operator opens it', async () => {
    const escrow = await openEscrow(t)
    const { org: revoked } = escrow
    const { account_id } = await revoked.funded(100_000)
    const { milestone_id } = await escrow.milestone(10, [percent(await escrow.payoutParty(), 100)])
    await escrow.fund(10)
    await escrow.approve(milestone_id)
    await t.owner.query(`update organizations set kyb_status = 'rejected' where org_id = $1`, [revoked.orgId])
    const ramp = await wholeRampBody(revoked)
    const ways = (): Promise<CallAnswer[]> =>
      Promise.all([
        revoked.initiate(bankPayout(revoked.beneficiaryId)),
        revoked.withdraw(account_id, 100),
        revoked.call('POST', '/v1/payments-init/ramp', ramp),
        escrow.disburse(milestone_id),
      ])
    const refused = await ways()
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    for (const { body } of refused)
      expect(body.message).toContain('when the verification of your organisation')
    await t.call('PATCH', `/v1/organizations/${revoked.orgId}`, {
      as: t.seed.platformAdmin.api_key,
      body: { payouts_require_kyb: false },
    })
    expect((await ways()).map(({ status }) => status)).toEqual([200, 201, 200, 200])
  })

  it('is treated as one that never had it', async () => {
    const unverified = await openUnverified(t)
    await creditOpenings(t.deps, unverified.orgId)
    const beneficiary = await unverified.addBeneficiary(bankBeneficiary())
    const answer = await unverified.initiate(bankPayout(beneficiary))
    expect([answer.status, answer.body.code]).toEqual([403, 'KYB_REQUIRED'])
  })

  it('may still pay from its own account at a provider', async () => {
    const unverified = await openUnverified(t)
    const secret_key = `sk_test_${unverified.orgId}`
    t.simulator.configure('paystack', { account: unverified.orgId, secrets: { secret_key } })
    const credentials = { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` }
    await unverified.ownAccount('paystack', credentials)
    const beneficiary = await unverified.addBeneficiary(bankBeneficiary())
    const answer = await unverified.initiate(bankPayout(beneficiary))
    expect([answer.status, answer.body.response?.provider]).toEqual([200, 'paystack'])
  })
})
