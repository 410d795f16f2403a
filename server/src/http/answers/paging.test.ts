import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../test/app/people.ts'
import { useApp, type CallAnswer, type Json } from '../../../test/app/test-app.ts'

const t = useApp()
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
  await addPerson(t, org.orgId, 'viewer')
  for (const name of ['one', 'two']) await createKey(name)
})

const createKey = (name: string): Promise<CallAnswer> =>
  t.call('POST', '/v1/public/api-keys', { as: org.admin.token, body: { name } })

interface List {
  path: (orgId: string) => string
  cursor: 'lastEvaluatedKey' | 'last_evaluated_key'
  id: string
}
const lists: Record<string, List> = {
  members: {
    path: (orgId) => `/v1/organizations/${orgId}/members`,
    cursor: 'lastEvaluatedKey',
    id: 'user_id',
  },
  'audit log': {
    path: (orgId) => `/v1/organizations/${orgId}/audit-log`,
    cursor: 'lastEvaluatedKey',
    id: 'audit_id',
  },
  users: { path: () => '/v1/users/list', cursor: 'last_evaluated_key', id: 'user_id' },
  'API keys': { path: () => '/v1/public/api-keys', cursor: 'last_evaluated_key', id: 'api_key_id' },
}

const page = (list: List, limit: number, cursor: string | null, where = org): Promise<CallAnswer> => {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(cursor !== null && { [list.cursor]: cursor }),
  })
  return t.call('GET', `${list.path(where.orgId)}?${query.toString()}`, { as: where.admin.token })
}
const firstCursor = async (list: List, where = org): Promise<string> =>
  (await page(list, 1, null, where)).body.meta[list.cursor]

describe.each(Object.entries(lists))('a cursor of %s', (name, list) => {
  it('continues where the page ended', async () => {
    const first = (await page(list, 1, null)).body
    const second = await page(list, 1, first.meta[list.cursor])
    expect(second.status).toBe(200)
    expect(second.body.data[0][list.id]).not.toBe(first.data[0][list.id])
  })

  it('also stands at the top level, and is null on the last page', async () => {
    const first = (await page(list, 1, null)).body
    expect(first[list.cursor]).toBe(first.meta[list.cursor])
    expect(first[list.cursor]).toEqual(expect.any(String))
    const all = (await page(list, 100, null)).body
    expect([all.meta[list.cursor], all[list.cursor]]).toEqual([null, null])
  })

  it('is 400 if any byte is changed, or if it is truncated or extended', async () => {
    const cursor = await firstCursor(list)
    const bytes = Buffer.from(cursor, 'base64url')
    const changed = [0, 11, 12, 27, 28, bytes.length - 1].map((at) =>
      Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 0x10 : byte))).toString('base64url'),
    )
    const others = [
      cursor.slice(0, -1),
      cursor.slice(1),
      cursor.slice(0, 10),
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
    ]
    for (const broken of [
      ...changed,
      ...others,
      'null',
      '[]',
      btoa('{"created_at":"2026-01-01","id":"x"}'),
    ]) {
      const answer = await page(list, 1, broken)
      expect([broken, answer.status]).toEqual([broken, 400])
      expect(answer.body.message).toContain('cursor')
    }
  })

  it('is 400 in another organisation', async () => {
    const other = await openOrganization(t)
    expect((await page(list, 1, await firstCursor(list), other)).status).toBe(400)
  })

  it('is 400 on every other list', async () => {
    const cursor = await firstCursor(list)
    const others = Object.entries(lists).filter(([otherName]) => otherName !== name)
    for (const [otherName, other] of others)
      expect([otherName, (await page(other, 1, cursor)).status]).toEqual([otherName, 400])
  })

  it('is 400 twice in one request', async () => {
    const cursor = await firstCursor(list)
    const path = `${list.path(org.orgId)}?${list.cursor}=${cursor}&${list.cursor}=${cursor}`
    expect((await t.call('GET', path, { as: org.admin.token })).status).toBe(400)
  })
})

/** Reads all pages and runs a callback after each. */
async function walk(
  list: List,
  limit: number,
  where: OpenedOrganization,
  meanwhile: () => Promise<void>,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body }: CallAnswer = await page(list, limit, cursor, where)
    seen.push(...body.data.map((item: Json) => item[list.id]))
    cursor = body.meta[list.cursor]
    await meanwhile()
  } while (cursor !== null)
  return seen
}

