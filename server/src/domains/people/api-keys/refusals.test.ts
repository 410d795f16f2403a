import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../../test/app/people.ts'
import { memberOf, useApp, type CallAnswer, type Json } from '../../../../test/app/test-app.ts'

const keys = '/v1/public/api-keys'
const t = useApp()
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
})

const create = (body: object, as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', keys, { as, body: { name: 'key', ...body } })
const created = async (body: object = {}, as = org.admin.token): Promise<Json> =>
  (await create(body, as)).body.data
const rotate = (id: string, body: object = {}, as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', `${keys}/${id}/rotate`, { as, body })

describe('400', () => {
  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['a blank name', { name: '  ' }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['no scope in the list', { scopes: [] }],
    ['an unknown scope', { scopes: ['payments:*'] }],
    ['scopes that are no list', { scopes: 'users:read' }],
    ['an end that is over', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an end without a zone', { expires_at: '2099-01-01T00:00:00' }],
    ['an end that is no time', { expires_at: 'tomorrow' }],
    ['an end in a year that no calendar has', { expires_at: '2099-13-01T00:00:00Z' }],
  ])('a key with %s', async (_what, body) => {
    expect((await create(body)).status).toBe(400)
  })

  it.each([-1, 0.5, 7 * 24 * 3600 + 1, '60', null])('an overlap of %j seconds', async (overlap) => {
    const key = await created()
    expect((await rotate(key.api_key_id, { overlap_seconds: overlap })).status).toBe(400)
  })

  it.each(['limit=0', 'limit=101', 'org_id=x', 'last_evaluated_key=x'])('a list with %s', async (query) => {
    expect((await t.call('GET', `${keys}?${query}`, { as: org.admin.token })).status).toBe(400)
  })
})

describe('401', () => {
  it('listing and creating keys need a credential', async () => {
    expect((await t.call('GET', keys)).status).toBe(401)
    expect((await t.call('POST', keys, { body: { name: 'x' } })).status).toBe(401)
  })
})

describe('403', () => {
  it('nobody can create a key that exceeds their own permissions', async () => {
    expect((await create({ scopes: ['platform:read'] })).status).toBe(403)
    const narrow = await created({ scopes: ['api-keys:write'] })
    expect((await create({ scopes: ['api-keys:write', 'users:read'] }, narrow.api_key)).status).toBe(403)
  })

  it('a scoped key cannot obtain a wider one of its owner by rotation', async () => {
    const wide = await created()
    const wider = await created({ scopes: ['api-keys:write', 'members:write'] })
    const narrow = await created({ scopes: ['api-keys:write'] })
    for (const key of [wide, wider]) {
      expect((await rotate(key.api_key_id, {}, narrow.api_key)).status).toBe(403)
      expect((await t.call('GET', '/v1/users/me', { as: key.api_key })).status).toBe(200)
    }
    expect((await rotate(narrow.api_key_id, {}, wide.api_key)).status).toBe(201)
  })

  it('only its owner may rotate a key, because it acts as its owner', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const key = await created({}, other.token)
    expect((await rotate(key.api_key_id)).status).toBe(403)
  })

  it('staff may list but not create keys; viewers may do neither', async () => {
    const staff = memberOf(t.seed.orgs[0], 'staff').api_key
    const viewer = memberOf(t.seed.orgs[0], 'viewer').api_key
    expect((await create({}, staff)).status).toBe(403)
    expect((await t.call('GET', keys, { as: viewer })).status).toBe(403)
  })

  it('keys of another organisation are out of reach', async () => {
    const path = `${keys}?org_id=${t.seed.orgs[0]?.org_id}`
    expect((await t.call('GET', path, { as: org.admin.token })).status).toBe(403)
  })
})

describe('404', () => {
  it('an invalid id', async () => {
    expect((await t.call('DELETE', `${keys}/x`, { as: org.admin.token })).status).toBe(404)
    expect((await rotate('x')).status).toBe(404)
  })

  it('an unknown key, or another organisation’s', async () => {
    const other = await openOrganization(t)
    const { api_key_id: foreign } = await created({}, other.admin.token)
    for (const id of [newId(), foreign]) {
      expect((await rotate(id)).status).toBe(404)
      expect((await t.call('DELETE', `${keys}/${id}`, { as: org.admin.token })).status).toBe(404)
    }
  })
})

describe('409', () => {
  it('a revoked, expired or replaced key cannot be rotated', async () => {
    const [revoked, expired, replaced] = [await created(), await created(), await created()]
    await t.call('DELETE', `${keys}/${revoked.api_key_id}`, { as: org.admin.token })
    await t.owner.query('update api_keys set expires_at = now() where api_key_id = $1', [expired.api_key_id])
    await rotate(replaced.api_key_id, { overlap_seconds: 60 })
    for (const key of [revoked, expired, replaced]) expect((await rotate(key.api_key_id)).status).toBe(409)
  })

  it('of two concurrent rotations of a key one succeeds', async () => {
    const key = await created({ name: 'contended' })
    const answers = await Promise.all([1, 2, 3].map(() => rotate(key.api_key_id, { overlap_seconds: 60 })))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const { rows } = await t.owner.query(`select from api_keys where name = 'contended'`)
    expect(rows).toHaveLength(2)
  })
})
