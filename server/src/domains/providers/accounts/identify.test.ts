import { beforeEach, describe, expect, it } from 'vitest'
import { simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

/** Keys that belong to another merchant account are not new keys of this one. */
const t = usePayments({ delayMs: untilSettled })
const accounts = '/v1/payments/provider-accounts'
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const store = (provider: string, credentials: Json): Promise<CallAnswer> =>
  org.call('PUT', `/v1/payments/provider-credentials/${provider}`, { credentials })
const add = (provider: string, label: string, credentials: Json): Promise<CallAnswer> =>
  org.call('POST', accounts, { provider, label, credentials })
const sandboxOf = (provider: string): Json => simulatorCredentials(t.simulator.url)[provider] ?? {}
const ownRow = async (provider: string): Promise<Json> => {
  const { rows } = await t.owner.query(
    'select external_account_id, keys_changed_at from provider_accounts where org_id = $1 and provider = $2',
    [org.orgId, provider],
  )
  return rows[0]
}

describe.each([
  {
    provider: 'stripe',
    secret: 'secret_key',
    keysOf: (secretKey: string): Json => ({ ...sandboxOf('stripe'), secretKey }),
  },
  {
    provider: 'circle',
    secret: 'api_key',
    keysOf: (apiKey: string): Json => ({ ...sandboxOf('circle'), apiKey }),
  },
])('$provider tells which account a key belongs to', ({ provider, secret, keysOf }) => {
  const keyOf = (account: string, name: string): Json => {
    const key = `${name} ${org.orgId}`
    t.simulator.configure(provider, { account: `${account} ${org.orgId}`, secrets: { [secret]: key } })
    return keysOf(key)
  }

  it('200 for new keys of the same account, which the provider confirms', async () => {
    expect((await store(provider, keyOf('london', 'first'))).status).toBe(200)
    const before = await ownRow(provider)
    expect(before.external_account_id).toEqual(expect.any(String))
    expect((await store(provider, keyOf('london', 'second'))).status).toBe(200)
    // What the former keys sent is looked up at the same account, so "not found" remains final.
    expect(await ownRow(provider)).toEqual({ ...before, keys_changed_at: null })
    const { body } = await org.call('GET', `${accounts}?provider=${provider}`)
    const own = body.data.find((account: Json) => account.org_id === org.orgId)
    expect(own.external_account_id).toBe(before.external_account_id)
  })

  it('409 for keys of another account, at both addresses, and 201 when it is added', async () => {
    const first = await add(provider, 'London', keyOf('london', 'first'))
    const others = keyOf('paris', 'third')
    const refusals = [
      await store(provider, others),
      await org.call('PUT', `${accounts}/${first.body.data.account_id}/credentials`, { credentials: others }),
    ]
    for (const { status, body } of refusals)
      expect([status, body.message]).toEqual([
        409,
        `These keys belong to another account at ${provider}: add it with POST /v1/payments/provider-accounts, and retire the old one.`,
      ])
    const second = await add(provider, 'Paris', others)
    expect(second.status).toBe(201)
    expect(second.body.data.external_account_id).not.toBe(first.body.data.external_account_id)
  })

  it('409 as well for an account that was stored before its provider could be asked', async () => {
    await store(provider, keyOf('london', 'first'))
    await t.owner.query('update provider_accounts set external_account_id = null where org_id = $1', [
      org.orgId,
    ])
    expect((await store(provider, keyOf('paris', 'third'))).status).toBe(409)
  })

  it('keys that the provider does not know are taken, and "not found" is no longer final', async () => {
    await store(provider, keyOf('london', 'first'))
    expect((await store(provider, keysOf('nobody’s key'))).status).toBe(200)
    expect((await ownRow(provider)).keys_changed_at).toBeInstanceOf(Date)
  })
})

describe('credentials that name their account', () => {
  it.each<[string, Json, Json]>([
    ['adyen', { merchantAccount: 'AnotherECOM' }, { apiKey: 'AQE-new' }],
    ['mpesa', { shortCode: '600000' }, { consumerSecret: 'new' }],
    ['truelayer', { clientId: 'another' }, { clientSecret: 'new' }],
  ])('%s: 409 for another name, 200 for new keys under the same one', async (provider, other, rotated) => {
    const first = sandboxOf(provider)
    expect((await store(provider, first)).status).toBe(200)
    const refused = await store(provider, { ...first, ...other })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('another account')])
    expect((await store(provider, { ...first, ...rotated })).status).toBe(200)
    // The name alone proves nothing about the keys.
    expect((await ownRow(provider)).keys_changed_at).toBeInstanceOf(Date)
  })
})
