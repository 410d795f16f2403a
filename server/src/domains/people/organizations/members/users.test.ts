import { beforeAll, describe, expect, it } from 'vitest'
import { rolePermissions } from '../../../../lib/requests/access.ts'
import { newId } from '../../../../lib/ids.ts'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../../../test/app/people.ts'
import { memberOf, useApp } from '../../../../../test/app/test-app.ts'

const t = useApp()
let operator: string
let org: OpenedOrganization
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  org = await openOrganization(t)
})

const list = '/v1/users/list'
const idsOf = (body: { data: { user_id: string }[] }): string[] => body.data.map((user) => user.user_id)

describe('200', () => {
  it('lists the users of the caller’s organisation, newest first', async () => {
    const { orgId, admin } = await openOrganization(t)
    const staff = await addPerson(t, orgId, 'staff')
    const { body } = await t.call('GET', list, { as: staff.token })
    expect(body).toMatchObject({ status: 'success', meta: { count: 2, last_evaluated_key: null } })
    expect(idsOf(body)).toEqual([staff.userId, admin.userId])
    expect(body.data[0]).toMatchObject({ org_id: orgId, email: staff.email, role: 'staff', country: null })
  })

  it('a page has ten users by default and continues from its cursor', async () => {
    const { orgId, admin } = await openOrganization(t)
    for (let count = 1; count < 12; count++) await addPerson(t, orgId, 'viewer')
    const first = await t.call('GET', list, { as: admin.token })
    expect(first.body.meta.count).toBe(10)
    const cursor = first.body.meta.last_evaluated_key
    const second = await t.call('GET', `${list}?last_evaluated_key=${cursor}`, { as: admin.token })
    expect(second.body.meta).toEqual({ count: 2, last_evaluated_key: null })
    expect(new Set([...idsOf(first.body), ...idsOf(second.body)]).size).toBe(12)
    expect((await t.call('GET', `${list}?limit=100`, { as: admin.token })).body.meta.count).toBe(12)
  })

  it('the last page has no cursor', async () => {
    const { orgId, admin } = await openOrganization(t)
    await addPerson(t, orgId, 'viewer')
    const { body } = await t.call('GET', `${list}?limit=2`, { as: admin.token })
    expect(body.meta).toEqual({ count: 2, last_evaluated_key: null })
  })

  it('a caller may name their own organisation, and the operator any', async () => {
    const path = `${list}?org_id=${org.orgId}`
    for (const credential of [org.admin.token, operator])
      expect(idsOf((await t.call('GET', path, { as: credential })).body)).toEqual([org.admin.userId])
    expect(idsOf((await t.call('GET', list, { as: operator })).body)).toEqual([t.seed.platformAdmin.user_id])
  })

  it('an organisation that does not exist has no users', async () => {
    const { body } = await t.call('GET', `${list}?org_id=${newId()}`, { as: operator })
    expect(body).toMatchObject({ data: [], meta: { count: 0, last_evaluated_key: null } })
  })

  it('me is the owner of the key, with the permissions of the key', async () => {
    for (const role of ['org-admin', 'staff', 'viewer'] as const) {
      const member = memberOf(t.seed.orgs[0], role)
      const { body } = await t.call('GET', '/v1/users/me', { as: member.api_key })
      expect(body.data).toMatchObject({
        user_id: member.user_id,
        org_id: t.seed.orgs[0]?.org_id,
        email: member.email,
        role,
        features: ['escrow'],
        credential: 'api_key',
      })
      expect(body.data.permissions.sort()).toEqual([...rolePermissions[role]].sort())
    }
  })

  it('me is the subject of the token', async () => {
    const { body } = await t.call('GET', '/v1/users/me', { as: org.admin.token })
    expect(body.data).toMatchObject({ user_id: org.admin.userId, credential: 'jwt', features: [] })
  })

  it('one person is two users in two organisations', async () => {
    const { orgId } = await openOrganization(t)
    const body = {
      user_id: org.admin.userId,
      email: org.admin.email,
      first_name: 'A',
      last_name: 'B',
      role: 'viewer',
    }
    await t.call('POST', `/v1/organizations/${orgId}/members`, { as: operator, body })
    const elsewhere = await t.identity.sign({ sub: org.admin.userId, org_id: orgId })
    expect((await t.call('GET', '/v1/users/me', { as: elsewhere })).body.data).toMatchObject({
      org_id: orgId,
      role: 'viewer',
    })
    expect((await t.call('GET', '/v1/users/me', { as: org.admin.token })).body.data.role).toBe('org-admin')
  })
})

describe('400', () => {
  it.each([
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=1e9',
    'org_id=mine',
    'last_evaluated_key=x',
    'last_evaluated_key=',
    `last_evaluated_key=${'A'.repeat(1025)}`,
  ])('a list with %.40s', async (query) => {
    expect((await t.call('GET', `${list}?${query}`, { as: org.admin.token })).status).toBe(400)
  })
})

describe('401', () => {
  it.each([list, '/v1/users/me'])('%s without a credential', async (path) => {
    expect((await t.call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  it('users of another organisation are out of reach', async () => {
    expect(
      (await t.call('GET', `${list}?org_id=${t.seed.orgs[0]?.org_id}`, { as: org.admin.token })).status,
    ).toBe(403)
  })

  it('a list needs users:read', async () => {
    const body = { name: 'narrow', scopes: ['members:read'] }
    const { api_key: key } = (await t.call('POST', '/v1/public/api-keys', { as: org.admin.token, body })).body
      .data
    expect((await t.call('GET', list, { as: key })).status).toBe(403)
    expect((await t.call('GET', '/v1/users/me', { as: key })).body.data.permissions).toEqual(['members:read'])
  })
})
