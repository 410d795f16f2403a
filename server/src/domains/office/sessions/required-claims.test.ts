import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { useApp } from '../../../../test/app/test-app.ts'
import { useSignIn, type TestBrowser } from '../../../../test/worlds/test-sign-in.ts'

// The identity provider of the tests says that everybody has typed a password.
const required = { 'org-admin': { amr: ['mfa', 'hwk'] }, staff: { amr: ['pwd'] } }
const env = { REQUIRED_CLAIMS: JSON.stringify(required), LOG_LEVEL: 'silent' }

describe('signing in to the dashboard', () => {
  const s = useSignIn({ env })
  const me = (browser: TestBrowser) => browser.call('GET', '/v1/users/me')
  let orgId: string
  let otherOrgId: string
  beforeAll(() => {
    ;[orgId = '', otherOrgId = ''] = s.t.seed.orgs.map(({ org_id }) => org_id)
  })

  it('opens a session for a role whose claims are met, and for one that requires none', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const browser = s.newBrowser()
      await browser.signIn(await s.addAccount(orgId, role))
      expect((await me(browser)).body.data.role).toBe(role)
    }
  })

  it('is refused to a role that requires more, and leaves no session behind', async () => {
    const admin = await s.addAccount(orgId, 'org-admin')
    const answer = await s.newBrowser().signIn(admin)
    expect(answer.location).toBe('/dashboard/sign-in?error=too-weak')
    expect(answer.setCookies.join()).not.toMatch(/(?:^|,)switchyard=[\w-]/)
    const { rowCount } = await s.t.owner.query('select from sessions where user_id = $1', [admin.userId])
    expect(rowCount).toBe(0)
  })

  it('leads to an organisation where it is enough, and not from there to the other', async () => {
    const person = await s.addAccount(orgId, 'org-admin')
    await s.addAccount(otherOrgId, 'staff', person)
    const browser = s.newBrowser()
    await browser.signIn(person)
    expect((await me(browser)).body.data.org_id).toBe(otherOrgId)
    const switched = await browser.call('POST', '/auth/organization', {
      body: { org_id: orgId },
    })
    expect([switched.status, switched.body.message]).toEqual([403, expect.stringContaining('mfa or hwk')])
    expect((await me(browser)).body.data.org_id).toBe(otherOrgId)
  })

  it('is not enough any more once the person has got a higher role', async () => {
    const person = await s.addAccount(orgId, 'staff')
    const browser = s.newBrowser()
    await browser.signIn(person)
    await s.t.owner.query(`update members set role = 'org-admin' where user_id = $1`, [person.userId])
    expect((await me(browser)).status).toBe(403)
    await s.t.owner.query(`update sessions set claims = '{"amr":["pwd","mfa"]}' where user_id = $1`, [
      person.userId,
    ])
    expect((await me(browser)).status).toBe(200)
  })
})

describe('a token', () => {
  const t = useApp({ env })
  const orgId = () => t.seed.orgs[0]?.org_id ?? ''
  const call = async (role: 'org-admin' | 'viewer', claims: object) => {
    const { userId } = await addPerson(t, orgId(), role)
    const token = await t.identity.sign({ sub: userId, org_id: orgId(), ...claims })
    return t.call('GET', '/v1/users/me', { as: token })
  }

  it('must carry what the role requires', async () => {
    expect((await call('org-admin', { amr: ['pwd', 'mfa'] })).status).toBe(200)
    expect((await call('org-admin', { amr: 'hwk' })).status).toBe(200)
    for (const claims of [{}, { amr: ['pwd'] }, { amr: { mfa: true } }])
      expect((await call('org-admin', claims)).body).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('amr mfa or hwk'),
      })
    expect((await call('viewer', {})).status).toBe(200)
  })

  it('API keys are not signed in with, so nothing is required of them', async () => {
    const [org] = t.seed.orgs
    const key = org?.members.find(({ role }) => role === 'org-admin')?.api_key
    expect((await t.call('GET', '/v1/users/me', { as: key ?? '' })).status).toBe(200)
  })
})
