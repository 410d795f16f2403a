import { beforeAll, describe, expect, it } from 'vitest'
import { useSignIn } from '../../../../test/worlds/test-sign-in.ts'

let nowMs = Date.now()
const s = useSignIn({ clock: { now: () => new Date(nowMs) }, env: { LOG_LEVEL: 'silent' } })
let orgId: string
beforeAll(() => {
  orgId = s.t.seed.orgs[0]?.org_id ?? ''
})

const cookieName = 'switchyard'
const newStaff = () => s.addAccount(orgId, 'staff')

describe('the way to the identity provider', () => {
  it('asks for a code with PKCE, a state and a nonce, and keeps them in this browser only', async () => {
    const browser = s.newBrowser()
    const answer = await browser.visit('/auth/login?return_to=/dashboard/payments')
    expect(answer.status).toBe(303)
    const url = new URL(answer.location)
    expect(url.origin).toBe(s.issuer)
    const asked = Object.fromEntries(url.searchParams)
    expect(asked).toMatchObject({
      response_type: 'code',
      redirect_uri: `${s.t.url}/auth/callback`,
      scope: 'openid email',
      code_challenge_method: 'S256',
    })
    for (const secret of ['state', 'nonce', 'code_challenge']) expect(asked[secret]).toMatch(/^[\w-]{43}$/)
    const [cookie = ''] = answer.setCookies
    expect(cookie).toMatch(/^switchyard-login=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
    for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(asked[secret])
  })

  it('two sign-ins share neither state, nonce nor verifier', async () => {
    const urls = [await s.newBrowser().visit('/auth/login'), await s.newBrowser().visit('/auth/login')]
    const [a, b] = urls.map(({ location }) => new URL(location).searchParams)
    for (const secret of ['state', 'nonce', 'code_challenge']) expect(a?.get(secret)).not.toBe(b?.get(secret))
  })

  it('asks for recent proof, or to choose another account, when told to', async () => {
    const { location } = await s.newBrowser().visit('/auth/login?max_age=300&prompt=login')
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      max_age: '300',
      prompt: 'login',
    })
  })

  it.each(['max_age=-1', 'max_age=x', 'prompt=none', `return_to=${'x'.repeat(2001)}`])(
    '400 for %.20s',
    async (query) => {
      expect((await s.newBrowser().visit(`/auth/login?${query}`)).status).toBe(400)
    },
  )
})

