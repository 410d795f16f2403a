import { beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  openOrganization,
  personBody,
  type OpenedOrganization,
} from '../../../../test/app/people.ts'
import { memberOf, useApp, type Json } from '../../../../test/app/test-app.ts'

const keys = '/v1/public/api-keys'
const t = useApp()
let operator: string
let org: OpenedOrganization
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  org = await openOrganization(t)
})

const logOf = (orgId: string): string => `/v1/organizations/${orgId}/audit-log`

async function read(query = '', where = org): Promise<Json[]> {
  const path = `${logOf(where.orgId)}?limit=100${query && `&${query}`}`
  return (await t.call('GET', path, { as: where.admin.token })).body.data
}
const entryOf = async (answer: { headers: Record<string, unknown> }, where = org): Promise<Json> =>
  (await read('', where)).find((entry) => entry.request_id === answer.headers['x-request-id'])

describe('200', () => {
  it('an entry says who did what, when, with which credential and from where', async () => {
    const key = (await t.call('POST', keys, { as: org.admin.token, body: { name: 'by token' } })).body.data
    const headers = {
      'user-agent': 'robot/1.0',
      'x-request-id': 'my-own-id',
      'x-forwarded-for': '203.0.113.7',
    }
    const made = await t.call('POST', keys, { as: key.api_key, headers, body: { name: 'by key' } })
    expect(await entryOf(made)).toEqual({
      audit_id: expect.any(String),
      org_id: org.orgId,
      user_id: org.admin.userId,
      user_name: 'Pat Person',
      credential: 'api_key',
      api_key_id: key.api_key_id,
      action: 'api-key.create',
      resource_type: 'api-key',
      resource_id: made.body.data.api_key_id,
      before: null,
      after: expect.objectContaining({ name: 'by key', status: 'active' }),
      ip: '127.0.0.1',
      user_agent: 'robot/1.0',
      request_id: 'my-own-id',
      created_at: expect.any(String),
    })
  })

  it('is filtered by time: from is included, to is not', async () => {
    const other = await openOrganization(t)
    for (const name of ['first', 'second'])
      await t.call('POST', keys, { as: other.admin.token, body: { name } })
    const [newest, older] = await read('', other)
    expect(newest.created_at >= older.created_at).toBe(true)
    await t.owner.query(
      `update audit_log set created_at = created_at - interval '1 hour' where audit_id = $1`,
      [older.audit_id],
    )
    expect((await read(`from=${newest.created_at}`, other)).map(({ audit_id }) => audit_id)).toEqual([
      newest.audit_id,
    ])
    const before = await read(`to=${newest.created_at}`, other)
    expect(before.map(({ audit_id }) => audit_id)).toContain(older.audit_id)
    expect(before.map(({ audit_id }) => audit_id)).not.toContain(newest.audit_id)
  })

  it('names nobody who has left', async () => {
    const person = await addPerson(t, org.orgId, 'staff')
    const made = await t.call('POST', '/v1/beneficiaries', {
      as: person.token,
      body: { account_type: 'wallet', country: 'NG', currency: 'NGN', fname: 'A', lname: 'B' },
    })
    expect((await entryOf(made)).user_name).toBe('Pat Person')
    await t.owner.query('delete from members where org_id = $1 and user_id = $2', [org.orgId, person.userId])
    expect(await entryOf(made)).toMatchObject({ user_id: person.userId, user_name: null })
  })

  it('an update has before and after, an addition only after, a removal only before', async () => {
    const members = `/v1/organizations/${org.orgId}/members`
    const body = { ...personBody(), role: 'viewer' }
    const path = `${members}/${body.user_id}`
    const added = await entryOf(await t.call('POST', members, { as: org.admin.token, body }))
    expect(added).toMatchObject({
      action: 'member.add',
      before: null,
      after: { role: 'viewer' },
      credential: 'jwt',
      api_key_id: null,
    })
    const changed = await entryOf(
      await t.call('PATCH', path, { as: org.admin.token, body: { role: 'staff' } }),
    )
    expect(changed).toMatchObject({
      action: 'member.update',
      before: { role: 'viewer' },
      after: { role: 'staff' },
    })
    const removed = await entryOf(await t.call('DELETE', path, { as: org.admin.token }))
    expect(removed).toMatchObject({ action: 'member.remove', before: { role: 'staff' }, after: null })
  })

  it('the operator’s actions in an organisation are in its log', async () => {
    const path = `/v1/organizations/${org.orgId}`
    const changed = await t.call('PATCH', path, { as: operator, body: { features: ['escrow'] } })
    const entry = await entryOf(changed)
    expect(entry).toMatchObject({
      action: 'organization.update',
      user_id: t.seed.platformAdmin.user_id,
      before: { features: [] },
      after: { features: ['escrow'] },
    })
    await t.call('PATCH', path, { as: operator, body: { features: [] } })
  })

  it('the log is newest first and can be paged', async () => {
    const where = await openOrganization(t)
    for (const name of ['one', 'two', 'three'])
      await t.call('POST', keys, { as: where.admin.token, body: { name } })
    const seen: string[] = []
    let query = ''
    let lastKey: string | null = ''
    for (let page = 0; page < 5; page++) {
      expect(lastKey).not.toBeNull()
      const { body } = await t.call('GET', `${logOf(where.orgId)}?limit=1${query}`, { as: where.admin.token })
      seen.push(body.data[0].after.name ?? body.data[0].action)
      expect(body.meta.count).toBe(1)
      lastKey = body.meta.lastEvaluatedKey
      query = `&lastEvaluatedKey=${lastKey}`
    }
    expect(lastKey).toBeNull()
    expect(seen.slice(0, 3)).toEqual(['three', 'two', 'one'])
  })

  it('filters by person, action and resource, alone and together', async () => {
    const where = await openOrganization(t)
    const other = await addPerson(t, where.orgId, 'org-admin')
    const mine = (await t.call('POST', keys, { as: where.admin.token, body: { name: 'mine' } })).body.data
    await t.call('POST', keys, { as: other.token, body: { name: 'theirs' } })
    await t.call('DELETE', `${keys}/${mine.api_key_id}`, { as: other.token })
    const actions = async (query: string): Promise<string[]> =>
      (await read(query, where)).map((entry) => entry.action)
    expect(await actions(`user_id=${other.userId}`)).toEqual(['api-key.revoke', 'api-key.create'])
    expect(await actions('action=api-key.create')).toEqual(['api-key.create', 'api-key.create'])
    expect(await actions('resource_type=organization')).toEqual(['organization.create'])
    expect(await actions(`resource_id=${mine.api_key_id}`)).toEqual(['api-key.revoke', 'api-key.create'])
    expect(await actions(`resource_id=${mine.api_key_id}&user_id=${other.userId}`)).toEqual([
      'api-key.revoke',
    ])
    expect(await actions('action=nothing.like-it')).toEqual([])
    expect(await actions(`user_id=${encodeURIComponent(`' or '1'='1`)}`)).toEqual([])
  })

  it('a write that is refused and a read leave no entry', async () => {
    const before = (await read()).length
    await t.call('POST', keys, { as: org.admin.token, body: { name: 'x', scopes: ['platform:write'] } })
    await t.call('DELETE', `/v1/organizations/${org.orgId}/members/${org.admin.userId}`, { as: operator })
    await t.call('GET', keys, { as: org.admin.token })
    expect(await read()).toHaveLength(before)
  })

  it('a very long user agent is truncated', async () => {
    const headers = { 'user-agent': 'x'.repeat(2000) }
    const made = await t.call('POST', keys, { as: org.admin.token, headers, body: { name: 'long agent' } })
    expect((await entryOf(made)).user_agent).toBe('x'.repeat(500))
  })

  it('the log contains no secrets and no hashes', async () => {
    const headers = { 'idempotency-key': 'audit-1' }
    const key = (await t.call('POST', keys, { as: org.admin.token, headers, body: { name: 'secret' } })).body
      .data
    const rotated = (await t.call('POST', `${keys}/${key.api_key_id}/rotate`, { as: key.api_key, body: {} }))
      .body.data
    await t.call('DELETE', `${keys}/${rotated.api_key_id}`, { as: rotated.api_key })
    const { rows: hashes } = await t.owner.query<{ key_hash: Buffer }>('select key_hash from api_keys')
    const { rows } = await t.owner.query<{ text: string }>('select audit_log::text as text from audit_log')
    const log = rows.map((row) => row.text).join('\n')
    expect(hashes.length).toBeGreaterThan(5)
    for (const { key_hash: hash } of hashes)
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(log).not.toContain(hash.toString(encoding))
    const secrets = [
      key.api_key,
      rotated.api_key,
      operator,
      ...t.seed.orgs.flatMap((one) => one.members.map((member) => member.api_key)),
    ]
    for (const secret of secrets) expect(log).not.toContain(secret.slice(12))
    expect(log).not.toContain('eyJ') // the start of every JWT
  })
})

