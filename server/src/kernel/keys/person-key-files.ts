import { hash } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { boundedMap } from '../../lib/flow/bounded-cache.ts'
import { unavailable } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { PersonKeys } from '../../lib/crypto/person-keys.ts'
import {
  createPuncturableKey,
  deriveLeaf,
  isPuncturableKey,
  removeLeaf,
  type PuncturableKey,
} from '../../lib/crypto/puncturable-key.ts'

const keysInMemory = 1_000
/** How long a process derives from the keys in memory before it checks whether the file was replaced. */
const recheckMs = 1_000
const header = Buffer.from('switchyard person keys 1\n')
const checksumBytes = 32
const firstUseFile = 'first-use'

interface LoadedKeys {
  key: PuncturableKey
  /** A replaced file has another inode. */
  file: string
  checkedAtMs: number
}

/** Keeps the keys of each organisation in a file of a directory that all processes share and no backup contains. */
export function createPersonKeyFiles(directory: string, adoptionMs: number): PersonKeys {
  const loaded = boundedMap<string, LoadedKeys>(keysInMemory)
  const load = async (keysId: string): Promise<PuncturableKey> => {
    const known = loaded.get(keysId)
    if (known && Date.now() - known.checkedAtMs < recheckMs) return known.key
    const path = join(directory, keysId)
    try {
      const { ino, mtimeMs } = await stat(path)
      const file = `${ino} ${mtimeMs}`
      const key = known?.file === file ? known.key : unpack(await readFile(path))
      loaded.set(keysId, { key, file, checkedAtMs: Date.now() })
      return key
    } catch (error) {
      throw unavailable('The keys of personal data cannot be read at the moment. Try again.', error)
    }
  }
  return {
    isAdopted: async () => Date.now() - (await firstUseOf(directory)) >= adoptionMs,
    async create() {
      const keysId = newId()
      await writeDurably(directory, keysId, pack(createPuncturableKey()))
      return keysId
    },
    find: async (keysId, leaf) => deriveLeaf(await load(keysId), leaf),
    async destroy(keysId, leaves) {
      loaded.delete(keysId)
      const before = await load(keysId)
      const after = leaves.reduce(removeLeaf, before)
      if (after !== before) await writeDurably(directory, keysId, pack(after))
      loaded.delete(keysId)
    },
  }
}

/** When the first process used the directory, by the clock of the file system. */
async function firstUseOf(directory: string): Promise<number> {
  const path = join(directory, firstUseFile)
  const found = await stat(path).catch(() => undefined)
  if (found) return found.mtimeMs
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const own = join(directory, `${firstUseFile}.${newId()}`)
  await (await open(own, 'wx', 0o600)).close()
  // Fails if another process was first, whose file then counts.
  await link(own, path).catch(() => undefined)
  await rm(own)
  return (await stat(path)).mtimeMs
}

const pack = (key: PuncturableKey): Buffer => {
  const content = Buffer.concat([header, key])
  return Buffer.concat([content, hash('sha256', content, 'buffer')])
}

function unpack(file: Buffer): PuncturableKey {
  const content = file.subarray(0, -checksumBytes)
  const key = content.subarray(header.length)
  const isWhole =
    content.subarray(0, header.length).equals(header) &&
    hash('sha256', content, 'buffer').equals(file.subarray(-checksumBytes)) &&
    isPuncturableKey(key)
  if (!isWhole) throw new Error('a file of person keys is damaged')
  return key
}

/** The file is either the old or the new one, whenever the machine stops; when this returns, it is the new one. */
async function writeDurably(directory: string, name: string, content: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const part = join(directory, `${name}.${newId()}.part`)
  try {
    const file = await open(part, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, join(directory, name))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  const parent = await open(directory, 'r')
  await parent.sync()
  await parent.close()
}
