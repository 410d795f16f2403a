import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { effectivePermissions, permissions, rolePermissions, roles } from '../../../../lib/requests/access.ts'
import { newId } from '../../../../lib/ids.ts'
import {
  addPerson,
  openOrganization,
  type OpenedOrganization,
  type Person,
} from '../../../../../test/app/people.ts'
import { useApp, type CallAnswer } from '../../../../../test/app/test-app.ts'
import { adjustmentsFor, withGranted, withRevoked } from '../rules.ts'

const t = useApp()
let operator: string
let org: OpenedOrganization
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  org = await openOrganization(t)
})

type Change = 'POST' | 'PUT' | 'DELETE'
const pathOf = (orgId: string, userId: string): string =>
  `/v1/organizations/${orgId}/members/${userId}/permissions`

/** Grants, replaces or revokes as the administrator of this file's organisation by default. */
const change = (
  method: Change,
  member: Pick<Person, 'userId'>,
  names: readonly string[],
  where: { as?: string; orgId?: string } = {},
): Promise<CallAnswer> =>
  t.call(method, pathOf(where.orgId ?? org.orgId, member.userId), {
    as: where.as ?? org.admin.token,
    body: { permissions: names },
  })

const held = async (person: Person): Promise<string[]> =>
  (await t.call('GET', '/v1/users/me', { as: person.token })).body.data.permissions.sort()

const isAllowed = async (as: string, userId: string, permission: string): Promise<boolean> =>
  (await t.call('GET', `${pathOf(org.orgId, userId)}/check?permission=${permission}`, { as })).body.data
    .allowed

describe('the rules of grants and revocations', () => {
  const sets = fc.subarray([...permissions]).map((names) => new Set(names))
  const memberships = fc
    .record({ role: fc.constantFrom(...roles), wanted: sets })
    .map(({ role, wanted }) => ({
      role,
      ...adjustmentsFor(role, wanted),
      wanted,
    }))

  it('turn every role into exactly the requested permissions', () => {
    fc.assert(
      fc.property(memberships, (membership) => {
        expect(effectivePermissions(membership)).toEqual(membership.wanted)
      }),
    )
  })

  it('never grant what the role includes, nor revoke what it does not include', () => {
    fc.assert(
      fc.property(memberships, ({ role, grants, revocations }) => {
        expect(grants.filter((name) => rolePermissions[role].includes(name))).toEqual([])
        expect(revocations.filter((name) => !rolePermissions[role].includes(name))).toEqual([])
      }),
    )
  })

  it('a grant adds and a revocation removes, and nothing else changes', () => {
    fc.assert(
      fc.property(memberships, fc.subarray([...permissions]), (membership, names) => {
        const before = effectivePermissions(membership)
        expect(withGranted(membership, names)).toEqual(before.union(new Set(names)))
        expect(withRevoked(membership, names)).toEqual(before.difference(new Set(names)))
      }),
    )
  })
})

describe('200', () => {
  it('a grant adds to the role immediately, and repeating it changes nothing', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const before = await held(viewer)
    for (let times = 0; times < 2; times++) {
      const { body } = await change('POST', viewer, ['api-keys:write', 'members:read'])
      expect(body.data.permissions.sort()).toEqual([...before, 'api-keys:write'].sort())
    }
    expect(await held(viewer)).toEqual([...before, 'api-keys:write'].sort())
    const created = await t.call('POST', '/v1/public/api-keys', {
      as: viewer.token,
      body: { name: 'granted' },
    })
    expect(created.status).toBe(201)
  })

  it('a revocation also removes what the role includes, immediately', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    await change('DELETE', staff, ['users:read'])
    expect(await held(staff)).not.toContain('users:read')
    expect((await t.call('GET', '/v1/users/list', { as: staff.token })).status).toBe(403)
  })

  it('a grant undoes a revocation', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    const before = await held(staff)
    await change('DELETE', staff, ['users:read'])
    await change('POST', staff, ['users:read'])
    expect(await held(staff)).toEqual(before)
  })

  it('replacing permissions leaves exactly the given ones', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    await change('PUT', staff, ['audit-log:read', 'organizations:read'])
    expect(await held(staff)).toEqual(['audit-log:read', 'organizations:read'])
    await change('PUT', staff, [])
    expect(await held(staff)).toEqual([])
  })

  it('the caller must hold only the permissions that change', async () => {
    const member = await addPerson(t, org.orgId, 'viewer')
    await change('POST', member, ['platform:read'], { as: operator })
    const { body } = await change('POST', member, ['api-keys:read'])
    expect(body.data.permissions).toEqual(expect.arrayContaining(['platform:read', 'api-keys:read']))
  })

  it('adjustments survive a change of role', async () => {
    const member = await addPerson(t, org.orgId, 'viewer')
    await change('POST', member, ['api-keys:write'])
    await change('DELETE', member, ['users:read'])
    const path = `/v1/organizations/${org.orgId}/members/${member.userId}`
    const { body } = await t.call('PATCH', path, { as: org.admin.token, body: { role: 'staff' } })
    expect(body.data.permissions).toContain('api-keys:write')
    expect(body.data.permissions).not.toContain('users:read')
  })

  it('a check covers yourself and, with members:read, others', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect(await isAllowed(viewer.token, viewer.userId, 'users:read')).toBe(true)
    expect(await isAllowed(viewer.token, viewer.userId, 'api-keys:write')).toBe(false)
    expect(await isAllowed(viewer.token, org.admin.userId, 'api-keys:write')).toBe(true)
  })

  it('a check about yourself needs no permission', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    await change('PUT', viewer, [])
    expect(await isAllowed(viewer.token, viewer.userId, 'users:read')).toBe(false)
  })

  it('the audit log shows every change with before and after', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    const before = await held(staff)
    const { headers } = await change('DELETE', staff, ['users:read'])
    const { rows } = await t.owner.query('select * from audit_log where request_id = $1', [
      headers['x-request-id'],
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      action: 'member.revoke',
      resource_id: staff.userId,
      user_id: org.admin.userId,
    })
    expect(rows[0].before.permissions.sort()).toEqual(before)
    expect(rows[0].after.permissions.sort()).toEqual(before.filter((name) => name !== 'users:read'))
  })
})

