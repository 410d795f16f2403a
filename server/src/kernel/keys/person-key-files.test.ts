import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { createVault, type Vault } from '../db/vault.ts'
import { newId } from '../../lib/ids.ts'
import { createPersonKeysDir } from '../../../test/app/person-keys.ts'
import { useDatabase } from '../../../test/app/test-database.ts'
import { keyServiceOf } from '../../../test/app/test-keys.ts'
import { createPersonKeyFiles } from './person-key-files.ts'

const t = useDatabase()
const service = keyServiceOf(Buffer.alloc(32, 1))
let directory: string
let orgId: string
const start = (adoptionMs = 0): Vault =>
  createVault(t.db, service, createPersonKeyFiles(directory, adoptionMs))
const seal = (vault: Vault, name: string) => vault.seal(orgId, `payment ${name}`, { name }, `payment ${name}`)
const open = (vault: Vault, name: string, sealed: Buffer) => vault.open(orgId, `payment ${name}`, sealed)

const directories: string[] = []
beforeEach(() => {
  orgId = newId()
  directory = createPersonKeysDir()
  directories.push(directory)
})
afterAll(async () => {
  for (const one of directories) await rm(one, { recursive: true })
})

describe('the keys of people', () => {
  it('open what any process has sealed, until one of them destroys them', async () => {
    const [one, other] = [start(), start()]
    const [ann, bob] = [await seal(one, 'Ann'), await seal(other, 'Bob')]
    expect([await open(other, 'Ann', ann), await open(one, 'Bob', bob)]).toEqual([
      { name: 'Ann' },
      { name: 'Bob' },
    ])
    await one.erase(orgId, ['payment Ann'])
    const restarted = start()
    for (const vault of [one, restarted]) await expect(open(vault, 'Ann', ann)).rejects.toThrow('erased')
    for (const vault of [one, other, restarted])
      expect(await open(vault, 'Bob', bob)).toEqual({ name: 'Bob' })
    await expect
      .poll(() => open(other, 'Ann', ann).catch((error: Error) => error.message), { timeout: defaultWaitMs })
      .toBe('the person was erased')
  })

  it('stay the same when the data key is rotated, so that what is sealed again can still be erased', async () => {
    const vault = start()
    const [ann, bob] = [await seal(vault, 'Ann'), await seal(vault, 'Bob')]
    await vault.rotate(orgId)
    const again = await vault.reseal(orgId, ann, { context: 'payment Ann', isPersonal: true })
    expect(again).toBeDefined()
    expect(
      await vault.reseal(orgId, again ?? ann, { context: 'payment Ann', isPersonal: true }),
    ).toBeUndefined()
    await vault.erase(orgId, ['payment Ann', 'payment Bob'])
    for (const sealed of [ann, again ?? ann])
      await expect(open(vault, 'Ann', sealed)).rejects.toThrow('erased')
    expect(await vault.reseal(orgId, bob, { context: 'payment Bob', isPersonal: true })).toBeUndefined()
  })

  it('come to what was sealed before there were any, when the data key is rotated', async () => {
    const before = createVault(t.db, service)
    const ann = await seal(before, 'Ann')
    const vault = start()
    await vault.rotate(orgId)
    const again = await vault.reseal(orgId, ann, { context: 'payment Ann', isPersonal: true })
    await vault.erase(orgId, ['payment Ann'])
    await expect(open(vault, 'Ann', again ?? ann)).rejects.toThrow('erased')
  })

  it('are not used before every process has had time to hear of them', async () => {
    directory = await mkdtemp(join(tmpdir(), 'switchyard-person-keys-'))
    directories.push(directory)
    const early = start(60_000)
    expect(await early.canErase()).toBe(false)
    const ann = await seal(early, 'Ann')
    expect(await open(createVault(t.db, service), 'Ann', ann)).toEqual({ name: 'Ann' })
    expect(await readdir(directory)).toEqual(['first-use'])
    expect(await start().canErase()).toBe(true)
  })

  it('that a process does not have, or cannot read, are an outage and no erasure', async () => {
    const bob = await seal(start(), 'Bob')
    await expect(open(createVault(t.db, service), 'Bob', bob)).rejects.toMatchObject({ status: 503 })
    const files = (await readdir(directory)).filter((name) => name !== 'first-use')
    for (const name of files) await truncate(join(directory, name), 40)
    await expect(open(start(), 'Bob', bob)).rejects.toMatchObject({ status: 503 })
    for (const name of files) await rm(join(directory, name))
    await expect(open(start(), 'Bob', bob)).rejects.toMatchObject({ status: 503 })
  })

  it('are not needed for secrets of the organisation', async () => {
    const sealed = await start().seal(orgId, 'webhook', 'secret')
    expect(await createVault(t.db, service).open(orgId, 'webhook', sealed)).toBe('secret')
  })

  it('leave nothing behind in their directory when they are replaced', async () => {
    const vault = start()
    await seal(vault, 'Ann')
    const [name = ''] = (await readdir(directory)).filter((file) => file !== 'first-use')
    const before = await readFile(join(directory, name))
    await vault.erase(orgId, ['payment Ann'])
    expect((await readdir(directory)).toSorted()).toEqual([name, 'first-use'].toSorted())
    const root = before.subarray(-73, -32).subarray(9)
    expect((await readFile(join(directory, name))).includes(root)).toBe(false)
  })
})
