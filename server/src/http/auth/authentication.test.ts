import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../domains/people/api-keys/create-api-key.ts'
import { newApiKey } from '../../domains/people/api-keys/rules.ts'
import { createDeps, type Deps } from '../../main/deps.ts'
import { apiRoutes } from '../../main/routes.ts'
import { sendRaw, type HeaderLine } from '../../../test/app/raw-request.ts'
import { memberOf, useApp } from '../../../test/app/test-app.ts'
import type { App } from '../app.ts'
import { buildServer } from '../server.ts'

/** The credentials that the table below uses, by kind. */
interface Credentials {
  key: string
  token: string
  otherToken: string
  revokedKey: string
  expiredKey: string
  removedMembersKey: string
}
type ExpectedResult = 401 | 'owner of the key' | 'user of the token'

const t = useApp()
let given: Credentials
let users: Record<Exclude<ExpectedResult, 401>, string>

beforeAll(async () => {
  const [org, otherOrg] = t.seed.orgs
  const admin = memberOf(org, 'org-admin')
  const staff = memberOf(org, 'staff')
  const other = memberOf(otherOrg, 'staff')
  users = { 'owner of the key': admin.user_id, 'user of the token': staff.user_id }
  const tooMuch = { name: 'too much', scopes: null, allowedIps: null }
  const caller = await t.deps.authenticators.apiKey(admin.api_key, origin)
  const expired = await createApiKey(t.deps, caller, { ...tooMuch, expiresAt: new Date(Date.now() + 60_000) })
  await t.owner.query(`update api_keys set expires_at = now() - interval '1 second' where api_key_id = $1`, [
    expired.apiKey.apiKeyId,
  ])
  const revoked = await createApiKey(t.deps, caller, { ...tooMuch, expiresAt: null })
  await t.call('DELETE', `/v1/public/api-keys/${revoked.apiKey.apiKeyId}`, { as: admin.api_key })
  const viewer = memberOf(org, 'viewer')
  await t.call('DELETE', `/v1/organizations/${org?.org_id}/members/${viewer.user_id}`, { as: admin.api_key })
  given = {
    key: admin.api_key,
    token: await t.identity.sign({ sub: staff.user_id, org_id: org?.org_id }),
    otherToken: await t.identity.sign({ sub: other.user_id, org_id: otherOrg?.org_id }),
    revokedKey: revoked.secret,
    expiredKey: expired.secret,
    removedMembersKey: viewer.api_key,
  }
})

const origin = { ip: '127.0.0.1', userAgent: undefined, requestId: 'test' }
const authorization = (value: string): HeaderLine => ['Authorization', value]
const apiKey = (value: string): HeaderLine => ['X-Api-Key', value]
const swapLast = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))

const owner = 'owner of the key'
const user = 'user of the token'

type Row = [what: string, headers: (c: Credentials) => HeaderLine[], expected: ExpectedResult]

const accepted: Row[] = [
  ['a key and NONE', (c) => [authorization('NONE'), apiKey(c.key)], owner],
  ['NONE and a token', (c) => [authorization(`Bearer ${c.token}`), apiKey('NONE')], user],
  ['X-Api-Key before Authorization', (c) => [apiKey(c.key), authorization('NONE')], owner],
  [
    'header names in any case',
    (c) => [
      ['aUTHORIZATION', 'NONE'],
      ['x-API-kEY', c.key],
    ],
    owner,
  ],
  ['blanks around NONE, which HTTP ignores', (c) => [authorization('  NONE \t'), apiKey(c.key)], owner],
  ['blanks around a key', (c) => [authorization('NONE'), apiKey(` \t${c.key}  `)], owner],
  ['the scheme in lower case', (c) => [authorization(`bearer ${c.token}`), apiKey('NONE')], user],
  ['the scheme in capitals', (c) => [authorization(`BEARER ${c.token}`), apiKey('NONE')], user],
  ['several blanks after the scheme', (c) => [authorization(`Bearer   ${c.token}`), apiKey('NONE')], user],
]

const incomplete: Row[] = [
  ['neither header', () => [], 401],
  ['only Authorization: NONE', () => [authorization('NONE')], 401],
  ['only X-Api-Key: NONE', () => [apiKey('NONE')], 401],
  ['only a key', (c) => [apiKey(c.key)], 401],
  ['only a token', (c) => [authorization(`Bearer ${c.token}`)], 401],
  ['both NONE', () => [authorization('NONE'), apiKey('NONE')], 401],
  ['both blank', () => [authorization(''), apiKey('')], 401],
  ['blank Authorization and a key', (c) => [authorization(''), apiKey(c.key)], 401],
  ['blanks as Authorization and a key', (c) => [authorization('   '), apiKey(c.key)], 401],
  ['a token and a blank X-Api-Key', (c) => [authorization(`Bearer ${c.token}`), apiKey('')], 401],
  ['NONE in another header', (c) => [['Proxy-Authorization', 'NONE'], apiKey(c.key)], 401],
  ['a key in a cookie', (c) => [authorization('NONE'), ['Cookie', `x-api-key=${c.key}`]], 401],
  ['a key in an underscored header', (c) => [authorization('NONE'), ['X_Api_Key', c.key]], 401],
]