describe('400', () => {
  it.each<[Change, unknown]>([
    ['POST', []],
    ['DELETE', []],
    ['POST', ['everything']],
    ['PUT', ['members:*']],
    ['PUT', 'members:read'],
    ['PUT', undefined],
    ['POST', Array.from({ length: 200 }, () => 'members:read')],
  ])('%s %j', async (method, names) => {
    const body = { permissions: names }
    const path = pathOf(org.orgId, org.admin.userId)
    expect((await t.call(method, path, { as: operator, body })).status).toBe(400)
  })

  it.each(['', '?permission=', '?permission=all', '?permission=users:read&permission=members:read'])(
    'a check with %j',
    async (query) => {
      const path = `${pathOf(org.orgId, org.admin.userId)}/check${query}`
      expect((await t.call('GET', path, { as: org.admin.token })).status).toBe(400)
    },
  )
})

describe('403', () => {
  it('nobody can give permissions that they lack, by grant or by replacement', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const before = await held(viewer)
    expect((await change('POST', viewer, ['users:read', 'platform:write'])).status).toBe(403)
    expect((await change('PUT', viewer, [...before, 'platform:read'])).status).toBe(403)
    expect(await held(viewer)).toEqual(before)
  })

  it('a member who lost a permission can no longer give it', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const viewer = await addPerson(t, org.orgId, 'viewer')
    await change('DELETE', other, ['api-keys:write'])
    expect((await change('POST', viewer, ['api-keys:write'], { as: other.token })).status).toBe(403)
  })

  it('a scoped key can give no more than it holds', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const body = { name: 'narrow', scopes: ['permissions:write'] }
    const { api_key: key } = (await t.call('POST', '/v1/public/api-keys', { as: org.admin.token, body })).body
      .data
    expect((await change('POST', viewer, ['api-keys:read'], { as: key })).status).toBe(403)
    expect((await change('POST', viewer, ['permissions:write'], { as: key })).status).toBe(200)
  })

  it.each<Change>(['POST', 'PUT', 'DELETE'])('nobody changes their own permissions: %s', async (method) => {
    expect((await change(method, org.admin, ['users:read'])).status).toBe(403)
  })

  it('without members:read, only your own permissions can be checked', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    await change('DELETE', viewer, ['members:read'])
    const path = `${pathOf(org.orgId, org.admin.userId)}/check?permission=users:read`
    expect((await t.call('GET', path, { as: viewer.token })).status).toBe(403)
  })

  it('permissions in another organisation are out of reach', async () => {
    const other = await openOrganization(t)
    const { status } = await change('POST', other.admin, ['users:read'], { orgId: other.orgId })
    expect(status).toBe(403)
  })
})

describe('404', () => {
  it.each<Change>(['POST', 'PUT', 'DELETE'])('%s on a member who is not there', async (method) => {
    expect((await change(method, { userId: newId() }, ['users:read'])).status).toBe(404)
  })

  it('a check of an unknown member', async () => {
    const path = `${pathOf(org.orgId, newId())}/check?permission=users:read`
    expect((await t.call('GET', path, { as: org.admin.token })).status).toBe(404)
  })
})

describe('409', () => {
  it('the last administrator keeps permissions:write', async () => {
    const { orgId, admin } = await openOrganization(t)
    await addPerson(t, orgId, 'staff')
    const where = { as: operator, orgId }
    expect((await change('DELETE', admin, ['permissions:write'], where)).status).toBe(409)
    expect((await change('PUT', admin, ['users:read'], where)).status).toBe(409)
    expect((await change('DELETE', admin, ['users:read'], where)).status).toBe(200)
  })

  it('of two administrators who revoke each other’s permissions concurrently, one keeps them', async () => {
    const { orgId, admin } = await openOrganization(t)
    const other = await addPerson(t, orgId, 'org-admin')
    const answers = await Promise.all([
      change('DELETE', other, ['permissions:write'], { as: admin.token, orgId }),
      change('DELETE', admin, ['permissions:write'], { as: other.token, orgId }),
    ])
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const { rows } = await t.owner.query(`select from members where org_id = $1 and revocations = '{}'`, [
      orgId,
    ])
    expect(rows).toHaveLength(1)
  })
})
