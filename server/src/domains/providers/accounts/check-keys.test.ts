import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const check = (provider: string, as = org.credential, body?: Json): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/provider-credentials/${provider}/check`, { as, ...(body && { body }) })
const operator = (): string => t.seed.platformAdmin.api_key

describe('200', () => {
  it.each([
    'stripe',
    'circle',
    'paystack',
    'flutterwave',
    'adyen',
    'pawapay',
    'mpesa',
    'truelayer',
    'yellowcard',
  ])('the keys of the installation at %s work', async (provider) => {
    const answer = await check(provider, operator())
    expect(answer.body.data).toMatchObject({ provider, org_id: null, verdict: 'accepted', works: true })
  })

  it('tells whose keys they are, where the provider tells', async () => {
    const { data } = (await check('stripe', operator())).body
    expect(data.external_account_id).toMatch(/./)
    expect(data.is_same_account).toBe(true)
  })

  it('keys that the provider refuses', async () => {
    const credentials = { secretKey: 'sk_test_nobody', baseUrl: `${t.simulator.url}/paystack` }
    await org.call('PUT', '/v1/payments/provider-credentials/paystack', { credentials })
    const { body, text } = await check('paystack')
    expect(body.data).toMatchObject({
      org_id: org.orgId,
      verdict: 'refused',
      works: false,
      external_account_id: null,
      is_same_account: null,
    })
    expect(text).not.toContain('sk_test_nobody')
  })

  it('a provider that does not answer leaves it unknown', async () => {
    const credentials = { secretKey: 'sk_test_x', baseUrl: 'http://127.0.0.1:1/paystack' }
    await org.call('PUT', '/v1/payments/provider-credentials/paystack', { credentials })
    expect((await check('paystack')).body.data).toMatchObject({ verdict: 'unknown', works: null })
  })

  it('names one of several accounts', async () => {
    const credentials = { secretKey: `sk_test_${newId()}`, baseUrl: `${t.simulator.url}/paystack` }
    const account = await org.call('POST', '/v1/payments/provider-accounts', {
      provider: 'paystack',
      label: 'First',
      credentials,
    })
    const { account_id } = account.body.data
    expect((await check('paystack', org.credential, { account_id })).body.data.account_id).toBe(account_id)
  })

  it('moves no money', async () => {
    const before = t.simulator.log().length
    await check('flutterwave', operator())
    expect(t.simulator.log()).toHaveLength(before)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    const path = '/v1/payments/provider-credentials/stripe/check'
    expect((await t.call('POST', path)).status).toBe(401)
  })
})

describe('403', () => {
  it.each(['viewer', 'staff'] as const)('a member who is %s', async (role) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await check('stripe', token)).status).toBe(403)
  })

  it('the account of the installation is the operator’s to check', async () => {
    expect((await check('stripe', org.credential, { org_id: null })).status).toBe(403)
  })

  it('that of another organisation', async () => {
    const other = await openPayments(t)
    expect((await check('stripe', org.credential, { org_id: other.orgId })).status).toBe(403)
  })
})

describe('404', () => {
  it('an unknown provider', async () => {
    expect((await check('acme')).status).toBe(404)
  })

  it('without keys of its own, and for an account of another organisation', async () => {
    expect((await check('stripe')).status).toBe(404)
    const other = await openPayments(t)
    const { body } = await other.call('POST', '/v1/payments/provider-accounts', {
      provider: 'paystack',
      label: 'Theirs',
      credentials: { secretKey: 'sk_test_theirs' },
    })
    const { account_id } = body.data
    expect((await check('paystack', org.credential, { account_id })).status).toBe(404)
  })
})

describe('409', () => {
  it('several accounts and none named', async () => {
    for (const label of ['UK', 'US'])
      await org.call('POST', '/v1/payments/provider-accounts', {
        provider: 'paystack',
        label,
        credentials: { secretKey: `sk_test_${newId()}` },
      })
    expect((await check('paystack')).status).toBe(409)
  })
})

describe('429', () => {
  it('one account is not checked over and over', async () => {
    const credentials = { secretKey: 'sk_test_x', baseUrl: 'http://127.0.0.1:1/paystack' }
    await org.call('PUT', '/v1/payments/provider-credentials/paystack', { credentials })
    const statuses: number[] = []
    for (let count = 0; count < 4; count++) statuses.push((await check('paystack')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})
