import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, openOrganization } from '../../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
  openPayments,
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let mobile: string
beforeAll(async () => {
  org = await openPayments(t)
  mobile = await org.addBeneficiary(mobileMoneyBeneficiary())
})

const previewAs = (as: string, body: Json): Promise<CallAnswer> =>
  t.call('POST', '/v1/payments-init/preview', { as, body, unaudited: true })
const preview = (body: Json): Promise<CallAnswer> => previewAs(org.credential, body)
const dataOf = async (body: Json): Promise<Json> => {
  const answer = await preview(body)
  expect(answer.status).toBe(200)
  return answer.body.data
}
const setPolicies = (policies: Json[]): Promise<CallAnswer> =>
  t.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
    as: org.credential,
    body: { policies },
  })

/** A fingerprint of every row of every table; the request log is written behind every call. */
async function everyRow(): Promise<Record<string, string>> {
  const { rows: tables } = await t.owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'request_log' order by 1`,
  )
  const prints = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await t.owner.query<{ print: string }>(
        `select md5(coalesce(string_agg(row::text, '|' order by row::text), '')) as print from ${name} row`,
      )
      return [name, rows[0]?.print ?? ''] as const
    }),
  )
  return Object.fromEntries(prints)
}

describe('200', () => {
  it('names the candidates in the order in which an initiation tries them', async () => {
    const shown = await dataOf(kenyanPayin())
    expect(shown).toMatchObject({
      would_start: true,
      problems: [],
      direction: 'payin',
      payment_method: 'mobile_money',
      country: 'KE',
      amount: 100,
      currency: 'KES',
      provider: 'pawapay',
      custody: null,
      balance: null,
      approval: { is_needed: false, reason: null, policy: null },
    })
    expect(shown.candidates.map(({ position, provider }: Json) => [position, provider])).toEqual([
      [1, 'pawapay'],
      [2, 'paystack'],
    ])
    const { body } = await org.initiate(kenyanPayin())
    expect(body.response.provider).toBe(shown.provider)
  })

  it('tells why a configuration is skipped', async () => {
    const own = await openPayments(t)
    const config = {
      provider: 'pawapay',
      country: 'KE',
      payment_method: 'mobile_money',
      direction: 'inbound',
      priority: 0,
      min_amount: 1_000_000,
    }
    await own.call('POST', '/v1/payments/provider-configs', config)
    const { body } = await previewAs(own.credential, kenyanPayin())
    const skipped = body.data.considered.filter(({ taken }: Json) => taken === false)
    expect(skipped).toMatchObject([
      { provider: 'pawapay', reason: 'the amount is below its range' },
      { provider: 'pawapay', reason: 'the organisation has its own configuration of this account' },
    ])
    expect(body.data).toMatchObject({ would_start: true, provider: 'paystack' })
  })

  it('shows every reason when no configuration fits, as the problem that an initiation answers with', async () => {
    const body = cardPayin({ country: 'TZ', currency: 'TZS', target_currency: 'TZS' })
    const shown = await dataOf(body)
    const refused = await org.initiate(body)
    expect(shown).toMatchObject({
      would_start: false,
      provider: null,
      candidates: [],
      problems: [{ code: refused.body.code, status: refused.status, message: refused.body.message }],
    })
    expect(refused.body.code).toBe('ROUTING_CONFIG_NOT_FOUND')
  })

  it('shows the fee that the payment would be charged', async () => {
    const paying = await openPayments(t)
    const schedule = {
      org_id: paying.orgId,
      label: 'Payins',
      direction: 'payin',
      currency: 'UGX',
      percent: 1.5,
    }
    const created = await t.call('POST', '/v1/fees/schedules', {
      as: t.seed.platformAdmin.api_key,
      body: schedule,
    })
    expect(created.status).toBe(201)
    const { body } = await previewAs(paying.credential, mobileMoneyPayin())
    expect(body.data).toMatchObject({
      total_fees: 75,
      fees_currency: 'UGX',
      fee_ids: [created.body.data.schedule_id],
    })
  })

  it('shows what a pooled payout takes from the balance', async () => {
    expect(await dataOf(mobileMoneyPayout(mobile))).toMatchObject({
      direction: 'payout',
      custody: 'pooled',
      balance: { currency: 'UGX', required: 5000, is_covered: true },
    })
  })

  it('reports a balance that does not cover the payout, as the initiation does', async () => {
    const poor = await openUnverified(t)
    await t.owner.query(`update organizations set kyb_status = 'approved' where org_id = $1`, [poor.orgId])
    const body = mobileMoneyPayout(await poor.addBeneficiary(mobileMoneyBeneficiary()))
    const shown = (await previewAs(poor.credential, body)).body.data
    const refused = await poor.initiate(body)
    expect(refused.body.code).toBe('INSUFFICIENT_FUNDS')
    expect(shown).toMatchObject({
      would_start: false,
      balance: { required: 5000, spendable: 0, is_covered: false },
      problems: [{ code: 'INSUFFICIENT_FUNDS', status: 422, message: refused.body.message }],
    })
  })

  it('reports payouts that are closed until the organisation is verified', async () => {
    const unverified = await openUnverified(t)
    const body = mobileMoneyPayout(await unverified.addBeneficiary(mobileMoneyBeneficiary()))
    const shown = (await previewAs(unverified.credential, body)).body.data
    expect(shown.would_start).toBe(false)
    expect(shown.problems.map(({ code }: Json) => code)).toContain('KYB_REQUIRED')
  })

  it('tells which policy would require approval, for the amount and for the sum of the day', async () => {
    await setPolicies([{ currency: 'UGX', payout_from: 5000 }])
    expect((await dataOf(mobileMoneyPayout(mobile))).approval).toEqual({
      is_needed: true,
      reason: 'Your policy requires approval from 5000.0 UGX on.',
      policy: { currency: 'UGX', payout_from: 5000, daily_from: null },
    })
    const small = mobileMoneyPayout(mobile, { amount: 4999, target_amount: 4999 })
    expect((await dataOf(small)).approval).toEqual({ is_needed: false, reason: null, policy: null })
    await setPolicies([{ currency: 'UGX', payout_from: 5000, daily_from: 9000 }])
    expect((await dataOf(small)).approval.is_needed).toBe(false)
    expect((await org.initiate(small)).status).toBe(200)
    const { approval } = await dataOf(small)
    expect(approval).toMatchObject({ is_needed: true, policy: { currency: 'UGX', daily_from: 9000 } })
    expect(approval.reason).toContain('9000.0 UGX')
    expect((await org.initiate(small)).body.response.status).toBe('initiated')
  })

  it('a payout that would wait for approval reports no missing balance, because it is held later', async () => {
    const poor = await openUnverified(t)
    await t.owner.query(`update organizations set kyb_status = 'approved' where org_id = $1`, [poor.orgId])
    await poor.call('PUT', `/v1/organizations/${poor.orgId}/approval-policies`, {
      policies: [{ currency: 'UGX', payout_from: 1 }],
    })
    const body = mobileMoneyPayout(await poor.addBeneficiary(mobileMoneyBeneficiary()))
    const shown = (await previewAs(poor.credential, body)).body.data
    expect(shown).toMatchObject({ would_start: true, problems: [], balance: { is_covered: false } })
    expect((await poor.initiate(body)).body.response.status).toBe('initiated')
  })

  it('changes no row of any table and sends nothing', async () => {
    const banked = await org.addBeneficiary(bankBeneficiary())
    await org.networks({ country: 'UG' })
    const bodies = [mobileMoneyPayin(), cardPayin(), mobileMoneyPayout(mobile), bankPayout(banked)]
    await Promise.all(bodies.map(dataOf))
    // Reads of personal data by the tests before are recorded behind their responses.
    await t.deps.personalReads.flush()
    const before = await everyRow()
    const accepted = t.simulator.log().length
    for (const body of bodies) await dataOf(body)
    const after = await everyRow()
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual([])
    expect(t.simulator.log()).toHaveLength(accepted)
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['payments', 'ledger_transfers', 'outbox']))
  })
})

describe('400', () => {
  it.each([
    ['an amount with too many decimals', () => mobileMoneyPayin({ amount: 1.005, target_amount: 1.005 })],
    ['a payin without payer_details', () => mobileMoneyPayin({ payer_details: null })],
    [
      'a beneficiary of another organisation',
      async () => {
        const other = await openPayments(t)
        return mobileMoneyPayout(await other.addBeneficiary(mobileMoneyBeneficiary()))
      },
    ],
  ])('%s', async (_name, make) => {
    const body = await make()
    const shown = await preview(body)
    expect(shown.status).toBe(400)
    expect(shown.body).toMatchObject({ error: expect.any(String), code: 'VALIDATION_ERROR' })
    expect((await org.initiate(body)).body.message).toBe(shown.body.message)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    const answer = await t.call('POST', '/v1/payments-init/preview', { body: mobileMoneyPayin() })
    expect(answer.status).toBe(401)
  })
})

describe('403', () => {
  it.each([
    ['viewer', 403],
    ['staff', 200],
    ['org-admin', 200],
  ] as const)('%s: %i', async (role, status) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await previewAs(token, mobileMoneyPayin())).status).toBe(status)
  })

  it('org_id of another organisation', async () => {
    const { orgId } = await openOrganization(t)
    expect((await preview(mobileMoneyPayin({ org_id: orgId }))).status).toBe(403)
  })
})