const notNone = [
  'none',
  'None',
  'NONE,',
  'NONE NONE',
  'NONE, NONE',
  '"NONE"',
  'NULL',
  'null',
  'undefined',
  '0',
  '*',
  'NONE\xa0',
  'N0NE',
  '-',
]
const almostNone: Row[] = notNone.flatMap((value): Row[] => [
  [`${JSON.stringify(value)} as Authorization and a key`, (c) => [authorization(value), apiKey(c.key)], 401],
  [
    `a token and ${JSON.stringify(value)} as X-Api-Key`,
    (c) => [authorization(`Bearer ${c.token}`), apiKey(value)],
    401,
  ],
])

const twoOrMore: Row[] = [
  ['a token and a key of the same org', (c) => [authorization(`Bearer ${c.token}`), apiKey(c.key)], 401],
  ['a token and a key of two orgs', (c) => [authorization(`Bearer ${c.otherToken}`), apiKey(c.key)], 401],
  ['a broken token and a key', (c) => [authorization('Bearer broken'), apiKey(c.key)], 401],
  ['a token and a revoked key', (c) => [authorization(`Bearer ${c.token}`), apiKey(c.revokedKey)], 401],
  ['a list of the same key', (c) => [authorization('NONE'), apiKey(`${c.key}, ${c.key}`)], 401],
  ['a list of a key and NONE', (c) => [authorization('NONE'), apiKey(`${c.key}, NONE`)], 401],
  ['the same key twice', (c) => [authorization('NONE'), apiKey(c.key), apiKey(c.key)], 401],
  ['a key, then NONE', (c) => [authorization('NONE'), apiKey(c.key), apiKey('NONE')], 401],
  ['NONE, then a key', (c) => [authorization('NONE'), apiKey('NONE'), apiKey(c.key)], 401],
  [
    'Authorization: NONE twice and a key',
    (c) => [authorization('NONE'), authorization('NONE'), apiKey(c.key)],
    401,
  ],
  [
    'a token, then NONE',
    (c) => [authorization(`Bearer ${c.token}`), authorization('NONE'), apiKey('NONE')],
    401,
  ],
  [
    'NONE, then a token',
    (c) => [authorization('NONE'), authorization(`Bearer ${c.token}`), apiKey('NONE')],
    401,
  ],
  [
    'NONE, then a token, and a key',
    (c) => [authorization('NONE'), authorization(`Bearer ${c.token}`), apiKey(c.key)],
    401,
  ],
  ['twice under two spellings', (c) => [authorization('NONE'), apiKey(c.key), ['x-api-key', c.key]], 401],
  ['a key, then a blank one', (c) => [authorization('NONE'), apiKey(c.key), apiKey('')], 401],
]

const wrongPlace: Row[] = [
  ['a bare key as Authorization', (c) => [authorization(c.key), apiKey('NONE')], 401],
  ['Bearer and a key', (c) => [authorization(`Bearer ${c.key}`), apiKey('NONE')], 401],
  ['a token as X-Api-Key', (c) => [authorization('NONE'), apiKey(c.token)], 401],
  ['Bearer and a token as X-Api-Key', (c) => [authorization('NONE'), apiKey(`Bearer ${c.token}`)], 401],
  ['a token without Bearer', (c) => [authorization(c.token), apiKey('NONE')], 401],
  ['Bearer NONE and NONE', () => [authorization('Bearer NONE'), apiKey('NONE')], 401],
  ['Bearer NONE and a key', (c) => [authorization('Bearer NONE'), apiKey(c.key)], 401],
  ['Bearer alone and NONE', () => [authorization('Bearer'), apiKey('NONE')], 401],
  ['Bearer alone and a key', (c) => [authorization('Bearer'), apiKey(c.key)], 401],
  ['Basic and NONE', () => [authorization('Basic dXNlcjpwYXNz'), apiKey('NONE')], 401],
  ['Basic and a key', (c) => [authorization('Basic dXNlcjpwYXNz'), apiKey(c.key)], 401],
  ['Basic with the key inside', (c) => [authorization(`Basic ${btoa(`${c.key}:`)}`), apiKey('NONE')], 401],
  ['another scheme', (c) => [authorization(`Token ${c.token}`), apiKey('NONE')], 401],
  ['a tab after Bearer', (c) => [authorization(`Bearer\t${c.token}`), apiKey('NONE')], 401],
  ['words after the token', (c) => [authorization(`Bearer ${c.token} x`), apiKey('NONE')], 401],
  [
    'two tokens in one header',
    (c) => [authorization(`Bearer ${c.token}, Bearer ${c.token}`), apiKey('NONE')],
    401,
  ],
  ['no token at all', () => [authorization('Bearer abc'), apiKey('NONE')], 401],
]

