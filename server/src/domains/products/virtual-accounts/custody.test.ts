import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCleanAudit, openAccounts, type TestAccounts } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { runDisbursement } from '../../../../test/worlds/test-disbursement.ts'
import { untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

/** A deposit that an organisation signs with keys of its own lies in its own account, whatever it says. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
afterAll(() => expectCleanAudit(t))

const configs = '/v1/payments/provider-configs'
const escrows = '/v1/virtual-accounts/escrow'
const differentCustody = expect.stringContaining('The accounts are of different custody')
const refusal = ({ status, body }: CallAnswer): unknown => [status, body.message]

let thief: TestAccounts
/** Backed by the operator, and empty. */
let pooled: Json
/** At the thief's own Paystack account, with a forged deposit of 5,000,000. */
let own: Json
beforeEach(() => openBoth())

async function openBoth(): Promise<void> {
  thief = await openAccounts(t)
  await t.owner.query(`update organizations set features = array['escrow'] where org_id = $1`, [thief.orgId])
  pooled = await thief.open()
  expect(pooled.custody).toBe('pooled')
  const secret_key = `sk_own_${thief.orgId}`
  t.simulator.configure('paystack', { account: thief.orgId, secrets: { secret_key } })
  const keys = { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` }
  const { webhook_url } = await thief.ownAccount('paystack', keys)
  own = await thief.open()
  expect(own.custody).toBe('own')
  await forgeDeposit(webhook_url, secret_key)
  expect(await thief.account(own.account_id)).toMatchObject({ balance: 5_000_000 })
}

async function forgeDeposit(webhookUrl: string, key: string): Promise<void> {
  const rawBody = JSON.stringify({
    event: 'charge.success',
    data: {
      id: Date.now(),
      status: 'success',
      reference: `deposit${Date.now()}`,
      amount: 500_000_000,
      currency: 'NGN',
      channel: 'dedicated_nuban',
      authorization: { receiver_bank_account_number: own.bank_details.account_number, sender_name: 'THIEF' },
    },
  })
  const signature = createHmac('sha512', key).update(rawBody).digest('hex')
  const headers = { 'x-paystack-signature': signature }
  const path = new URL(webhookUrl).pathname
  expect((await t.call('POST', path, { rawBody, headers, unaudited: true })).status).toBe(200)
}

const switchOffOwnRoutes = async (): Promise<void> => {
  const { body } = await thief.call('GET', `${configs}?provider=paystack&limit=100`)
  for (const { config_id, org_id } of body.data)
    if (org_id !== null) await thief.call('PATCH', `${configs}/paystack/${config_id}`, { is_active: false })
}

describe('a virtual account of the organisation’s own', () => {
  it('transfers nothing to one that the operator backs, nor back', async () => {
    const there = await thief.transfer(own.account_id, pooled.account_id, 900_000)
    expect(refusal(there)).toEqual([409, differentCustody])
    const back = await thief.transfer(pooled.account_id, own.account_id, 1)
    expect(refusal(back)).toEqual([409, differentCustody])
    expect(await thief.account(pooled.account_id)).toMatchObject({ balance: 0 })
  })

  it('is withdrawn through the organisation’s account only', async () => {
    await switchOffOwnRoutes()
    const answer = await thief.withdraw(own.account_id, 900_000)
    expect(refusal(answer)).toEqual([422, expect.stringContaining('No provider is configured')])
    expect(await thief.account(own.account_id)).toMatchObject({ available_balance: 5_000_000 })
  })
})

describe('an escrow', () => {
  const open = async (custody: string): Promise<string> => {
    const answer = await thief.call('POST', escrows, { name: 'Loot', currency: 'NGN', custody })
    expect(answer.status).toBe(201)
    return `${escrows}/${answer.body.data.escrow_id}`
  }
  const addParty = (escrow: string, payee: Json): Promise<CallAnswer> =>
    thief.call('POST', `${escrow}/parties`, { name: 'Thief', ...payee })
  const addMilestone = async (escrow: string, party: CallAnswer): Promise<string> => {
    const parties = [{ party_id: party.body.data.party_id, split_value: 100 }]
    const body = { label: 'Loot', expected_disbursement: 900_000, parties }
    return (await thief.call('POST', `${escrow}/milestones`, body)).body.data.milestone_id
  }
  const fund = (escrow: string, { account_id }: Json): Promise<CallAnswer> =>
    thief.call('POST', `${escrow}/fund`, { account_id, amount: 900_000 })

  it('that the operator backs is not funded from the organisation’s own account', async () => {
    const escrow = await open('pooled')
    await addMilestone(escrow, await addParty(escrow, { beneficiary_id: thief.beneficiaryId }))
    expect(refusal(await fund(escrow, own))).toEqual([409, differentCustody])
    expect(await thief.account(own.account_id)).toMatchObject({ available_balance: 5_000_000 })
  })

  it('of its own money pays into no account that the operator backs', async () => {
    const escrow = await open('own')
    const party = await addParty(escrow, { account_id: pooled.account_id })
    expect(refusal(party)).toEqual([409, differentCustody])
  })

  it('of its own money is paid out through the organisation’s account only', async () => {
    const escrow = await open('own')
    const id = await addMilestone(escrow, await addParty(escrow, { beneficiary_id: thief.beneficiaryId }))
    expect((await fund(escrow, own)).status).toBe(200)
    const milestone = `${escrow}/milestones/${id}`
    await thief.call('POST', `${milestone}/contract`, { reference: 'C-1' })
    await thief.call('POST', `${milestone}/approve`)
    await switchOffOwnRoutes()
    const before = t.simulator.log().length
    expect((await thief.call('POST', `${milestone}/disburse`)).status).toBe(200)
    await runDisbursement(t, { orgId: thief.orgId, milestoneId: id })
    expect(t.simulator.log()).toHaveLength(before)
    const { rows } = await t.owner.query('select failure_code from escrow_shares where milestone_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ failure_code: 'ROUTING_CONFIG_NOT_FOUND' }])
  })
})