describe('400', () => {
  it.each([
    'limit=0',
    'lastEvaluatedKey=x',
    'action=%00',
    `action=${'x'.repeat(101)}`,
    'user_id=',
    'user_id=%E6%BC%A2',
    'from=yesterday',
    'to=1',
  ])('a log with %.30s', async (query) => {
    expect((await t.call('GET', `${logOf(org.orgId)}?${query}`, { as: org.admin.token })).status).toBe(400)
  })

  it('a cursor with different filters', async () => {
    const first = await t.call('GET', `${logOf(org.orgId)}?limit=1&action=api-key.create`, {
      as: org.admin.token,
    })
    const cursor = first.body.meta.lastEvaluatedKey
    const status = async (query: string): Promise<number> =>
      (
        await t.call('GET', `${logOf(org.orgId)}?limit=1&lastEvaluatedKey=${cursor}${query}`, {
          as: org.admin.token,
        })
      ).status
    expect(await status('&action=api-key.create')).toBe(200)
    expect(await status('&action=api-key.revoke')).toBe(400)
    expect(await status('')).toBe(400)
    expect(await status('&action=api-key.create&resource_type=api-key')).toBe(400)
  })
})

describe('401', () => {
  it('the log without a credential', async () => {
    expect((await t.call('GET', logOf(org.orgId))).status).toBe(401)
  })
})

describe('403', () => {
  it('staff and viewers may not read the log', async () => {
    const [seeded] = t.seed.orgs
    for (const role of ['staff', 'viewer'])
      expect(
        (await t.call('GET', logOf(seeded?.org_id ?? ''), { as: memberOf(seeded, role).api_key })).status,
      ).toBe(403)
  })

  it('the log of another organisation is out of reach', async () => {
    expect((await t.call('GET', logOf(t.seed.orgs[0]?.org_id ?? ''), { as: org.admin.token })).status).toBe(
      403,
    )
  })
})
