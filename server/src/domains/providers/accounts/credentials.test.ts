import { beforeEach, describe, expect, it } from 'vitest'
import { findConnector, providerNames } from '../../../connectors/registry.ts'
import type { Permission } from '../../../lib/requests/access.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  mobileMoneyPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { openChosenAccount } from './open-credentials.ts'
import { storeCredentials } from './store-credentials.ts'

const path = '/v1/payments/provider-credentials'
const secret = 'sk_live_canary_7f3a9c1e5b'
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const store = (credentials: Json, provider = 'paystack', as = org.credential): Promise<CallAnswer> =>
  t.call('PUT', `${path}/${provider}`, { as, body: { credentials } })
const dump = async (table: string): Promise<string> => {
  const { rows } = await t.owner.query<{ line: string }>(`select line::text as line from ${table} as line`)
  expect(rows.length).toBeGreaterThan(0)
  return rows.map(({ line }) => line).join('\n')
}

describe('200', () => {
  it('no table holds the secret, as text or as hex', async () => {
    expect((await store({ secretKey: secret })).status).toBe(200)
    const { rows: tables } = await t.owner.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const hex = Buffer.from(secret).toString('hex')
    for (const { name } of tables) {
      const { rows } = await t.owner.query<{ line: string }>(`select line::text as line from ${name} as line`)
      const text = rows.map(({ line }) => line).join('\n')
      expect([name, text.includes(secret), text.includes(hex)]).toEqual([name, false, false])
    }
    expect(await dump('provider_accounts')).toContain(org.orgId)
  })

  it('other organisations use the installation’s credentials instead', async () => {
    const own = { secretKey: secret }
    expect((await store(own)).status).toBe(200)
    const [mine, others] = await Promise.all(
      [org.orgId, (await openPayments(t)).orgId].map((id) => openChosenAccount(t.deps, id, 'paystack')),
    )
    expect(mine).toMatchObject({ account: { orgId: org.orgId }, credentials: own })
    expect(others?.account.orgId).not.toBe(org.orgId)
    expect(JSON.stringify(others ?? {})).not.toContain(secret)
  })

  it('neither the response, nor the list, nor the audit log shows them', async () => {
    const stored = await store({ secretKey: secret })
    expect(stored.body.data).toEqual({
      provider: 'paystack',
      org_id: org.orgId,
      webhook_url: expect.stringContaining(`${t.url}/v1/providers/paystack/webhooks/`),
      updated_at: expect.any(String),
    })
    const listed = await org.call('GET', path)
    const audit = await org.call('GET', `/v1/organizations/${org.orgId}/audit-log`)
    expect(JSON.stringify(audit.body.data)).toContain('provider-credentials.store')
    for (const { text } of [stored, listed, audit]) expect(text).not.toContain(secret)
  })

  it('the list holds the organisation’s own and the installation’s', async () => {
    await store({ secretKey: secret })
    await store({ secretKey: secret }, 'paystack', (await openPayments(t)).credential)
    const { data, count } = (await org.call('GET', path)).body
    expect(count).toBe(data.length)
    const rows = data.map((row: Json) => `${row.provider} ${row.org_id === org.orgId ? 'own' : row.org_id}`)
    expect(rows.sort()).toEqual([
      'adyen null',
      'circle null',
      'flutterwave null',
      'manual null',
      'mpesa null',
      'pawapay null',
      'paystack null',
      'paystack own',
      'stripe null',
      'truelayer null',
      'yellowcard null',
    ])
  })

  it('an organisation’s own configuration uses its own account immediately', async () => {
    const body = mobileMoneyPayin()
    expect(await lastAccount(await org.start(body))).toBe('default')
    const api_token = `own-${org.orgId}`
    t.simulator.configure('pawapay', { account: org.orgId, secrets: { api_token } })
    await org.ownAccount('pawapay', { apiToken: api_token, baseUrl: `${t.simulator.url}/pawapay` })
    expect(await lastAccount(await org.start(body))).toBe(org.orgId)
  })
  const lastAccount = async (id: string): Promise<string | undefined> => (await org.accepted(id))[0]?.account

  it('each account has a webhook address of its own', async () => {
    await store({ secretKey: secret })
    await store({ apiToken: 'x' }, 'pawapay')
    const own = (await org.call('GET', path)).body.data.filter((row: Json) => row.org_id !== null)
    const pooled = (await t.call('GET', path, { as: t.seed.platformAdmin.api_key })).body.data
    expect(own).toHaveLength(2)
    const urls = [...own, ...pooled].map((row: Json) => row.webhook_url)
    expect(new Set(urls).size).toBe(urls.length)
  })
})

describe('400', () => {
  it.each([
    ['a secret that is missing', {}, 'credentials.secretKey'],
    ['an address that is none', { secretKey: secret, baseUrl: 'ftp://x' }, 'credentials.baseUrl'],
    [
      'a name that the provider does not know',
      { secretKey: secret, secret_key: secret },
      'credentials.secret_key',
    ],
  ])('%s: the field is named, the secret is not repeated', async (_name, credentials, field) => {
    const answer = await store(credentials)
    expect([answer.status, answer.body.details[0].path]).toEqual([400, field])
    expect(answer.text).not.toContain(secret)
  })
})

describe('403', () => {
  it('staff and viewers may neither list nor store credentials', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      expect((await t.call('GET', path, { as: token })).status).toBe(403)
      expect((await store({ secretKey: secret }, 'paystack', token)).status).toBe(403)
    }
  })

  it('only the operator may store the installation’s', async () => {
    const body = { org_id: null, credentials: { secretKey: secret } }
    expect((await org.call('PUT', `${path}/paystack`, body)).status).toBe(403)
    const other = { org_id: (await openPayments(t)).orgId, credentials: { secretKey: secret } }
    expect((await org.call('PUT', `${path}/paystack`, other)).status).toBe(403)
  })
})

describe('addresses', () => {
  const policy = { allowLoopback: false, allowedPorts: [443] }
  const inside = 'http://169.254.169.254/latest'
  const adyen = {
    apiKey: 'a',
    merchantAccount: 'm',
    hmacKeys: ['ab'.repeat(32)],
    transfers: { apiKey: 'b', balanceAccountId: 'BA1', hmacKeys: ['ab'.repeat(32)] },
  }
  const storeAs = (permission: Permission, provider: string, credentials: Json): Promise<unknown> =>
    storeCredentials(
      { ...t.deps, egressPolicy: policy },
      { ...operatorOf(t), orgId: org.orgId, permissions: new Set([permission]) },
      { provider, orgId: org.orgId, credentials },
    )

  it.each<[string, string, Json]>([
    ['baseUrl', 'paystack', { secretKey: secret, baseUrl: inside }],
    ['checkoutUrl', 'adyen', { ...adyen, checkoutUrl: inside }],
    ['transfers.baseUrl', 'adyen', { ...adyen, transfers: { ...adyen.transfers, baseUrl: inside } }],
  ])('%s is the operator’s to set: an organisation gets 403', async (path, provider, credentials) => {
    await expect(storeAs('provider-configs:write', provider, credentials)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(path),
    })
    await storeAs('platform:write', provider, credentials)
  })
})

describe('404', () => {
  it('a provider without a connector, and an unknown name', async () => {
    const without = providerNames.filter((name) => findConnector(name) === undefined)
    for (const provider of without) expect((await store({}, provider)).status).toBe(404)
    expect((await store({}, 'nobody')).status).toBe(404)
  })
})
