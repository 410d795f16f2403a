import { beforeEach, describe, expect, it } from 'vitest'
import { keysPerMember } from '../../domains/people/api-keys/rules.ts'
import { openOrganization, type OpenedOrganization } from '../../../test/app/people.ts'
import { useApp, type CallAnswer, type Json } from '../../../test/app/test-app.ts'

const keys = '/v1/public/api-keys'
const orgBurst = 30
const t = useApp()
let org: OpenedOrganization
beforeEach(async () => {
  org = await openOrganization(t)
})

const create = (body: object, as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', keys, { as, body: { name: 'key', ...body } })
const created = async (body: object = {}, as = org.admin.token): Promise<Json> =>
  (await create(body, as)).body.data
const rotate = (key: Json, body: object, as = org.admin.token): Promise<CallAnswer> =>
  t.call('POST', `${keys}/${key.api_key_id}/rotate`, { as, body })
const revoke = (key: Json): Promise<CallAnswer> =>
  t.call('DELETE', `${keys}/${key.api_key_id}`, { as: org.admin.token })
const worksAs = async (key: Json): Promise<number> =>
  (await t.call('GET', '/v1/users/me', { as: key.api_key })).status
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

describe('whoever has stolen a key that expires', () => {
  it('cannot make one that outlives it', async () => {
    const expires_at = inMinutes(5)
    const stolen = await created({ expires_at })
    expect((await create({ expires_at: inMinutes(6) }, stolen.api_key)).status).toBe(403)
    expect((await created({}, stolen.api_key)).expires_at).toBe(expires_at)
    expect((await create({ expires_at: inMinutes(4) }, stolen.api_key)).status).toBe(201)
  })

  it('cannot obtain one that outlives it by rotating another key of its owner', async () => {
    const stolen = await created({ expires_at: inMinutes(5) })
    for (const other of [await created(), await created({ expires_at: inMinutes(6) })]) {
      expect((await rotate(other, {}, stolen.api_key)).status).toBe(403)
      expect(await worksAs(other)).toBe(200)
    }
    const itself = await rotate(stolen, {}, stolen.api_key)
    expect(itself.body.data.expires_at).toBe(stolen.expires_at)
  })
})

describe('a revocation', () => {
  it('ends every key that was made with the key, and those made with these', async () => {
    const stolen = await created()
    const child = await created({}, stolen.api_key)
    const grandchild = await created({}, child.api_key)
    const rotated = (await rotate(grandchild, { overlap_seconds: 600 }, grandchild.api_key)).body.data
    const taken = (await rotate(await created({ scopes: ['users:read'] }), {}, child.api_key)).body.data
    const unrelated = await created()
    await revoke(stolen)
    for (const key of [stolen, child, grandchild, rotated, taken]) expect(await worksAs(key)).toBe(401)
    expect(await worksAs(unrelated)).toBe(200)
  })

  it('reaches the keys of a key that has been rotated since', async () => {
    const first = await created()
    const child = await created({}, first.api_key)
    const second = (await rotate(first, {})).body.data
    expect(await worksAs(child)).toBe(200)
    await revoke(second)
    expect(await worksAs(child)).toBe(401)
  })

  it('reaches a key that is being made at the same moment', async () => {
    const stolen = await created()
    const [made] = await Promise.all([create({}, stolen.api_key), revoke(stolen)])
    expect([201, 401, 409]).toContain(made.status)
    expect(made.status === 201 ? await worksAs(made.body.data) : 401).toBe(401)
  })
})

describe('a member', () => {
  it('has a limited number of keys, also under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: keysPerMember + 10 }, () => create({})))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(keysPerMember)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
    const kept = answers.find(({ status }) => status === 201)?.body.data
    expect((await rotate(kept, { overlap_seconds: 60 })).status).toBe(409)
    const replaced = await rotate(kept, {})
    expect(replaced.status).toBe(201)
    await revoke(replaced.body.data)
    expect((await create({})).status).toBe(201)
  })
})

describe('with many keys', () => {
  const limited = useApp({
    clock: { now: () => new Date('2026-03-01T00:00:00Z') },
    env: {
      RATE_LIMIT_PER_SECOND: '10',
      RATE_LIMIT_BURST: '20',
      ORG_RATE_LIMIT_PER_SECOND: '15',
      ORG_RATE_LIMIT_BURST: String(orgBurst),
    },
  })

  it('an organisation has one limit for all its credentials, and another organisation has its own', async () => {
    const [first, second] = limited.seed.orgs
    const spend = async (org: typeof first): Promise<number> => {
      let passed = 0
      for (const { api_key } of org?.members ?? [])
        for (let request = 0; request < 20; request++)
          if ((await limited.call('GET', '/v1/users/me', { as: api_key })).status === 200) passed++
      return passed
    }
    expect(await spend(first)).toBe(orgBurst)
    expect(await spend(second)).toBe(orgBurst)
  })
})
