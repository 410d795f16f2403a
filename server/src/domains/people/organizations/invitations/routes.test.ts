import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import {
  addPerson,
  approveChange,
  openOrganization,
  type OpenedOrganization,
} from '../../../../../test/app/people.ts'
import { memberOf, useApp, type CallAnswer, type Json } from '../../../../../test/app/test-app.ts'
import { createTestClock } from '../../../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const t = useApp({ clock })
let org: OpenedOrganization
beforeEach(async () => {
  org = await openOrganization(t)
})

const day = 24 * 60 * 60_000
const acceptPath = '/v1/organizations/invitations/accept'
const newEmail = (): string => `${newId()}@example.test`

const invite = (email: string, role = 'staff', as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', `/v1/organizations/${org.orgId}/invitations`, { as, body: { email, role } })

const tokenOf = (invitationId: string, orgId = org.orgId): string =>
  t.deps.links.urlOf('invitation', { orgId, id: invitationId }).split('/').at(-1) ?? ''

async function invited(email = newEmail()): Promise<{ email: string; id: string; token: string }> {
  const id: string = (await invite(email)).body.data.invitation_id
  return { email, id, token: tokenOf(id) }
}

/** A user of the identity provider who belongs to no organisation. */
const identityToken = (email = newEmail(), sub = newId()): Promise<string> =>
  t.identity.sign({ sub, email, email_verified: true })

const accept = (token: string, as: string): Promise<CallAnswer> =>
  t.call('POST', acceptPath, { as, body: { token, first_name: 'Nia', last_name: 'New', country: 'FR' } })

const mailsTo = async (email: string): Promise<Json[]> =>
  (await t.owner.query('select * from notifications where recipient = $1', [email])).rows

describe('200', () => {
  it('lists invitations with their statuses', async () => {
    const open = await invited()
    const revoked = await invited()
    const path = `/v1/organizations/${org.orgId}/invitations`
    await t.call('DELETE', `${path}/${revoked.id}`, { as: org.admin.token })
    const { body } = await t.call('GET', `${path}?limit=2`, { as: org.admin.token })
    expect(body.data.map((one: Json) => [one.invitation_id, one.status])).toEqual([
      [revoked.id, 'revoked'],
      [open.id, 'pending'],
    ])
    expect(body.meta).toEqual({ count: 2, lastEvaluatedKey: null })
  })

  it('the link opens a page without scripts that accepts nothing', async () => {
    const { id, token, email } = await invited()
    const page = await t.call('GET', `/invitations/${token}`)
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.text).toContain(email)
    expect(page.text).not.toContain('<script')
    const { rows } = await t.owner.query('select status from invitations where invitation_id = $1', [id])
    expect(rows).toEqual([{ status: 'pending' }])
  })
})

describe('201', () => {
  it('an invitation is mailed with a link that is not stored', async () => {
    const { email, id, token } = await invited()
    const [mail] = await mailsTo(email)
    expect(mail).toMatchObject({
      template: 'member-invited',
      link_kind: 'invitation',
      link_id: id,
      user_id: null,
    })
    for (const table of ['invitations', 'notifications', 'outbox', 'audit_log']) {
      const { rows } = await t.owner.query(`select row_to_json(x)::text as text from ${table} x`)
      expect(JSON.stringify(rows)).not.toContain(token)
    }
  })

  it('accepting makes the user a member with the role and sends a welcome in their language', async () => {
    const { email, token } = await invited()
    const userId = newId()
    const joined = await accept(token, await identityToken(email, userId))
    expect(joined.status).toBe(201)
    expect(joined.body.data).toMatchObject({ org_id: org.orgId, user_id: userId, email, role: 'staff' })
    const me = await t.call('GET', '/v1/users/me', {
      as: await t.identity.sign({ sub: userId, org_id: org.orgId }),
    })
    expect(me.body.data).toMatchObject({ user_id: userId, role: 'staff' })
    expect((await mailsTo(email)).map((mail) => `${mail.template} ${mail.language}`).sort()).toEqual([
      'member-invited en',
      'member-welcome fr',
    ])
  })

  it('a token with the invited address in another case is accepted', async () => {
    const { email, token } = await invited()
    expect((await accept(token, await identityToken(email.toUpperCase()))).status).toBe(201)
  })

  it('an address whose invitation has expired or was revoked can be invited again', async () => {
    const email = newEmail()
    const first = await invited(email)
    await t.call('DELETE', `/v1/organizations/${org.orgId}/invitations/${first.id}`, { as: org.admin.token })
    await invited(email)
    clock.pass(8 * day)
    expect((await invite(email)).status).toBe(201)
    clock.pass(-8 * day)
  })
})

describe('204', () => {
  it('a revoked invitation cannot be used', async () => {
    const { id, token } = await invited()
    const path = `/v1/organizations/${org.orgId}/invitations/${id}`
    expect((await t.call('DELETE', path, { as: org.admin.token })).status).toBe(204)
    expect((await accept(token, await identityToken())).status).toBe(409)
    expect((await t.call('GET', `/invitations/${token}`)).text).toContain('This invitation is revoked')
  })
})

describe('400', () => {
  it.each([{}, { email: 'no address', role: 'staff' }, { email: 'a@b.test', role: 'king' }])(
    'an invitation of %j',
    async (body) => {
      const path = `/v1/organizations/${org.orgId}/invitations`
      expect((await t.call('POST', path, { as: org.admin.token, body })).status).toBe(400)
    },
  )
})

