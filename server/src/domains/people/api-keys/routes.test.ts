import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../../test/app/people.ts'
import { memberOf, useApp, type CallAnswer, type Json } from '../../../../test/app/test-app.ts'
import { keyHash } from './rules.ts'

const keys = '/v1/public/api-keys'
const secondMs = 1000
let offsetMs = 0
const clock = { now: () => new Date(Date.now() + offsetMs) }

const t = useApp({ clock })
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
})

const create = (body: object = {}, as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', keys, { as, body: { name: 'key', ...body } })
const created = async (body: object = {}, as = org.admin.token): Promise<Json> =>
  (await create(body, as)).body.data
const rotate = (id: string, body: object | undefined, as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', `${keys}/${id}/rotate`, { as, ...(body && { body }) })
const revoke = (id: string, as = org.admin.token): Promise<CallAnswer> =>
  t.call('DELETE', `${keys}/${id}`, { as })
const worksAs = async (key: string): Promise<number> =>
  (await t.call('GET', '/v1/users/me', { as: key })).status
const inSeconds = (seconds: number): string =>
  new Date(clock.now().getTime() + seconds * secondMs).toISOString()

async function listed(id: string): Promise<Json> {
  const { body } = await t.call('GET', `${keys}?limit=100`, { as: org.admin.token })
  return body.data.find((key: Json) => key.api_key_id === id)
}

/** Advances the clock for the callback and resets it. */
async function later(seconds: number, look: () => Promise<void>): Promise<void> {
  offsetMs += seconds * secondMs
  try {
    await look()
  } finally {
    offsetMs -= seconds * secondMs
  }
}

describe('200', () => {
  it('a list has the fields of the specification and counts', async () => {
    const { orgId, admin } = await openOrganization(t)
    const first = await created({ name: 'first' }, admin.token)
    await created({ name: 'second' }, admin.token)
    const { body } = await t.call('GET', keys, { as: admin.token })
    expect(body).toMatchObject({ status: 'success', message: expect.any(String) })
    expect(body.meta).toEqual({ count: 2, total_count: 2, last_evaluated_key: null, has_more: false })
    expect(body.data.map((key: Json) => key.name)).toEqual(['second', 'first'])
    expect(body.data[1]).toEqual({
      api_key_id: first.api_key_id,
      prefix: first.api_key.slice(0, 12),
      name: 'first',
      org_id: orgId,
      user_id: admin.userId,
      status: 'active',
      scopes: null,
      allowed_ips: null,
      expires_at: null,
      last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  it('pages have the total and has_more, and repeat nothing', async () => {
    const { admin } = await openOrganization(t)
    for (let count = 0; count < 5; count++) await created({ name: `key ${count}` }, admin.token)
    const seen: string[] = []
    let query = '?limit=2'
    for (const expected of [
      { count: 2, has_more: true },
      { count: 2, has_more: true },
      { count: 1, has_more: false },
    ]) {
      const { body } = await t.call('GET', `${keys}${query}`, { as: admin.token })
      expect(body.meta).toMatchObject({ ...expected, total_count: 5 })
      expect(body.meta.last_evaluated_key === null).toBe(!expected.has_more)
      seen.push(...body.data.map((key: Json) => key.name))
      query = `?limit=2&last_evaluated_key=${body.meta.last_evaluated_key}`
    }
    expect(seen).toEqual(['key 4', 'key 3', 'key 2', 'key 1', 'key 0'])
  })

  it('a list is empty where there are none', async () => {
    const { admin } = await openOrganization(t)
    const { body } = await t.call('GET', keys, { as: admin.token })
    expect(body).toMatchObject({
      data: [],
      meta: { count: 0, total_count: 0, last_evaluated_key: null, has_more: false },
    })
  })

  it('a caller may name their own organisation, and the operator any', async () => {
    const key = await created()
    for (const credential of [org.admin.token, t.seed.platformAdmin.api_key]) {
      const { body } = await t.call('GET', `${keys}?org_id=${org.orgId}&limit=100`, { as: credential })
      expect(body.data.map((one: Json) => one.api_key_id)).toContain(key.api_key_id)
    }
  })

  it('staff see the keys of the organisation', async () => {
    expect((await t.call('GET', keys, { as: memberOf(t.seed.orgs[0], 'staff').api_key })).status).toBe(200)
  })

  it('a key goes from active to expiring, expired or revoked', async () => {
    const [plain, timed, replaced, revoked] = [
      await created(),
      await created({ expires_at: inSeconds(60) }),
      await created(),
      await created(),
    ]
    await rotate(replaced.api_key_id, { overlap_seconds: 120 })
    await revoke(revoked.api_key_id)
    const statuses = async () => {
      const found: string[] = []
      for (const key of [plain, timed, replaced, revoked]) found.push((await listed(key.api_key_id)).status)
      return found
    }
    expect(await statuses()).toEqual(['active', 'active', 'expiring', 'revoked'])
    await later(61, async () =>
      expect(await statuses()).toEqual(['active', 'expired', 'expiring', 'revoked']),
    )
    await later(121, async () =>
      expect(await statuses()).toEqual(['active', 'expired', 'expired', 'revoked']),
    )
  })
})

describe('201', () => {
  it('a new key is shown once, works immediately, and is stored only as a peppered hash', async () => {
    const { status, body } = await create({ name: '  Billing ' })
    expect(status).toBe(201)
    const { api_key: key, ...view } = body.data
    expect(view).toMatchObject({ name: 'Billing', status: 'active', prefix: key.slice(0, 12) })
    expect(await worksAs(key)).toBe(200)
    const list = await t.call('GET', `${keys}?limit=100`, { as: org.admin.token })
    const dump = await t.owner.query(
      `select string_agg(api_keys::text, ' ') || (select string_agg(audit_log::text, ' ') from audit_log) as text from api_keys`,
    )
    for (const text of [list.text, dump.rows[0].text]) expect(text).not.toContain(key.slice(12))
    const { rows } = await t.owner.query('select key_hash from api_keys where api_key_id = $1', [
      view.api_key_id,
    ])
    expect(rows[0].key_hash).toEqual(keyHash(t.deps.peppers.current, key))
    expect(list.text).not.toContain(rows[0].key_hash.toString('hex'))
  })

  it('scopes limit the key, and nothing lifts the limit', async () => {
    const key = await created({ scopes: ['api-keys:write', 'api-keys:read'] })
    expect(await worksAs(key.api_key)).toBe(200)
    expect((await t.call('GET', '/v1/users/list', { as: key.api_key })).status).toBe(403)
    const child = await created({ name: 'child' }, key.api_key)
    expect(child.scopes.sort()).toEqual(['api-keys:read', 'api-keys:write'])
  })

  it('a key has its owner’s current permissions, not those at its creation', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const key = await created({}, other.token)
    const list = () => t.call('GET', '/v1/users/list', { as: key.api_key })
    expect((await list()).status).toBe(200)
    await t.call('DELETE', `/v1/organizations/${org.orgId}/members/${other.userId}/permissions`, {
      as: org.admin.token,
      body: { permissions: ['users:read'] },
    })
    expect((await list()).status).toBe(403)
  })

  it('a key with an expiry works until then', async () => {
    const key = await created({ expires_at: inSeconds(60) })
    await later(59, async () => expect(await worksAs(key.api_key)).toBe(200))
    await later(61, async () => expect(await worksAs(key.api_key)).toBe(401))
  })

  it('rotation without overlap replaces the key immediately, with the same name, scopes and expiry', async () => {
    const end = inSeconds(3600)
    const old = await created({ name: 'rotating', scopes: ['users:read'], expires_at: end })
    const { status, body } = await rotate(old.api_key_id, undefined)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: 'rotating',
      scopes: ['users:read'],
      expires_at: end,
      status: 'active',
    })
    expect(body.data.api_key_id).not.toBe(old.api_key_id)
    expect([await worksAs(old.api_key), await worksAs(body.data.api_key)]).toEqual([401, 200])
  })

  it('rotation with overlap keeps the old key until the overlap ends', async () => {
    const old = await created()
    const { body } = await rotate(old.api_key_id, { overlap_seconds: 60 })
    expect([await worksAs(old.api_key), await worksAs(body.data.api_key)]).toEqual([200, 200])
    await later(59, async () => expect(await worksAs(old.api_key)).toBe(200))
    await later(61, async () => expect(await worksAs(old.api_key)).toBe(401))
  })

  it('an overlap never extends the expiry of the old key', async () => {
    const end = inSeconds(30)
    const old = await created({ expires_at: end })
    await rotate(old.api_key_id, { overlap_seconds: 3600 })
    expect((await listed(old.api_key_id)).expires_at).toBe(end)
  })

  it('a key may rotate itself, even with limited scopes', async () => {
    const old = await created({ scopes: ['api-keys:write'] })
    const { body } = await rotate(old.api_key_id, {}, old.api_key)
    expect(body.data.scopes).toEqual(['api-keys:write'])
  })

  it('the audit log shows a rotated key as it was before, and the new one', async () => {
    const old = await created()
    const { headers, body } = await rotate(old.api_key_id, {})
    const { rows } = await t.owner.query('select before, after from audit_log where request_id = $1', [
      headers['x-request-id'],
    ])
    expect(rows[0].before).toMatchObject({ api_key_id: old.api_key_id, status: 'active', expires_at: null })
    expect(rows[0].after).toMatchObject({ api_key_id: body.data.api_key_id, status: 'active' })
  })
})

describe('204', () => {
  it('revocation is immediate and permanent, and repeating it changes nothing', async () => {
    const key = await created()
    expect((await revoke(key.api_key_id)).status).toBe(204)
    expect(await worksAs(key.api_key)).toBe(401)
    const { updated_at: revokedAt } = await listed(key.api_key_id)
    const again = await t.call('DELETE', `${keys}/${key.api_key_id}`, {
      as: org.admin.token,
      unaudited: true,
    })
    expect(again.status).toBe(204)
    expect((await listed(key.api_key_id)).updated_at).toBe(revokedAt)
  })

  it('an org-admin revokes keys of other members', async () => {
    const other = await addPerson(t, org.orgId, 'org-admin')
    const key = await created({}, other.token)
    expect((await revoke(key.api_key_id)).status).toBe(204)
    expect(await worksAs(key.api_key)).toBe(401)
  })

  it('a key may revoke itself', async () => {
    const key = await created()
    expect((await revoke(key.api_key_id, key.api_key)).status).toBe(204)
    expect(await worksAs(key.api_key)).toBe(401)
  })
})
