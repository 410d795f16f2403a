import type { Database } from '../../../kernel/db/database.ts'
import { boundedMap } from '../../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { createWriteBehind } from '../../../lib/flow/write-behind.ts'
import type { KeyUse, KeyUsage, OutdatedKey } from './record.ts'
import { renewHashesAcrossOrgs, touchKeysAcrossOrgs } from './store.ts'

const everyMs = 60_000
const flushMs = 1_000
const knownKeys = 20_000
const bufferedKeys = 10_000

/** Notes when keys are used, behind the requests that use them: no request waits for it or fails by it. */
export function createKeyUsage(deps: { db: Database; clock: Clock; log: Log }): KeyUsage {
  const notedAt = boundedMap<string, number>(knownKeys)
  const buffer = createWriteBehind<KeyUse>({
    limit: bufferedKeys,
    everyMs: flushMs,
    write: (uses) => deps.db.batchAcrossOrgs([touchKeysAcrossOrgs(uses, everyMs)]),
    onDropped: (count, error) => deps.log.warn({ count, err: error }, 'the use of API keys was not noted'),
  })
  const outdated = createWriteBehind<OutdatedKey>({
    limit: bufferedKeys,
    everyMs: flushMs,
    write: (keys) => deps.db.batchAcrossOrgs([renewHashesAcrossOrgs(distinct(keys))]),
    onDropped: (count, error) => deps.log.warn({ count, err: error }, 'hashes of API keys were not renewed'),
  })
  return {
    renew: (key) => outdated.add(key),
    note({ orgId, apiKeyId }) {
      const usedAt = deps.clock.now()
      const before = notedAt.get(apiKeyId)
      if (before !== undefined && usedAt.getTime() - before < everyMs) return
      notedAt.set(apiKeyId, usedAt.getTime())
      buffer.add({ orgId, apiKeyId, usedAt })
    },
    flush: async () => void (await Promise.all([buffer.flush(), outdated.flush()])),
    close: async () => void (await Promise.all([buffer.close(), outdated.close()])),
  }
}

/** One entry for each key, however many requests it made. */
const distinct = (keys: readonly OutdatedKey[]): OutdatedKey[] => [
  ...new Map(keys.map((key) => [key.apiKeyId, key])).values(),
]