describe('401', () => {
  it('accepting needs a valid token: no missing token, API key or bad token', async () => {
    const { email, token } = await invited()
    const body = { token, first_name: 'N', last_name: 'N' }
    expect((await t.call('POST', acceptPath, { body })).status).toBe(401)
    for (const as of [
      t.seed.platformAdmin.api_key,
      await t.identity.sign({ sub: 'x' }, { audience: 'other' }),
    ])
      expect((await t.call('POST', acceptPath, { as, body })).status).toBe(401)
    expect((await accept(token, await identityToken(email))).status).toBe(201)
  })

  it('a token without an organisation is refused everywhere else', async () => {
    expect((await t.call('GET', '/v1/users/me', { as: await identityToken() })).status).toBe(401)
  })
})

describe('403', () => {
  it('nobody can invite to a role that they cannot give', async () => {
    expect((await invite(newEmail(), 'platform-admin')).status).toBe(403)
  })

  it('staff and viewers may not invite', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const person = await addPerson(t, org.orgId, role)
      expect((await invite(newEmail(), 'viewer', person.token)).status).toBe(403)
    }
  })

  it('a token with another address than the invited one', async () => {
    const { token } = await invited()
    expect((await accept(token, await identityToken())).status).toBe(403)
  })
})

describe('404', () => {
  it('a forged code, or one with any byte changed', async () => {
    const { token } = await invited()
    const bytes = Buffer.from(token, 'base64url')
    const somebody = await identityToken()
    for (const at of [0, 20, 40]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect((await accept(changed.toString('base64url'), somebody)).status).toBe(404)
    }
    expect((await accept('nonsense', somebody)).status).toBe(404)
  })

  it('a link of another kind is no invitation', async () => {
    const { id } = await invited()
    const url = t.deps.links.urlOf('verification', { orgId: org.orgId, id })
    expect((await accept(url.split('/').at(-1) ?? '', await identityToken())).status).toBe(404)
  })
})

describe('409', () => {
  it('an address that has been invited or belongs to a member, in any case', async () => {
    const { email } = await invited()
    expect((await invite(email)).status).toBe(409)
    expect((await invite(email.toUpperCase())).status).toBe(409)
    expect((await invite(org.admin.email.toUpperCase())).status).toBe(409)
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('of two concurrent invitations to one address, one succeeds', async () => {
    const email = newEmail()
    const answers = await Promise.all(Array.from({ length: 6 }, () => invite(email)))
    expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
  })

  it('an invitation works once, even under concurrent use', async () => {
    const { email, token } = await invited()
    const people = await Promise.all(Array.from({ length: 5 }, () => identityToken(email)))
    const answers = await Promise.all(people.map((person) => accept(token, person)))
    expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
  })

  it('an expired invitation', async () => {
    const { token } = await invited()
    clock.pass(8 * day)
    const late = await accept(token, await identityToken())
    clock.pass(-8 * day)
    expect(late.status).toBe(409)
    expect(late.body.message).toContain('expired')
  })

  it('a member who accepts another invitation of the same organisation; it remains pending', async () => {
    const { email, id, token } = await invited()
    const person = await addPerson(t, org.orgId, 'viewer')
    expect((await accept(token, await identityToken(email, person.userId))).status).toBe(409)
    const { rows } = await t.owner.query('select status from invitations where invitation_id = $1', [id])
    expect(rows).toEqual([{ status: 'pending' }])
  })

  it('revoking an invitation that has ended', async () => {
    const { email, id, token } = await invited()
    await accept(token, await identityToken(email))
    const path = `/v1/organizations/${org.orgId}/invitations/${id}`
    expect((await t.call('DELETE', path, { as: org.admin.token })).status).toBe(409)
  })
})

it('another organisation’s invitations', async () => {
  const { id } = await invited()
  const stranger = memberOf(t.seed.orgs[1], 'org-admin').api_key
  const path = `/v1/organizations/${org.orgId}/invitations`
  expect((await t.call('GET', path, { as: stranger })).status).toBe(403)
  expect((await t.call('DELETE', `${path}/${id}`, { as: stranger })).status).toBe(403)
})

describe('an invitation from before the first approval policy', () => {
  const setPolicy = (): Promise<CallAnswer> =>
    t.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
      as: org.admin.token,
      body: { policies: [{ currency: 'GBP', payout_from: 1000 }] },
    })

  it.each(['org-admin', 'staff'])('makes nobody %s without a second person', async (role) => {
    const email = newEmail()
    const id = (await invite(email, role)).body.data.invitation_id
    expect((await setPolicy()).status).toBe(200)
    const refused = await accept(tokenOf(id), await identityToken(email))
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The invitation is older than the rule that a second person approves members with this role. Ask an administrator to revoke it and to invite you again.',
    ])
    const { rows } = await t.owner.query('select status from invitations where invitation_id = $1', [id])
    expect(rows).toEqual([{ status: 'pending' }])
  })

  it('is accepted where its role has no say over payouts', async () => {
    const email = newEmail()
    const id = (await invite(email, 'viewer')).body.data.invitation_id
    await setPolicy()
    expect((await accept(tokenOf(id), await identityToken(email))).status).toBe(201)
  })

  it('an invitation that a second person has approved is accepted', async () => {
    await setPolicy()
    const email = newEmail()
    await approveChange(t, await invite(email, 'org-admin'))
    const { rows } = await t.owner.query('select invitation_id from invitations where email = $1', [email])
    expect((await accept(tokenOf(rows[0]?.invitation_id), await identityToken(email))).status).toBe(201)
  })
})
