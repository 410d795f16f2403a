import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import {
  addPerson,
  openOrganization,
  personBody,
  type OpenedOrganization,
} from '../../../../../test/app/people.ts'
import { useApp } from '../../../../../test/app/test-app.ts'

const t = useApp()
let operator: string
let org: OpenedOrganization
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  org = await openOrganization(t)
})

const membersOf = (orgId: string): string => `/v1/organizations/${orgId}/members`
const memberPath = (orgId: string, userId: string): string =>
  `${membersOf(orgId)}/${encodeURIComponent(userId)}`

describe('200', () => {
  it('members are listed newest first, page by page', async () => {
    const { orgId, admin } = await openOrganization(t)
    const staff = await addPerson(t, orgId, 'staff')
    const first = await t.call('GET', `${membersOf(orgId)}?limit=1`, { as: admin.token })
    expect(first.body).toMatchObject({ meta: { count: 1 }, data: [{ user_id: staff.userId, role: 'staff' }] })
    const cursor = first.body.meta.lastEvaluatedKey
    const second = await t.call('GET', `${membersOf(orgId)}?limit=1&lastEvaluatedKey=${cursor}`, {
      as: admin.token,
    })
    expect(second.body.data.map((one: { user_id: string }) => one.user_id)).toEqual([admin.userId])
    expect(second.body.meta).toEqual({ count: 1, lastEvaluatedKey: null })
  })

  it('a member is shown with their effective permissions', async () => {
    const { body } = await t.call('GET', memberPath(org.orgId, org.admin.userId), { as: org.admin.token })
    expect(body.data).toMatchObject({ user_id: org.admin.userId, org_id: org.orgId, role: 'org-admin' })
    expect(body.data.permissions).toContain('members:write')
    expect(body.data.permissions).not.toContain('platform:write')
  })

  it('an org-admin changes another member’s role immediately', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const body = { first_name: 'Vera', last_name: 'Valid', country: 'GH', role: 'org-admin' }
    const changed = await t.call('PATCH', memberPath(org.orgId, viewer.userId), { as: org.admin.token, body })
    expect(changed.body.data).toMatchObject(body)
    expect(
      (await t.call('POST', '/v1/public/api-keys', { as: viewer.token, body: { name: 'mine' } })).status,
    ).toBe(201)
  })

  it('an update keeps omitted fields, and null removes the country', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const path = memberPath(org.orgId, viewer.userId)
    await t.call('PATCH', path, { as: org.admin.token, body: { country: 'GH' } })
    const kept = await t.call('PATCH', path, { as: org.admin.token, body: { first_name: 'Vera' } })
    expect(kept.body.data).toMatchObject({
      first_name: 'Vera',
      last_name: 'Person',
      country: 'GH',
      role: 'viewer',
    })
    const cleared = await t.call('PATCH', path, { as: org.admin.token, body: { country: null } })
    expect(cleared.body.data.country).toBeNull()
  })

  it('members may change their own name and repeat their own role', async () => {
    const path = memberPath(org.orgId, org.admin.userId)
    const body = { first_name: 'Ada', role: 'org-admin' }
    expect((await t.call('PATCH', path, { as: org.admin.token, body })).body.data.first_name).toBe('Ada')
  })

  it('an administrator may be demoted while another remains', async () => {
    const { orgId, admin } = await openOrganization(t)
    const other = await addPerson(t, orgId, 'org-admin')
    const path = memberPath(orgId, admin.userId)
    expect((await t.call('PATCH', path, { as: other.token, body: { role: 'viewer' } })).status).toBe(200)
  })

  it('any subject of an identity provider can be a member, paged like the others', async () => {
    const { orgId, admin } = await openOrganization(t)
    const subjects = [`auth0|${'x'.repeat(249)}`, 'a/b?c=d&e#f', '"quoted" \\ and spaced', '%41']
    for (const user_id of subjects) {
      const body = { ...personBody(), user_id, role: 'viewer' }
      expect((await t.call('POST', membersOf(orgId), { as: admin.token, body })).status).toBe(201)
      expect((await t.call('GET', memberPath(orgId, user_id), { as: admin.token })).body.data.user_id).toBe(
        user_id,
      )
    }
    let cursor: string | null = ''
    const seen: string[] = []
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&lastEvaluatedKey=${cursor}`
      const { body } = await t.call('GET', `${membersOf(orgId)}?limit=1${query}`, { as: admin.token })
      seen.push(body.data[0].user_id)
      cursor = body.meta.lastEvaluatedKey
    }
    expect(seen.sort()).toEqual([admin.userId, ...subjects].sort())
  })
})

describe('201', () => {
  it('a new member, the audit row, the welcome notice and its job are one transaction', async () => {
    const body = { ...personBody(), role: 'staff' }
    const added = await t.call('POST', membersOf(org.orgId), { as: org.admin.token, body })
    expect(added.status).toBe(201)
    const { rows } = await t.owner.query(
      `select m.xmin::text as member, n.xmin::text as notice, o.xmin::text as job, a.xmin::text as audit,
         n.template, n.recipient, n.status, n.variables, o.service, o.payload, o.request_id
       from members m join notifications n using (org_id, user_id)
       join outbox o on o.org_id = n.org_id and o.payload->>'notificationId' = n.notification_id::text
       join audit_log a on a.org_id = m.org_id and a.resource_id = m.user_id
       where m.org_id = $1 and m.user_id = $2`,
      [org.orgId, body.user_id],
    )
    expect(rows).toHaveLength(1)
    const { member, notice, job, audit } = rows[0]
    expect([notice, job, audit]).toEqual([member, member, member])
    expect(rows[0]).toMatchObject({ template: 'member-welcome', recipient: body.email, status: 'pending' })
    expect(rows[0].request_id).toBe(added.headers['x-request-id'])
  })

  it('the job has only the notice’s id and no personal data, because the engine journals it', async () => {
    const body = { ...personBody(), role: 'staff' }
    await t.call('POST', membersOf(org.orgId), { as: org.admin.token, body })
    const { rows } = await t.owner.query('select payload from outbox where org_id = $1', [org.orgId])
    const payloads = JSON.stringify(rows)
    expect(payloads).not.toContain(body.email)
    expect(payloads).not.toContain(body.user_id)
  })

  it('the operator adds members anywhere', async () => {
    const body = { ...personBody(), role: 'viewer' }
    expect((await t.call('POST', membersOf(org.orgId), { as: operator, body })).status).toBe(201)
  })
})

describe('204', () => {
  it('a removed member loses access immediately, with their keys', async () => {
    const staff = await addPerson(t, org.orgId, 'org-admin')
    const key = (await t.call('POST', '/v1/public/api-keys', { as: staff.token, body: { name: 'k' } })).body
      .data.api_key
    expect((await t.call('GET', '/v1/users/me', { as: key })).status).toBe(200)
    const removed = await t.call('DELETE', memberPath(org.orgId, staff.userId), { as: org.admin.token })
    expect([removed.status, removed.text]).toEqual([204, ''])
    for (const credential of [key, staff.token])
      expect((await t.call('GET', '/v1/users/me', { as: credential })).status).toBe(401)
  })
})

describe('400', () => {
  it.each<[string, object]>([
    ['no user_id', { user_id: undefined }],
    ['an empty user_id', { user_id: '' }],
    ['a user_id of more than 255 characters', { user_id: 'x'.repeat(256) }],
    ['a user_id that is no subject, which is ASCII', { user_id: '漢'.repeat(255) }],
    ['no address', { email: undefined }],
    ['an address that is none', { email: 'a@' }],
    ['an address with a second header', { email: 'a@example.test\r\nBcc: b@example.test' }],
    ['a blank name', { first_name: ' ' }],
    ['an unknown role', { role: 'owner' }],
    ['no role', { role: undefined }],
    ['a country that is none', { country: 'UK ' }],
  ])('%s', async (_what, change) => {
    const body = { ...personBody(), role: 'viewer', ...change }
    expect((await t.call('POST', membersOf(org.orgId), { as: org.admin.token, body })).status).toBe(400)
  })

  it('a member with an invalid name', async () => {
    expect((await t.call('GET', `${membersOf(org.orgId)}/%00`, { as: org.admin.token })).status).toBe(400)
  })
})

describe('403', () => {
  it('nobody can give a role that exceeds their own permissions', async () => {
    const body = { ...personBody(), role: 'platform-admin' }
    expect((await t.call('POST', membersOf(org.orgId), { as: org.admin.token, body })).status).toBe(403)
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const path = memberPath(org.orgId, viewer.userId)
    expect(
      (await t.call('PATCH', path, { as: org.admin.token, body: { role: 'platform-admin' } })).status,
    ).toBe(403)
  })

  it('an administrator who lost a permission cannot give a role that includes it', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const revoked = { permissions: ['api-keys:write'] }
    await t.call('DELETE', `${memberPath(org.orgId, other.userId)}/permissions`, {
      as: org.admin.token,
      body: revoked,
    })
    const body = { ...personBody(), role: 'org-admin' }
    expect((await t.call('POST', membersOf(org.orgId), { as: other.token, body })).status).toBe(403)
    const lesser = { ...personBody(), role: 'staff' }
    expect((await t.call('POST', membersOf(org.orgId), { as: other.token, body: lesser })).status).toBe(201)
  })

  it('nobody can change their own role', async () => {
    await addPerson(t, org.orgId, 'org-admin')
    const path = memberPath(org.orgId, org.admin.userId)
    for (const role of ['viewer', 'platform-admin'])
      expect((await t.call('PATCH', path, { as: org.admin.token, body: { role } })).status).toBe(403)
  })

  it('staff and viewers may not manage members', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      const body = { ...personBody(), role: 'viewer' }
      expect((await t.call('POST', membersOf(org.orgId), { as: token, body })).status).toBe(403)
      expect((await t.call('DELETE', memberPath(org.orgId, org.admin.userId), { as: token })).status).toBe(
        403,
      )
      expect((await t.call('GET', membersOf(org.orgId), { as: token })).status).toBe(200)
    }
  })
})

describe('404', () => {
  it('an unknown member', async () => {
    const path = memberPath(org.orgId, newId())
    expect((await t.call('GET', path, { as: org.admin.token })).status).toBe(404)
    expect((await t.call('PATCH', path, { as: org.admin.token, body: { first_name: 'x' } })).status).toBe(404)
    expect((await t.call('DELETE', path, { as: org.admin.token })).status).toBe(404)
  })

  it('a member of another organisation is not found', async () => {
    const stranger = t.seed.orgs[0]?.members[0]?.user_id ?? ''
    expect((await t.call('GET', memberPath(org.orgId, stranger), { as: org.admin.token })).status).toBe(404)
  })

  it('an unknown organisation, for the operator', async () => {
    const body = { ...personBody(), role: 'viewer' }
    expect((await t.call('POST', membersOf(newId()), { as: operator, body })).status).toBe(404)
  })
})

describe('409', () => {
  it('a duplicate by user_id or by email in any case, and no second notice', async () => {
    const body = { ...personBody(), role: 'viewer' }
    await t.call('POST', membersOf(org.orgId), { as: org.admin.token, body })
    const again = [
      body,
      { ...body, user_id: newId(), email: body.email.toUpperCase() },
      { ...body, email: 'new@example.test' },
    ]
    for (const duplicate of again)
      expect(
        (await t.call('POST', membersOf(org.orgId), { as: org.admin.token, body: duplicate })).status,
      ).toBe(409)
    const { rows } = await t.owner.query(
      'select user_id from notifications where lower(recipient) = lower($1)',
      [body.email],
    )
    expect(rows).toEqual([{ user_id: body.user_id }])
  })

  it('of two concurrent additions of one person, one succeeds', async () => {
    const body = { ...personBody(), role: 'viewer' }
    const add = () => t.call('POST', membersOf(org.orgId), { as: org.admin.token, body })
    const statuses = (await Promise.all([add(), add(), add()])).map((answer) => answer.status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  it('the last administrator can be neither demoted nor removed', async () => {
    const { orgId, admin } = await openOrganization(t)
    const path = memberPath(orgId, admin.userId)
    expect((await t.call('PATCH', path, { as: operator, body: { role: 'staff' } })).status).toBe(409)
    expect((await t.call('DELETE', path, { as: operator })).status).toBe(409)
    expect((await t.call('DELETE', path, { as: admin.token })).status).toBe(409)
  })

  it.each(['PATCH', 'DELETE'])(
    'of two administrators who %s each other concurrently, one remains',
    async (method) => {
      const { orgId, admin } = await openOrganization(t)
      const other = await addPerson(t, orgId, 'org-admin')
      const body = method === 'PATCH' ? { body: { role: 'viewer' } } : {}
      const answers = await Promise.all([
        t.call(method, memberPath(orgId, other.userId), { as: admin.token, ...body }),
        t.call(method, memberPath(orgId, admin.userId), { as: other.token, ...body }),
      ])
      const refusals = answers.filter((answer) => answer.status >= 400)
      expect(refusals).toHaveLength(1)
      // The later request is refused as the last administrator, or because its caller is no longer an administrator.
      expect([409, 401, 403]).toContain(refusals[0]?.status)
      const { rows } = await t.owner.query(`select from members where org_id = $1 and role = 'org-admin'`, [
        orgId,
      ])
      expect(rows).toHaveLength(1)
    },
  )
})