const occurrences = (seen: string[], ids: string[]): number[] =>
  ids.map((id) => seen.filter((one) => one === id).length)

describe('a walk through all pages', () => {
  const insertKeys = async (where: OpenedOrganization, ids: string[], createdAt: string): Promise<void> => {
    await t.owner.query(
      `insert into api_keys (org_id, api_key_id, user_id, name, prefix, key_hash, pepper_id, created_at)
       select $1, id, $2, 'walk', 'x', '\\x00', 'x', $4 from unnest($3::uuid[]) id`,
      [where.orgId, where.admin.userId, ids, createdAt],
    )
  }
  const uuids = (count: number): string[] => Array.from({ length: count }, () => crypto.randomUUID())

  it('shows every row exactly once when many have the same timestamp', async () => {
    const where = await openOrganization(t)
    const ids = uuids(120)
    await insertKeys(where, ids, '2026-01-01T00:00:00.123Z')
    const seen = await walk(lists['API keys']!, 7, where, () => Promise.resolve())
    expect(seen).toEqual(ids.toSorted().toReversed())
  })

  it('shows every row exactly once while rows are added before, between and after', async () => {
    const where = await openOrganization(t)
    const ids = uuids(60)
    await insertKeys(where, ids, '2026-01-01T00:00:00.123Z')
    const seen = await walk(lists['API keys']!, 9, where, async () => {
      for (const moment of ['2025-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z', '2027-01-01T00:00:00Z'])
        await insertKeys(where, uuids(1), moment)
    })
    expect(occurrences(seen, ids)).toEqual(ids.map(() => 1))
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('continues after the last row of the previous page was deleted', async () => {
    const where = await openOrganization(t)
    const ids = uuids(10).toSorted().toReversed()
    await insertKeys(where, ids, '2026-01-01T00:00:00Z')
    const first = await page(lists['API keys']!, 4, null, where)
    await t.owner.query('delete from api_keys where api_key_id = $1', [ids[3]])
    const second = await page(lists['API keys']!, 4, first.body.meta.last_evaluated_key, where)
    expect(second.body.data.map((key: Json) => key.api_key_id)).toEqual(ids.slice(4, 8))
  })

  it('distinguishes timestamps that differ by one millisecond', async () => {
    const where = await openOrganization(t)
    const ids: string[] = []
    for (let ms = 100; ms < 120; ms++) {
      const [id] = uuids(1)
      ids.unshift(id!)
      await insertKeys(where, [id!], `2026-01-01T00:00:00.${ms}Z`)
    }
    expect(await walk(lists['API keys']!, 3, where, () => Promise.resolve())).toEqual(ids)
  })

  it.each(['members', 'users'])('of %s shows subjects with unusual characters exactly once', async (name) => {
    const where = await openOrganization(t)
    const ids = ['a', 'A', 'b', 'B', 'a-b', 'a b', 'ab', 'a|b', '0', '~', 'Z', 'z', '_', '"', '\\'].map(
      (id) => `${id}${newId()}`,
    )
    await t.owner.query(
      `insert into members (org_id, user_id, email, first_name, last_name, role, created_at)
       select $1, id, md5(id) || '@example.test', 'x', 'x', 'viewer', '2026-01-01T00:00:00Z' from unnest($2::text[]) id`,
      [where.orgId, ids],
    )
    const seen = await walk(lists[name]!, 2, where, () => Promise.resolve())
    expect(occurrences(seen, [...ids, where.admin.userId])).toEqual([...ids, 0].map(() => 1))
  })

  it('of organisations by the operator is not affected by new organisations', async () => {
    const list: List = { path: () => '/v1/organizations', cursor: 'lastEvaluatedKey', id: 'org_id' }
    const operator = {
      orgId: t.seed.platformAdmin.org_id,
      admin: { ...org.admin, token: t.seed.platformAdmin.api_key },
    }
    const { rows } = await t.owner.query<{ org_id: string }>('select org_id from organizations')
    const ids = rows.map((row) => row.org_id)
    const seen = await walk(list, 3, operator, async () => {
      await openOrganization(t)
    })
    expect(occurrences(seen, ids)).toEqual(ids.map(() => 1))
  })
})