const deadKeys: Row[] = [
  ['a truncated key', (c) => [authorization('NONE'), apiKey(c.key.slice(0, -1))], 401],
  ['a key with one character more', (c) => [authorization('NONE'), apiKey(`${c.key}0`)], 401],
  ['a key with a wrong checksum', (c) => [authorization('NONE'), apiKey(swapLast(c.key))], 401],
  ['a key of the other mode', (c) => [authorization('NONE'), apiKey(c.key.replace('_test_', '_live_'))], 401],
  ['a key in the other case', (c) => [authorization('NONE'), apiKey(swapCase(c.key))], 401],
  ['a key in quotes', (c) => [authorization('NONE'), apiKey(`"${c.key}"`)], 401],
  ['a key with a blank that is not one', (c) => [authorization('NONE'), apiKey(`${c.key}\xa0`)], 401],
  ['the prefix of a key', (c) => [authorization('NONE'), apiKey(c.key.slice(0, 12))], 401],
  ['a well-formed key that was never issued', () => [authorization('NONE'), apiKey(newApiKey('test'))], 401],
  ['a very long key', () => [authorization('NONE'), apiKey('a'.repeat(8000))], 401],
  ['a revoked key', (c) => [authorization('NONE'), apiKey(c.revokedKey)], 401],
  ['an expired key', (c) => [authorization('NONE'), apiKey(c.expiredKey)], 401],
  ['a key of a removed member', (c) => [authorization('NONE'), apiKey(c.removedMembersKey)], 401],
]

describe('the two headers', () => {
  const table = {
    accepted,
    incomplete,
    'almost NONE': almostNone,
    'two or more': twoOrMore,
    'in the wrong place': wrongPlace,
    'keys that are no longer or never were': deadKeys,
  }
  describe.each(Object.entries(table))('%s', (_group, rows) => {
    it.each(rows)('%s', async (_what, headers, expected) => {
      const answer = await sendRaw(t.url, { path: '/v1/users/me', headers: headers(given) })
      if (expected === 401) {
        expect(answer.status).toBe(401)
        expect(answer.body).toEqual({
          status: 'error',
          message: expect.any(String),
          code: 'UNAUTHORIZED',
          request_id: expect.any(String),
        })
      } else {
        expect(answer.status).toBe(200)
        expect(answer.body.data.user_id).toBe(users[expected])
      }
    })
  })

  it('a key in the query string is not a credential', async () => {
    const answer = await sendRaw(t.url, {
      path: `/v1/users/me?api_key=${given.key}&x-api-key=${given.key}`,
      headers: [],
    })
    expect(answer.status).toBe(401)
  })
})

describe('revocation', () => {
  let second: { deps: Deps; app: App; url: string }
  beforeAll(async () => {
    const deps = await createDeps(t.config, { log: t.deps.log })
    const app = await buildServer(
      deps,
      {
        publicUrl: t.config.PUBLIC_URL,
        bodyLimitBytes: 1000,
        trustProxy: [],
        rateLimit: { perSecond: 1000, burst: 1000 },
      },
      apiRoutes(deps),
    )
    second = { deps, app, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
  })
  afterAll(async () => {
    await second.app.close()
    await second.deps.close()
  })

  const statuses = (key: string): Promise<number[]> =>
    Promise.all(
      [t.url, second.url].map(
        async (url) =>
          (await sendRaw(url, { path: '/v1/users/me', headers: [authorization('NONE'), apiKey(key)] }))
            .status,
      ),
    )

  it('makes the next request fail on every api process', async () => {
    const created = await t.call('POST', '/v1/public/api-keys', {
      as: given.key,
      body: { name: 'short life' },
    })
    const { api_key: key, api_key_id: id } = created.body.data
    expect(await statuses(key)).toEqual([200, 200])
    await t.call('DELETE', `/v1/public/api-keys/${id}`, { as: given.key })
    expect(await statuses(key)).toEqual([401, 401])
  })

  it('by removing the member makes the next request fail on every api process', async () => {
    const staff = memberOf(t.seed.orgs[1], 'staff')
    const admin = memberOf(t.seed.orgs[1], 'org-admin')
    expect(await statuses(staff.api_key)).toEqual([200, 200])
    await t.call('DELETE', `/v1/organizations/${t.seed.orgs[1]?.org_id}/members/${staff.user_id}`, {
      as: admin.api_key,
    })
    expect(await statuses(staff.api_key)).toEqual([401, 401])
    const token = await sendRaw(t.url, {
      path: '/v1/users/me',
      headers: [authorization(`Bearer ${given.otherToken}`), apiKey('NONE')],
    })
    expect(token.status).toBe(401)
  })
})
