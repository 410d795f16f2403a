import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { openOrganization, personBody, type OpenedOrganization } from '../../../../test/app/people.ts'
import { memberOf, useApp } from '../../../../test/app/test-app.ts'

const t = useApp()
let operator: string
let org: OpenedOrganization
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  org = await openOrganization(t)
})

const pathOf = (orgId: string): string => `/v1/organizations/${orgId}`
const newOrganization = () => ({ name: 'Nile Notes', country: 'EG', admin: personBody() })

describe('200', () => {
  it('a member sees their own organisation and no other in the list', async () => {
    const { body } = await t.call('GET', '/v1/organizations', { as: org.admin.token })
    expect(body).toMatchObject({ status: 'success', meta: { count: 1, lastEvaluatedKey: null } })
    expect(body.data[0].org_id).toBe(org.orgId)
  })

  it('the operator pages through all organisations, newest first, each once', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&lastEvaluatedKey=${cursor}`
      const { body } = await t.call('GET', `/v1/organizations?limit=1${query}`, { as: operator })
      expect(body.meta.count).toBe(1)
      seen.push(body.data[0].org_id)
      cursor = body.meta.lastEvaluatedKey
    }
    const { rows } = await t.owner.query(
      'select org_id from organizations order by created_at desc, org_id desc',
    )
    expect(seen).toEqual(rows.map((row) => row.org_id))
  })

  it('an organisation shows its KYB fields', async () => {
    const { body } = await t.call('GET', pathOf(org.orgId), { as: org.admin.token })
    expect(body.data).toMatchObject({
      org_id: org.orgId,
      kyb_status: 'not_started',
      kyb_customer_id: null,
      features: [],
    })
  })

  it('ids are case-insensitive', async () => {
    const path = pathOf(org.orgId.toUpperCase())
    expect((await t.call('GET', path, { as: org.admin.token })).status).toBe(200)
    expect((await t.call('GET', path, { as: operator })).status).toBe(200)
  })

  it('the operator reads any organisation', async () => {
    const { body } = await t.call('GET', pathOf(org.orgId), { as: operator })
    expect(body.data.org_id).toBe(org.orgId)
  })

  it('an org-admin changes name and country; omitted fields are kept', async () => {
    const { orgId, admin } = await openOrganization(t)
    await t.call('PATCH', pathOf(orgId), { as: operator, body: { features: ['escrow'] } })
    const { body } = await t.call('PATCH', pathOf(orgId), {
      as: admin.token,
      body: { name: '  New name ', country: 'KE' },
    })
    expect(body.data).toMatchObject({ name: 'New name', country: 'KE', features: ['escrow'] })
    expect(Date.parse(body.data.updated_at)).toBeGreaterThanOrEqual(Date.parse(body.data.created_at))
    const read = await t.call('GET', pathOf(orgId), { as: admin.token })
    expect(read.body.data).toEqual(body.data)
  })

  it('the operator switches features, effective from the next request', async () => {
    const { orgId, admin } = await openOrganization(t)
    const featuresNow = async () =>
      (await t.call('GET', '/v1/users/me', { as: admin.token })).body.data.features
    await t.call('PATCH', pathOf(orgId), { as: operator, body: { features: ['escrow'] } })
    expect(await featuresNow()).toEqual(['escrow'])
    await t.call('PATCH', pathOf(orgId), { as: operator, body: { features: [] } })
    expect(await featuresNow()).toEqual([])
  })
})

describe('201', () => {
  it('the operator creates an organisation with its first administrator', async () => {
    const body = { ...newOrganization(), features: ['escrow'] }
    const created = await t.call('POST', '/v1/organizations', { as: operator, body })
    expect(created.status).toBe(201)
    expect(created.body.data).toMatchObject({ name: 'Nile Notes', country: 'EG', features: ['escrow'] })
    const token = await t.identity.sign({ sub: body.admin.user_id, org_id: created.body.data.org_id })
    const me = await t.call('GET', '/v1/users/me', { as: token })
    expect(me.body.data).toMatchObject({ role: 'org-admin', email: body.admin.email })
  })

  it('organisation, administrator, audit rows, notice and its job are one transaction', async () => {
    const created = await t.call('POST', '/v1/organizations', { as: operator, body: newOrganization() })
    const { rows } = await t.owner.query<{ xmin: string; table: string }>(
      `select xmin::text, 'organizations' as table from organizations where org_id = $1
       union all select xmin::text, 'members' from members where org_id = $1
       union all select xmin::text, 'audit_log' from audit_log where org_id = $1
       union all select xmin::text, 'notifications' from notifications where org_id = $1
       union all select xmin::text, 'outbox' from outbox where org_id = $1`,
      [created.body.data.org_id],
    )
    expect(rows.map((row) => row.table).sort()).toEqual([
      'audit_log',
      'audit_log',
      'members',
      'notifications',
      'organizations',
      'outbox',
    ])
    expect(new Set(rows.map((row) => row.xmin)).size).toBe(1)
  })

  it('one person may administer two organisations', async () => {
    const admin = personBody()
    for (const name of ['First', 'Second'])
      expect(
        (
          await t.call('POST', '/v1/organizations', {
            as: operator,
            body: { ...newOrganization(), name, admin },
          })
        ).status,
      ).toBe(201)
  })
})

describe('400', () => {
  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['a blank name', { name: '   ' }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['a name that Postgres cannot store', { name: 'a\0b' }],
    ['a name with half a character', { name: 'a\ud800' }],
    ['a name that is a number', { name: 7 }],
    ['a country that is none', { country: 'Egypt' }],
    ['a country in lower case', { country: 'eg' }],
    ['an unknown feature', { features: ['everything'] }],
    ['no administrator', { admin: undefined }],
    ['an administrator without a proper address', { admin: { ...personBody(), email: 'nobody' } }],
  ])('%s', async (_what, change) => {
    const answer = await t.call('POST', '/v1/organizations', {
      as: operator,
      body: { ...newOrganization(), ...change },
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 'error', message: expect.any(String) })
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1.5',
    'limit=-1',
    'limit=',
    'lastEvaluatedKey=',
    'lastEvaluatedKey=x',
    'lastEvaluatedKey=a&lastEvaluatedKey=b',
  ])('a list with %s', async (query) => {
    expect((await t.call('GET', `/v1/organizations?${query}`, { as: operator })).status).toBe(400)
  })

  it('a NUL character in the path', async () => {
    expect((await t.call('GET', pathOf('%00'), { as: operator })).status).toBe(400)
  })

  it('an update with an invalid field names it', async () => {
    const { body } = await t.call('PATCH', pathOf(org.orgId), {
      as: org.admin.token,
      body: { country: 'England' },
    })
    expect(body.details).toEqual([{ path: 'country', message: expect.stringContaining('alpha-2') }])
  })
})

describe('401', () => {
  it('organisations need a credential', async () => {
    expect((await t.call('GET', '/v1/organizations')).status).toBe(401)
  })
})

describe('403', () => {
  it('only the operator may create organisations', async () => {
    const answer = await t.call('POST', '/v1/organizations', { as: org.admin.token, body: newOrganization() })
    expect(answer.status).toBe(403)
  })

  it('only the operator may switch features, and a refused update changes nothing else', async () => {
    const body = { name: 'Sneaky', features: ['escrow'] }
    expect((await t.call('PATCH', pathOf(org.orgId), { as: org.admin.token, body })).status).toBe(403)
    const read = await t.call('GET', pathOf(org.orgId), { as: org.admin.token })
    expect(read.body.data).toMatchObject({ features: [] })
    expect(read.body.data.name).not.toBe('Sneaky')
  })

  it('members of other organisations can neither read nor write it', async () => {
    const path = pathOf(t.seed.orgs[0]?.org_id ?? '')
    expect((await t.call('GET', path, { as: org.admin.token })).status).toBe(403)
    expect((await t.call('PATCH', path, { as: org.admin.token, body: { name: 'Mine' } })).status).toBe(403)
  })

  it('staff and viewers may read but not write', async () => {
    const [seeded] = t.seed.orgs
    for (const role of ['staff', 'viewer']) {
      const { api_key: key } = memberOf(seeded, role)
      expect((await t.call('GET', pathOf(seeded?.org_id ?? ''), { as: key })).status).toBe(200)
      expect(
        (await t.call('PATCH', pathOf(seeded?.org_id ?? ''), { as: key, body: { name: 'Mine' } })).status,
      ).toBe(403)
    }
  })
})

describe('404', () => {
  it.each(['x', `${newId()}x`, '00000000'])('an id that is none: %s', async (id) => {
    expect((await t.call('GET', pathOf(id), { as: operator })).status).toBe(404)
  })

  it('an unknown organisation, for the operator', async () => {
    expect((await t.call('GET', pathOf(newId()), { as: operator })).status).toBe(404)
    expect((await t.call('PATCH', pathOf(newId()), { as: operator, body: { name: 'x' } })).status).toBe(404)
  })
})
