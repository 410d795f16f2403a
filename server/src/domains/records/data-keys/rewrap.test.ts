import { beforeEach, describe, expect, it } from 'vitest'
import { createVault, type Vault } from '../../../kernel/db/vault.ts'
import type { KeyService } from '../../../lib/crypto/key-service.ts'
import { newId } from '../../../lib/ids.ts'
import { createLog } from '../../../lib/log.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import { keyServiceOf } from '../../../../test/app/test-keys.ts'
import { rewrapDataKeys, type RewrapDeps } from './rewrap-data-keys.ts'

const t = useDatabase()
const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const [before, both, after] = [keyServiceOf(oldKey), keyServiceOf(newKey, oldKey), keyServiceOf(newKey)]
const keyCount = 250
let orgs: string[]
let sealed: Map<string, Buffer>

const depsOf = (service: KeyService): RewrapDeps => ({
  db: t.db,
  log: createLog('silent'),
  keys: { service, rewrapStable: () => Promise.resolve() },
})
const wrappedBy = async (id: string): Promise<number> =>
  Number((await t.owner.query('select from data_keys where wrapped_by = $1', [id])).rowCount)

async function opens(vault: Vault): Promise<boolean> {
  for (const orgId of orgs)
    if ((await vault.open(orgId, 'sample', sealed.get(orgId) ?? Buffer.alloc(0))) !== orgId) return false
  return true
}

beforeEach(async () => {
  await t.owner.query('truncate data_keys, audit_log')
  orgs = Array.from({ length: keyCount }, newId)
  const vault = createVault(t.db, before)
  sealed = new Map(
    await Promise.all(
      orgs.map(async (orgId): Promise<[string, Buffer]> => [orgId, await vault.seal(orgId, 'sample', orgId)]),
    ),
  )
})

/** Ends the work as a kill would: after some keys, with whatever is committed. */
const dyingAfter = (service: KeyService, wraps: number): KeyService => {
  let done = 0
  return {
    ...service,
    async wrap(key, context) {
      if (done++ === wraps) throw new Error('killed')
      return service.wrap(key, context)
    },
  }
}

describe('wrapping again', () => {
  it('that ends in the middle leaves every value readable, and is finished by the next run', async () => {
    await expect(rewrapDataKeys(depsOf(dyingAfter(both, 120)))).rejects.toThrow('killed')
    expect(await wrappedBy(after.currentId)).toBe(120)
    expect(await opens(createVault(t.db, both))).toBe(true)
    expect(await rewrapDataKeys(depsOf(both))).toBe(keyCount - 120)
    expect(await opens(createVault(t.db, after))).toBe(true)
  })

  it('by three workers at once changes each key once', async () => {
    await Promise.all([depsOf(both), depsOf(both), depsOf(both)].map(rewrapDataKeys))
    expect(await wrappedBy(after.currentId)).toBe(keyCount)
    const { rowCount } = await t.owner.query(`select from audit_log where action = 'data-key.rewrap'`)
    expect(rowCount).toBe(keyCount)
    expect(await opens(createVault(t.db, after))).toBe(true)
  })

  it('leaves a key alone that none of its keys opens, and goes on with the others', async () => {
    const foreign = orgs[7] ?? ''
    await t.owner.query('update data_keys set wrapped_by = $1 where org_id = $2', ['unknown', foreign])
    expect(await rewrapDataKeys(depsOf(both))).toBe(keyCount - 1)
    expect(await wrappedBy('unknown')).toBe(1)
  })

  it('changes nothing while there was no rotation', async () => {
    expect(await rewrapDataKeys(depsOf(before))).toBe(0)
    expect(await opens(createVault(t.db, before))).toBe(true)
    expect(await rewrapDataKeys(depsOf(both))).toBe(keyCount)
  })
})
