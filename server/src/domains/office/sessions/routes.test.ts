import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { useSignIn, type TestBrowser } from '../../../../test/worlds/test-sign-in.ts'

let nowMs = Date.now()
const s = useSignIn({ clock: { now: () => new Date(nowMs) }, env: { LOG_LEVEL: 'silent' } })
let orgId: string
let otherOrgId: string
beforeAll(() => {
  const [one, two] = s.t.seed.orgs
  orgId = one?.org_id ?? ''
  otherOrgId = two?.org_id ?? ''
})

const minutes = (count: number): number => count * 60_000
const tokenOf = (browser: TestBrowser): string => browser.cookies.get('switchyard') ?? ''

async function signedIn(role: 'staff' | 'viewer' | 'org-admin' = 'staff') {
  const account = await s.addAccount(orgId, role)
  const browser = s.newBrowser()
  await browser.signIn(account)
  return { account, browser }
}
async function inSecondBrowser(account: { userId: string; email: string }): Promise<TestBrowser> {
  const browser = s.newBrowser()
  await browser.signIn(account)
  return browser
}
const statusOf = async (browser: TestBrowser): Promise<number> =>
  (await browser.call('GET', '/v1/users/me')).status

describe('200', () => {
  it('a session may do what its member may do, and the audit log says that it was one', async () => {
    const { account, browser } = await signedIn('org-admin')
    const made = await browser.call('POST', '/v1/public/api-keys', { body: { name: 'by a person' } })
    expect(made.status).toBe(201)
    const path = `/v1/organizations/${orgId}/audit-log?resource_id=${made.body.data.api_key_id}`
    expect((await browser.call('GET', path)).body.data).toMatchObject([
      { action: 'api-key.create', credential: 'session', user_id: account.userId, api_key_id: null },
    ])
  })

  it('the session of the browser is described, with the organisations to switch to', async () => {
    const { account, browser } = await signedIn()
    await s.addAccount(otherOrgId, 'viewer', account)
    const { data } = (await browser.call('GET', '/auth/session')).body
    expect(data).toMatchObject({ org_id: orgId, user_id: account.userId, ip: '127.0.0.1' })
    expect(data.organizations).toContainEqual(expect.objectContaining({ org_id: orgId, role: 'staff' }))
    expect(data.organizations).toContainEqual(expect.objectContaining({ org_id: otherOrgId, role: 'viewer' }))
    expect(data.organizations).toHaveLength(2)
    expect(new Date(data.ends_at).getTime() - nowMs).toBe(minutes(30))
    expect(new Date(data.expires_at).getTime() - nowMs).toBe(minutes(12 * 60))
  })

  it('a person sees and ends their sessions in other browsers', async () => {
    const { account, browser } = await signedIn()
    const other = await inSecondBrowser(account)
    const { data } = (await browser.call('GET', '/auth/sessions')).body
    expect(data.map((one: { is_current: boolean }) => one.is_current).toSorted()).toEqual([false, true])
    const { session_id } = data.find((one: { is_current: boolean }) => !one.is_current)
    expect((await browser.call('DELETE', `/auth/sessions/${session_id}`)).status).toBe(204)
    expect([await statusOf(browser), await statusOf(other)]).toEqual([200, 401])
  })

  it('a switch changes the organisation, the token and nothing else', async () => {
    const { account, browser } = await signedIn()
    await s.addAccount(otherOrgId, 'viewer', account)
    const before = (await browser.call('GET', '/auth/session')).body.data
    const oldToken = tokenOf(browser)
    nowMs += minutes(5)
    const switched = await browser.call('POST', '/auth/organization', { body: { org_id: otherOrgId } })
    expect(switched.status).toBe(200)
    expect(tokenOf(browser)).not.toBe(oldToken)
    const me = (await browser.call('GET', '/v1/users/me')).body.data
    expect(me).toMatchObject({ org_id: otherOrgId, role: 'viewer', user_id: account.userId })
    const after = (await browser.call('GET', '/auth/session')).body.data
    expect(after.session_id).not.toBe(before.session_id)
    expect([after.expires_at, after.auth_time]).toEqual([before.expires_at, before.auth_time])
    browser.cookies.set('switchyard', oldToken)
    expect(await statusOf(browser)).toBe(401)
  })

  it('signing in again returns to the organisation that was used last', async () => {
    const { account, browser } = await signedIn()
    await s.addAccount(otherOrgId, 'viewer', account)
    await browser.call('POST', '/auth/organization', { body: { org_id: otherOrgId } })
    await browser.signIn(account)
    expect((await browser.call('GET', '/v1/users/me')).body.data.org_id).toBe(otherOrgId)
  })

  it('signing out everywhere is effective at once, in every browser and organisation', async () => {
    const { account, browser } = await signedIn()
    await s.addAccount(otherOrgId, 'viewer', account)
    const others = [await inSecondBrowser(account), await inSecondBrowser(account)]
    await others[0]!.call('POST', '/auth/organization', { body: { org_id: otherOrgId } })
    const stranger = await signedIn()
    const answer = await browser.call('POST', '/auth/logout-everywhere')
    expect(answer.body.data).toEqual({ closed: 3 })
    expect(browser.cookies.has('switchyard')).toBe(false)
    for (const one of others) expect(await statusOf(one)).toBe(401)
    expect(await statusOf(stranger.browser)).toBe(200)
  })

  it('a person has at most twenty sessions: the one used longest ago ends', async () => {
    const { account, browser } = await signedIn()
    nowMs += minutes(1)
    const second = await inSecondBrowser(account)
    for (let count = 0; count < 19; count++) {
      nowMs += 1_000
      await inSecondBrowser(account)
    }
    expect((await second.call('GET', '/auth/sessions')).body.data).toHaveLength(20)
    expect([await statusOf(browser), await statusOf(second)]).toEqual([401, 200])
  })
})

