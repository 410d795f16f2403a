import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../../test/app/test-app.ts'
import { connectDatabase, type Database } from './database.ts'

const t = useApp()
let orgA: string
let orgB: string
beforeAll(() => {
  orgA = t.seed.orgs[0]?.org_id ?? ''
  orgB = t.seed.orgs[1]?.org_id ?? ''
})

describe('inOrg', () => {
  let narrow: Database
  beforeAll(() => {
    narrow = connectDatabase({
      appUrl: t.config.DATABASE_APP_URL,
      systemUrl: t.config.DATABASE_SYSTEM_URL,
      poolSize: 1,
    })
  })
  afterAll(() => narrow.close())

  const orgsSeen = (db: Database, orgId: string): Promise<string[]> =>
    db.inOrg(orgId, async (tx) =>
      (await tx.db.selectFrom('members').select('org_id').distinct().execute()).map((row) => row.org_id),
    )

  it('refuses an id that is not a UUID, because it becomes part of a statement', () => {
    const uuid = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
    const attempts = [
      '',
      'x',
      `${uuid}'; drop table members; --`,
      `${uuid}\n`,
      ` ${uuid}`,
      uuid.toUpperCase(),
      `{${uuid}}`,
    ]
    for (const attempt of attempts)
      expect(() => t.deps.db.inOrg(attempt, () => Promise.resolve(1))).toThrow(TypeError)
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => t.deps.db.inOrg(text, () => Promise.resolve(1))).toThrow(TypeError)
      }),
    )
  })

  it('restricts each transaction to its own organisation, on one connection and on many at once', async () => {
    for (const orgId of [orgA, orgB, orgA]) expect(await orgsSeen(narrow, orgId)).toEqual([orgId])
    const orgIds = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? orgA : orgB))
    expect(await Promise.all(orgIds.map((orgId) => orgsSeen(t.deps.db, orgId)))).toEqual(
      orgIds.map((orgId) => [orgId]),
    )
  })

  it('leaves no scope behind when the work fails', async () => {
    const failing = narrow.inOrg(orgA, async (tx) => {
      await tx.db.selectFrom('members').select('org_id').execute()
      throw new Error('the work failed')
    })
    await expect(failing).rejects.toThrow('the work failed')
    expect(await orgsSeen(narrow, orgB)).toEqual([orgB])
  })
})
