import { beforeEach, describe, expect, it } from 'vitest'
import { insertException } from '../../domains/people/exceptions/raise-exception.ts'
import { installationOrgId } from '../../kernel/db/vault.ts'
import { newId } from '../../lib/ids.ts'
import {
  addPerson,
  openOrganization,
  type OpenedOrganization,
  type Person,
} from '../../../test/app/people.ts'
import { memberOf, useApp, type CallAnswer } from '../../../test/app/test-app.ts'

const t = useApp()
let org: OpenedOrganization
beforeEach(async () => {
  org = await openOrganization(t)
})

describe('somebody who found the link of an invitation', () => {
  const email = (): string => `${newId()}@example.test`

  async function acceptAs(claims: Record<string, unknown>, invitedEmail: string): Promise<CallAnswer> {
    const path = `/v1/organizations/${org.orgId}/invitations`
    const body = { email: invitedEmail, role: 'staff' }
    const invited = await t.call('POST', path, { as: org.admin.token, body })
    const ids = { orgId: org.orgId, id: invited.body.data.invitation_id }
    return t.call('POST', '/v1/organizations/invitations/accept', {
      as: await t.identity.sign({ sub: newId(), ...claims }),
      body: {
        token: t.deps.links.urlOf('invitation', ids).split('/').at(-1),
        first_name: 'Eve',
        last_name: 'Eve',
      },
    })
  }

  it.each([
    ['no address', () => ({})],
    ['no address that is verified', (invited: string) => ({ email: invited })],
    [
      'an address that is expressly not verified',
      (invited: string) => ({ email: invited, email_verified: false }),
    ],
    [
      'a verified mark that is no boolean',
      (invited: string) => ({ email: invited, email_verified: 'false' }),
    ],
    ['another verified address', () => ({ email: email(), email_verified: true })],
    ['text instead of an address', () => ({ email: 'nobody', email_verified: true })],
  ])('is 403 with a token that has %s', async (_what, claims) => {
    const invited = email()
    expect((await acceptAs(claims(invited), invited)).status).toBe(403)
  })

  it('is 201 for the invited person', async () => {
    const invited = email()
    expect((await acceptAs({ email: invited, email_verified: true }, invited)).status).toBe(201)
  })
})

describe('a member who may write permissions', () => {
  let staff: Person
  beforeEach(async () => {
    staff = await addPerson(t, org.orgId, 'staff')
    await t.owner.query(
      `update members set grants = '{permissions:write,members:write}' where org_id = $1 and user_id = $2`,
      [org.orgId, staff.userId],
    )
  })
  const change = (method: string, permissions: string[], userId = org.admin.userId): Promise<CallAnswer> =>
    t.call(method, `/v1/organizations/${org.orgId}/members/${userId}/permissions`, {
      as: staff.token,
      body: { permissions },
    })

  it.each([
    ['DELETE', ['payments:write']],
    ['DELETE', ['permissions:write']],
    ['PUT', ['payments:read']],
    ['POST', ['payments:read']],
  ])('is 403 when they %s %j of an administrator', async (method, permissions) => {
    expect((await change(method, permissions)).status).toBe(403)
    const { rows } = await t.owner.query('select revocations from members where user_id = $1', [
      org.admin.userId,
    ])
    expect(rows).toEqual([{ revocations: [] }])
  })

  it('is 403 for an administrator who was left with fewer permissions than they have', async () => {
    await t.owner.query(`update members set revocations = $2 where user_id = $1`, [
      org.admin.userId,
      await lackedByStaff(),
    ])
    expect((await change('DELETE', ['payments:write'])).status).toBe(403)
  })

  it('is 403 when they give what they do not have', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await change('POST', ['webhooks:write'], viewer.userId)).status).toBe(403)
  })

  it('is 200 for a member below them', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await change('DELETE', ['payments:read'], viewer.userId)).status).toBe(200)
  })

  async function lackedByStaff(): Promise<string[]> {
    const own = await t.call('GET', '/v1/users/me', { as: staff.token })
    const admins = await t.call('GET', '/v1/users/me', { as: org.admin.token })
    const held = new Set<string>(own.body.data.permissions)
    return admins.body.data.permissions.filter((one: string) => !held.has(one))
  }
})

describe('a key of the operator that may only read the platform', () => {
  const scoped = async (scopes: string[]): Promise<string> => {
    const body = { name: 'scoped', scopes }
    const created = await t.call('POST', '/v1/public/api-keys', { as: t.seed.platformAdmin.api_key, body })
    return created.body.data.api_key
  }
  async function raise(): Promise<string> {
    const findingKey = newId()
    await t.deps.db.batchAcrossOrgs([
      insertException(installationOrgId, {
        kind: 'unknown_reference',
        paymentId: null,
        provider: 'paystack',
        summary: 'Found',
        findingKey,
      }),
    ])
    const { rows } = await t.owner.query<{ exception_id: string }>(
      'select exception_id from exceptions where finding_key = $1',
      [findingKey],
    )
    return rows[0]?.exception_id ?? ''
  }
  const close = async (key: string): Promise<number> =>
    (
      await t.call('POST', `/v1/payments/exceptions/${await raise()}/close`, {
        as: key,
        body: { resolution: 'Gone' },
      })
    ).status

  it('sees the exceptions of the installation and cannot resolve them', async () => {
    const exceptionId = await raise()
    const key = await scoped(['platform:read', 'exceptions:read', 'exceptions:write'])
    const { body } = await t.call('GET', '/v1/payments/exceptions', { as: key })
    expect(JSON.stringify(body.data)).toContain(exceptionId)
    expect(await close(key)).toBe(404)
    expect(await close(await scoped(['platform:write', 'exceptions:write']))).toBe(200)
  })
})

describe('a token that was not made for this API', () => {
  const whoAmI = async (change: Parameters<typeof t.identity.sign>[1], claims = {}): Promise<number> => {
    const [seeded] = t.seed.orgs
    const own = { sub: memberOf(seeded, 'staff').user_id, org_id: seeded?.org_id, ...claims }
    return (await t.call('GET', '/v1/users/me', { as: await t.identity.sign(own, change) })).status
  }

  it.each(['JWT', 'id+jwt', 'dpop+jwt', 'logout+jwt', undefined])('is 401 with the type %j', async (type) => {
    expect(await whoAmI({ type })).toBe(401)
  })

  it.each([{ at_hash: 'x' }, { c_hash: 'x' }, { typ: 'ID' }])(
    'is 401 with %j of an ID token',
    async (claims) => {
      expect(await whoAmI({}, claims)).toBe(401)
    },
  )

  it.each(['3650d', '25h'])('is 401 with a lifetime of %s', async (expiresAt) => {
    expect(await whoAmI({ expiresAt })).toBe(401)
  })

  it('is 401 when it was issued two days ago, tomorrow, or at no time', async () => {
    const now = Math.floor(Date.now() / 1000)
    const expiresAt = now + 600
    expect(await whoAmI({ issuedAt: now - 2 * 86_400, expiresAt })).toBe(401)
    expect(await whoAmI({ issuedAt: now + 86_400, expiresAt: now + 86_400 + 600 })).toBe(401)
    expect(await whoAmI({ issuedAt: null, expiresAt })).toBe(401)
  })

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])(
    'is 200 with the type %s and a day to live',
    async (type) => {
      expect(await whoAmI({ type, expiresAt: '24h' })).toBe(200)
    },
  )
})