describe('204', () => {
  it('signing out ends the session, not only the cookie', async () => {
    const { browser } = await signedIn()
    const token = tokenOf(browser)
    const answer = await browser.call('POST', '/auth/logout')
    expect([answer.status, browser.cookies.has('switchyard')]).toEqual([204, false])
    browser.cookies.set('switchyard', token)
    expect(await statusOf(browser)).toBe(401)
  })
})

describe('400', () => {
  it.each([{}, { org_id: 'x' }, { org_id: newId(), more: 1 }])('a switch with %j', async (body) => {
    const { browser } = await signedIn()
    expect((await browser.call('POST', '/auth/organization', { body })).status).toBe(400)
  })
})

describe('401', () => {
  it('thirty minutes after it was last used, whatever was asked in the background', async () => {
    const { browser } = await signedIn()
    nowMs += minutes(29)
    expect(await statusOf(browser)).toBe(200)
    for (const wait of [15, 14]) {
      nowMs += minutes(wait)
      const background = { headers: { 'x-switchyard-background': '1' } }
      expect((await browser.call('GET', '/v1/users/me', background)).status).toBe(200)
    }
    nowMs += minutes(1)
    expect(await statusOf(browser)).toBe(401)
  })

  it('twelve hours after the sign-in, however much it is used', async () => {
    const { browser } = await signedIn()
    for (let quarter = 0; quarter < 12 * 4 - 1; quarter++) {
      nowMs += minutes(15)
      expect(await statusOf(browser)).toBe(200)
    }
    nowMs += minutes(15)
    expect(await statusOf(browser)).toBe(401)
  })

  it('at once when the member is removed', async () => {
    const { account, browser } = await signedIn()
    const path = `/v1/organizations/${orgId}/members/${account.userId}`
    await s.t.call('DELETE', path, { as: s.t.seed.platformAdmin.api_key })
    expect(await statusOf(browser)).toBe(401)
    const { rowCount } = await s.t.owner.query('select from sessions where user_id = $1', [account.userId])
    expect(rowCount).toBe(0)
  })

  it.each([
    ['one header only', { 'x-api-key': '' }],
    ['a header that is not NONE', { authorization: 'none' }],
    ['a guessed token', { cookie: `switchyard=${'A'.repeat(43)}` }],
    ['a malformed token', { cookie: 'switchyard=x' }],
    ['an empty token', { cookie: 'switchyard=' }],
    ['another cookie', { cookie: `sy_pay=${'A'.repeat(43)}` }],
  ])('with %s', async (_what, headers) => {
    const { browser } = await signedIn()
    expect((await browser.call('GET', '/v1/users/me', { headers })).status).toBe(401)
  })

  it('with two session cookies, of which one may be planted', async () => {
    const { browser } = await signedIn()
    const own = `switchyard=${tokenOf(browser)}`
    for (const cookie of [`${own}; ${own}`, `switchyard=${'A'.repeat(43)}; ${own}`])
      expect((await browser.call('GET', '/v1/users/me', { headers: { cookie } })).status).toBe(401)
  })

  it('of two switches at the same time one wins, and the other leaves no session', async () => {
    const { account, browser } = await signedIn()
    await s.addAccount(otherOrgId, 'viewer', account)
    const cookie = `switchyard=${tokenOf(browser)}`
    const switches = await Promise.all(
      [1, 2].map(() =>
        s
          .newBrowser()
          .call('POST', '/auth/organization', { body: { org_id: otherOrgId }, headers: { cookie } }),
      ),
    )
    expect(switches.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    const { rowCount } = await s.t.owner.query('select from sessions where user_id = $1', [account.userId])
    expect(rowCount).toBe(1)
  })
})

describe('403', () => {
  const crossSite: [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a bookmark', { 'sec-fetch-site': 'none' }],
    ['another origin, whatever Sec-Fetch-Site says', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['two values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ]
  it.each(crossSite)('a write by %s, which changes nothing', async (_who, headers) => {
    const { browser } = await signedIn()
    expect((await browser.call('POST', '/auth/logout', { headers })).status).toBe(403)
    expect(await statusOf(browser)).toBe(200)
  })

  it('a read by another site', async () => {
    const { browser } = await signedIn()
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await browser.call('GET', '/v1/users/me', { headers })).status).toBe(403)
  })

  it('an old browser must send its origin with a write', async () => {
    const { browser } = await signedIn()
    const none = { authorization: 'NONE', 'x-api-key': 'NONE' }
    const send = (method: string, path: string, headers: Record<string, string>) =>
      browser.visit(path, { method, headers: { ...none, ...headers } })
    expect((await send('GET', '/v1/users/me', {})).status).toBe(200)
    expect((await send('POST', '/auth/logout', {})).status).toBe(403)
    expect((await send('POST', '/auth/logout', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await send('POST', '/auth/logout', { origin: s.t.url })).status).toBe(204)
  })

  it('a form of another site cannot send the headers, so it is not authenticated at all', async () => {
    const { browser } = await signedIn()
    const answer = await browser.visit('/auth/logout', {
      method: 'POST',
      form: { a: 'b' },
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    })
    expect(answer.status).toBe(401)
    expect(await statusOf(browser)).toBe(200)
  })

  it('a switch to an organisation that the person is no member of', async () => {
    const { browser } = await signedIn()
    const token = tokenOf(browser)
    for (const org_id of [otherOrgId, newId(), '00000000-0000-0000-0000-000000000000'])
      expect((await browser.call('POST', '/auth/organization', { body: { org_id } })).status).toBe(403)
    expect([await statusOf(browser), tokenOf(browser)]).toEqual([200, token])
  })

  it('an API key is no session, even beside the cookie of one', async () => {
    const { browser } = await signedIn()
    const key = s.t.seed.platformAdmin.api_key
    const asKey = { headers: { 'x-api-key': key } }
    expect((await browser.call('GET', '/auth/sessions', asKey)).status).toBe(403)
    expect((await browser.call('POST', '/auth/logout', asKey)).status).toBe(403)
    expect((await browser.call('GET', '/v1/users/me', asKey)).body.data).toMatchObject({
      user_id: s.t.seed.platformAdmin.user_id,
      credential: 'api_key',
    })
    expect(await statusOf(browser)).toBe(200)
  })

  it('what the member’s role does not permit', async () => {
    const { browser } = await signedIn('viewer')
    const made = await browser.call('POST', '/v1/public/api-keys', { body: { name: 'no' } })
    expect(made.status).toBe(403)
  })
})

describe('404', () => {
  it('the session of somebody else, and one that has ended', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()]
    const { session_id } = (await theirs.browser.call('GET', '/auth/session')).body.data
    expect((await mine.browser.call('DELETE', `/auth/sessions/${session_id}`)).status).toBe(404)
    expect(await statusOf(theirs.browser)).toBe(200)
    expect((await mine.browser.call('DELETE', `/auth/sessions/${newId()}`)).status).toBe(404)
  })
})

describe('409', () => {
  it('a page of another organisation than the session’s, as in a second tab after a switch', async () => {
    const { browser } = await signedIn()
    const status = async (org: string): Promise<number> =>
      (await browser.call('GET', '/v1/users/me', { headers: { 'x-switchyard-org': org } })).status
    expect([await status(orgId), await status(otherOrgId), await status('')]).toEqual([200, 409, 409])
  })
})