describe('the way back', () => {
  it('opens a session and leads to the page that the person wanted', async () => {
    const staff = await newStaff()
    const browser = s.newBrowser()
    const answer = await browser.signIn(staff, '?return_to=/dashboard/payments%3Fstatus%3Dfailed')
    expect([answer.status, answer.location]).toEqual([303, '/dashboard/payments?status=failed'])
    expect(answer.setCookies).toContainEqual(
      expect.stringMatching(/^switchyard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    )
    expect(browser.cookies.has('switchyard-login')).toBe(false)
    const me = await browser.call('GET', '/v1/users/me')
    expect(me.body.data).toMatchObject({
      user_id: staff.userId,
      org_id: orgId,
      role: 'staff',
      credential: 'session',
    })
  })

  it.each([
    'https://evil.example/',
    '//evil.example/dashboard',
    '/dashboard.evil.example',
    '/dashboard/../v1/users/me',
    '/docs',
    'javascript:alert(1)',
    '/\\evil.example',
  ])('never leads to %s', async (target) => {
    const answer = await s.newBrowser().signIn(await newStaff(), `?return_to=${encodeURIComponent(target)}`)
    expect(answer.location).toBe('/dashboard')
  })

  it('only a hash of the token is stored', async () => {
    const browser = s.newBrowser()
    await browser.signIn(await newStaff())
    const token = browser.cookies.get(cookieName) ?? ''
    const { rows } = await s.t.owner.query<{ text: string }>('select s::text as text from sessions s')
    const stored = rows.map(({ text }) => text).join()
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(stored).not.toContain(Buffer.from(token).toString('hex'))
  })

  it('a cookie that was planted before the sign-in is not the session afterwards', async () => {
    const browser = s.newBrowser()
    const planted = 'x'.repeat(43)
    browser.cookies.set(cookieName, planted)
    await browser.signIn(await newStaff())
    expect(browser.cookies.get(cookieName)).not.toBe(planted)
    const attacker = s.newBrowser()
    attacker.cookies.set(cookieName, planted)
    expect((await attacker.call('GET', '/v1/users/me')).status).toBe(401)
  })

  it('a session that an attacker planted ends when its victim signs in', async () => {
    const attacker = s.newBrowser()
    await attacker.signIn(await newStaff())
    const victim = s.newBrowser()
    victim.cookies.set(cookieName, attacker.cookies.get(cookieName) ?? '')
    const staff = await newStaff()
    await victim.signIn(staff)
    expect((await victim.call('GET', '/v1/users/me')).body.data.user_id).toBe(staff.userId)
    expect((await attacker.call('GET', '/v1/users/me')).status).toBe(401)
  })

  it('a second sign-in in the same browser has a new token, and the first one ends', async () => {
    const staff = await newStaff()
    const browser = s.newBrowser()
    await browser.signIn(staff)
    const first = browser.cookies.get(cookieName) ?? ''
    await browser.signIn(staff, '?max_age=300')
    expect(browser.cookies.get(cookieName)).not.toBe(first)
    const old = s.newBrowser()
    old.cookies.set(cookieName, first)
    expect((await old.call('GET', '/v1/users/me')).status).toBe(401)
    expect((await browser.call('GET', '/auth/sessions')).body.data).toHaveLength(1)
  })

  it('recent proof is remembered with the session', async () => {
    const browser = s.newBrowser()
    await browser.signIn(await newStaff(), '?max_age=300')
    const { auth_time } = (await browser.call('GET', '/auth/session')).body.data
    expect(Math.abs(new Date(auth_time).getTime() - Date.now())).toBeLessThan(60_000)
  })
})

describe('a sign-in that is refused opens no session', () => {
  const refusal = (failure: string): string => `/dashboard/sign-in?error=${failure}`

  async function expectRefused(answer: { location: string; setCookies: string[] }, failure: string) {
    expect(answer.location).toBe(refusal(failure))
    expect(answer.setCookies.filter((cookie) => cookie.startsWith(`${cookieName}=`))).toEqual([])
  }

  it('with another state', async () => {
    const browser = s.newBrowser()
    const url = new URL(await browser.untilCallback(await newStaff()))
    url.searchParams.set('state', 'x'.repeat(43))
    await expectRefused(await browser.visit(url.href), 'expired')
  })

  it('without a state', async () => {
    const browser = s.newBrowser()
    const url = new URL(await browser.untilCallback(await newStaff()))
    url.searchParams.delete('state')
    await expectRefused(await browser.visit(url.href), 'expired')
  })

  it('in another browser than the one that began it', async () => {
    const url = await s.newBrowser().untilCallback(await newStaff())
    await expectRefused(await s.newBrowser().visit(url), 'expired')
    const other = s.newBrowser()
    await other.visit('/auth/login')
    await expectRefused(await other.visit(url), 'expired')
  })

  it('with a cookie that we did not seal', async () => {
    const browser = s.newBrowser()
    const url = await browser.untilCallback(await newStaff())
    for (const forged of ['', 'x', Buffer.alloc(200, 1).toString('base64url')]) {
      browser.cookies.set('switchyard-login', forged)
      await expectRefused(await browser.visit(url), 'expired')
    }
  })

  it('with a code that was used before', async () => {
    const browser = s.newBrowser()
    const url = await browser.untilCallback(await newStaff())
    const login = browser.cookies.get('switchyard-login') ?? ''
    expect((await browser.visit(url)).location).toBe('/dashboard')
    const thief = s.newBrowser()
    thief.cookies.set('switchyard-login', login)
    await expectRefused(await thief.visit(url), 'expired')
  })

  it('with the code of another sign-in, because of its PKCE verifier', async () => {
    const victim = s.newBrowser()
    const stolen = new URL(await victim.untilCallback(await newStaff())).searchParams.get('code') ?? ''
    const thief = s.newBrowser()
    const own = new URL(await thief.untilCallback(await newStaff()))
    own.searchParams.set('code', stolen)
    await expectRefused(await thief.visit(own.href), 'expired')
  })

  it('later than ten minutes after it began', async () => {
    const browser = s.newBrowser()
    const url = await browser.untilCallback(await newStaff())
    nowMs += 10 * 60_000
    await expectRefused(await browser.visit(url), 'expired')
  })

  it('when the identity provider refuses it', async () => {
    const browser = s.newBrowser()
    const { location } = await browser.visit('/auth/login')
    const state = new URL(location).searchParams.get('state') ?? ''
    const answer = await browser.visit(
      `/auth/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(s.issuer)}`,
    )
    await expectRefused(answer, 'refused')
  })

  it('when the answer is another identity provider’s', async () => {
    const browser = s.newBrowser()
    const url = new URL(await browser.untilCallback(await newStaff()))
    url.searchParams.set('iss', 'https://evil.example')
    await expectRefused(await browser.visit(url.href), 'refused')
  })

  it('when the person is a member of no organisation', async () => {
    const staff = await newStaff()
    await s.t.owner.query('delete from members where user_id = $1', [staff.userId])
    await expectRefused(await s.newBrowser().signIn(staff), 'not-a-member')
  })
})
