import { createPublicKey, type KeyObject } from 'node:crypto'
import { boundedMap } from '../../lib/flow/bounded-cache.ts'

const keysAgeLimitMs = 3_600_000
/** An unknown key id triggers another fetch, but not more often than this. */
const refetchAfterMs = 30_000
const sourcesLimit = 100

type Keys = ReadonlyMap<string, KeyObject>

interface KeySource {
  /** The provider's address. */
  readonly name: string
  readonly nowMs: number
  /** Undefined if the provider did not answer. */
  readonly fetch: () => Promise<readonly { id: string; key: string }[] | undefined>
}

export type KeyCache = (source: KeySource, keyId: string) => Promise<KeyObject | 'unknown' | 'unreachable'>

/** Public keys of providers: one cache for the process, because connectors live for seconds and keys for months. */
export function createKeyCache(): KeyCache {
  const entries = boundedMap<string, { fetchedAtMs: number; keys: Promise<Keys | undefined> }>(sourcesLimit)
  return async (source, keyId) => {
    const known = entries.get(source.name)
    const hasKey = (await known?.keys)?.has(keyId) === true
    const ageMs = known ? source.nowMs - known.fetchedAtMs : Infinity
    const isFresh = known && ageMs < (hasKey ? keysAgeLimitMs : refetchAfterMs)
    // Another call may have started a request during the lookup.
    const latest = entries.get(source.name)
    const usable = isFresh || latest !== known ? latest : undefined
    const entry = usable ?? { fetchedAtMs: source.nowMs, keys: readKeys(source) }
    entries.set(source.name, entry)
    const keys = await entry.keys
    return keys ? (keys.get(keyId) ?? 'unknown') : 'unreachable'
  }
}

async function readKeys({ fetch }: KeySource): Promise<Keys | undefined> {
  const listed = await fetch()
  return listed && new Map(listed.flatMap(({ id, key }) => readable(key).map((one) => [id, one])))
}

function readable(pem: string): KeyObject[] {
  try {
    return [createPublicKey(pem)]
  } catch {
    return []
  }
}
