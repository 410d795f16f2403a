import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCleanAudit, openAccounts, type TestAccounts } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  createTestClock,
  installationAccountId,
  kenyanPayin,
  storeInstallationKeys,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'

/** A customer with every permission of an org-admin, and keys and webhook secrets of its own making. */
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let thief: TestAccounts
beforeEach(async () => {
  for (const provider of ['pawapay', 'paystack', 'stripe']) t.simulator.setFaults(provider, [])
  thief = await openAccounts(t)
})
afterAll(() => expectCleanAudit(t))

const configs = '/v1/payments/provider-configs'
const accounts = '/v1/payments/provider-accounts'
const post = (url: string, rawBody: string, headers: Record<string, string>): Promise<CallAnswer> =>
  t.call('POST', new URL(url).pathname, { rawBody, headers, unaudited: true })
const referenceOf = async (id: string): Promise<string> => (await thief.attempts(id)).at(-1).data.reference
const signedByPaystack = (rawBody: string, key: string): Record<string, string> => ({
  'x-paystack-signature': createHmac('sha512', key).update(rawBody).digest('hex'),
})
function signedByStripe(rawBody: string, secret: string): Record<string, string> {
  const at = Math.floor(clock.now().getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${at}.${rawBody}`).digest('hex')
  return { 'stripe-signature': `t=${at},v1=${signature}` }
}
const depositTo = (accountNumber: string, amount: number): string =>
  JSON.stringify({
    event: 'charge.success',
    data: {
      id: Date.now(),
      status: 'success',
      reference: `dep${Date.now()}${amount}`,
      amount,
      currency: 'NGN',
      channel: 'dedicated_nuban',
      authorization: { receiver_bank_account_number: accountNumber, sender_name: 'THIEF' },
    },
  })

describe('keys of its own making', () => {
  it('credit no deposit to a virtual account that the installation opened', async () => {
    const account = await thief.open()
    expect(account.custody).toBe('pooled')
    const own = await thief.ownAccount('paystack', { secretKey: 'made-up' })
    const body = depositTo(account.bank_details.account_number, 100_000_000_000)
    expect((await post(own.webhook_url, body, signedByPaystack(body, 'made-up'))).status).toBe(200)
    expect(await thief.account(account.account_id)).toMatchObject({ balance: 0 })
    expect(await thief.exceptions()).toMatchObject([{ kind: 'message_from_other_account' }])
    expect((await thief.withdraw(account.account_id, 900_000)).status).toBe(422)
  })

  it('put no suspended deposit into an account that the installation backs', async () => {
    const pooled = await thief.open({ currency: 'KES' })
    expect(pooled).toMatchObject({ provider: 'internal', custody: 'pooled' })
    const own = await thief.ownAccount('paystack', { secretKey: 'made-up' })
    const body = depositTo('9999999999', 5_000).replace('NGN', 'KES')
    expect((await post(own.webhook_url, body, signedByPaystack(body, 'made-up'))).status).toBe(200)
    const [found] = await thief.exceptions()
    expect(found).toMatchObject({ kind: 'unmatched_deposit' })
    const assigned = await thief.call(
      'POST',
      `/v1/payments/exceptions/${found.exception_id}/assign-deposit`,
      { account_id: pooled.account_id },
    )
    expect([assigned.status, assigned.body.message]).toEqual([
      409,
      expect.stringContaining('different custody'),
    ])
    expect(await thief.account(pooled.account_id)).toMatchObject({ balance: 0 })
  })

  it('complete no payin at the installation’s Stripe', async () => {
    const british = { country: 'GB', currency: 'GBP', target_currency: 'GBP' }
    const id = await thief.start(bankTransferPayin({ ...british, amount: 3200, target_amount: 3200 }))
    expect((await thief.record(id)).status).toBe('pending')
    const own = await thief.ownAccount('stripe', { secretKey: 'sk_made_up', webhookSecrets: ['whsec_mine'] })
    const reference = await referenceOf(id)
    const created = Math.floor(clock.now().getTime() / 1000)
    const body = JSON.stringify({
      object: 'event',
      id: 'evt_made_up',
      created,
      type: 'payment_intent.succeeded',
      data: {
        object: {
          object: 'payment_intent',
          id: 'pi_made_up',
          created,
          status: 'succeeded',
          amount: 320_000,
          amount_received: 320_000,
          currency: 'gbp',
          metadata: { switchyard_reference: reference },
        },
      },
    })
    expect((await post(own.webhook_url, body, signedByStripe(body, 'whsec_mine'))).status).toBe(200)
    expect((await thief.record(id)).status).toBe('pending')
    expect(await thief.postings(id)).toEqual([])
    expect((await thief.exceptions()).map(({ kind }) => kind)).toContain('message_from_other_account')
  })
})

describe('the operator’s bounds', () => {
  const kenya = { provider: 'pawapay', country: 'KE', payment_method: 'mobile_money', direction: 'inbound' }
  const considered = async (id: string): Promise<Json[]> =>
    (await thief.timeline(id)).find(({ kind }) => kind === 'routing').data.considered

  it('an organisation’s configuration does not lift them', async () => {
    const as = t.seed.platformAdmin.api_key
    const { body } = await t.call('GET', `${configs}?provider=pawapay&limit=100`, { as })
    const global = body.data.find(
      (one: Json) => one.country === 'KE' && one.direction === 'inbound' && one.org_id === null,
    )
    const at = `${configs}/pawapay/${global.config_id}`
    await t.call('PATCH', at, { as, body: { max_amount: 50 } })
    try {
      await thief.call('POST', configs, { ...kenya, priority: 1, max_amount: 1_000_000 })
      await thief.networks({ country: 'KE' })
      const id = await thief.start(kenyanPayin())
      expect((await thief.record(id)).provider).toBe('paystack')
      expect((await considered(id))[0]).toMatchObject({
        provider: 'pawapay',
        taken: false,
        reason: 'outside the operator’s bounds',
      })
    } finally {
      await t.call('PATCH', at, { as, body: { max_amount: null } })
    }
  })

  it('nor open a corridor of the installation’s account that the operator has not', async () => {
    await thief.call('POST', configs, { ...kenya, country: 'ZM' })
    const zambian = { currency: 'ZMW', target_currency: 'ZMW', country: 'ZM' }
    const mobile_money_details = { provider: 'MTN', phone_number: '260763456789' }
    const answer = await thief.initiate(kenyanPayin({ ...zambian, mobile_money_details }))
    expect([answer.status, answer.body.code]).toEqual([422, 'ROUTING_CONFIG_NOT_FOUND'])
  })

  it('with own_accounts_only the installation’s accounts are skipped', async () => {
    const path = `/v1/organizations/${thief.orgId}`
    expect((await thief.call('PATCH', path, { own_accounts_only: true })).status).toBe(200)
    t.deps.corridors.invalidate()
    const answer = await thief.initiate(kenyanPayin())
    expect([answer.status, answer.body.code]).toEqual([422, 'ROUTING_CONFIG_NOT_FOUND'])
  })
})

describe('an attempt in doubt', () => {
  const pawapay = (apiToken: string): Json => ({
    apiToken,
    baseUrl: `${t.simulator.url}/pawapay`,
    timeoutMs: 1_500,
  })
  const startInDoubt = async (): Promise<string> => {
    await storeInstallationKeys(t, 'pawapay', pawapay('pawapay-sandbox-token'))
    clock.pass(20_000)
    await thief.networks({ country: 'KE' })
    t.simulator.setFaults('pawapay', [
      { on: 'collect', fault: 'timeout_after' },
      { on: 'webhook', fault: 'webhook_drop', times: 10 },
    ])
    const id = await thief.start(kenyanPayin())
    expect((await thief.attempts(id)).map(({ summary }) => summary)).toEqual([
      'attempt 1 at pawapay: unknown',
    ])
    return id
  }
  const pollForHours = async (id: string): Promise<void> => {
    for (let poll = 0; poll < 4; poll++) {
      clock.pass(3_600_000)
      await thief.advance(id)
    }
  }

  it('is never sent again because other keys do not find it', async () => {
    const id = await startInDoubt()
    t.simulator.configure('pawapay', { account: 'another', secrets: { api_token: 'token-of-another' } })
    await storeInstallationKeys(t, 'pawapay', pawapay('token-of-another'))
    await pollForHours(id)
    expect(await thief.attempts(id)).toHaveLength(1)
    expect(await thief.accepted(id)).toHaveLength(1)
    expect((await thief.record(id)).status).toBe('processing')
    await storeInstallationKeys(t, 'pawapay', pawapay('pawapay-sandbox-token'))
    await t.simulator.settle()
    await thief.advance(id)
    expect((await thief.record(id)).status).toBe('completed')
  })

  it('is asked about at its own account when a new account replaces it', async () => {
    const id = await startInDoubt()
    const as = t.seed.platformAdmin.api_key
    t.simulator.configure('pawapay', { account: 'second', secrets: { api_token: 'token-of-second' } })
    const added = await t.call('POST', accounts, {
      as,
      body: { org_id: null, provider: 'pawapay', label: 'Second', credentials: pawapay('token-of-second') },
    })
    expect(added.status).toBe(201)
    const first = await installationAccountId(t, 'pawapay')
    const set = (accountId: string, status: string): Promise<CallAnswer> =>
      t.call('PATCH', `${accounts}/${accountId}`, { as, body: { status } })
    expect((await set(first, 'retired')).body.data.status).toBe('retired')
    await t.simulator.settle()
    await thief.advance(id)
    expect((await thief.record(id)).status).toBe('completed')
    expect(await thief.accepted(id)).toMatchObject([{ account: 'default' }])
    await set(added.body.data.account_id, 'retired')
    expect((await set(first, 'active')).body.data.status).toBe('active')
  })
})

describe('two accounts of one provider', () => {
  it('are used by two configurations, and a retired one by none', async () => {
    const ids: string[] = []
    for (const name of ['first', 'second']) {
      const secret_key = `sk_${name}_${thief.orgId}`
      t.simulator.configure('paystack', { account: `${name} ${thief.orgId}`, secrets: { secret_key } })
      const credentials = { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` }
      const { body } = await thief.call('POST', accounts, { provider: 'paystack', label: name, credentials })
      ids.push(body.data.account_id)
    }
    const config = {
      provider: 'paystack',
      country: 'KE',
      payment_method: 'mobile_money',
      direction: 'inbound',
    }
    const ambiguous = await thief.call('POST', configs, { ...config, priority: 1 })
    expect([ambiguous.status, ambiguous.body.message]).toEqual([409, expect.stringContaining('account_id')])
    const ambiguousKeys = await thief.call('PUT', '/v1/payments/provider-credentials/paystack', {
      credentials: { secretKey: 'x' },
    })
    expect(ambiguousKeys.status).toBe(409)
    for (const [index, account_id] of ids.entries())
      await thief.call('POST', configs, { ...config, account_id, priority: index + 1 })
    await thief.networks({ country: 'KE' })
    t.simulator.setFaults('paystack', [{ on: 'collect', fault: 'decline' }])
    const id = await thief.start(kenyanPayin())
    const { rows } = await t.owner.query(
      'select account_id, custody, state from attempts where payment_id = $1 order by attempt_no',
      [id],
    )
    expect(rows).toEqual([
      { account_id: ids[0], custody: 'own', state: 'declined' },
      { account_id: ids[1], custody: 'own', state: 'accepted' },
    ])
    expect(await thief.accepted(id)).toMatchObject([{ account: `second ${thief.orgId}` }])
    await thief.call('PATCH', `${accounts}/${ids[0]}`, { status: 'retired' })
    const next = await thief.start(kenyanPayin())
    expect(await thief.accepted(next)).toMatchObject([{ account: `second ${thief.orgId}` }])
  })

  it('what was collected at an organisation’s own account is posted as its own', async () => {
    const secret_key = `sk_own_${thief.orgId}`
    t.simulator.configure('paystack', { account: thief.orgId, secrets: { secret_key } })
    const credentials = { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` }
    await thief.ownAccount('paystack', credentials, thief.orgId)
    await thief.networks({ country: 'KE' })
    const id = await thief.start(kenyanPayin())
    await t.simulator.settle()
    expect((await thief.record(id)).status).toBe('completed')
    const { rows } = await t.owner.query(
      `select debit_account, credit_account from ledger_transfers where cause_id = $1 and kind <> 'provider.cost'`,
      [id],
    )
    const { body } = await thief.call('GET', `${accounts}?provider=paystack`)
    const own = body.data.find((account: Json) => account.org_id === thief.orgId)
    expect(rows).toEqual([
      { debit_account: `provider:paystack:${own.account_id}`, credit_account: 'available:own' },
    ])
  })
})
