import type { Adapter, AdapterPayload } from 'oidc-provider'

type Entry = { payload: AdapterPayload; expiresAt: number }

const maxEntries = 10_000

/** Keeps sessions and codes in memory. They are lost on a restart; access tokens need no store. */
export function memoryStore(): (model: string) => Adapter {
  const entries = new Map<string, Entry>()

  function read(key: string): AdapterPayload | undefined {
    const entry = entries.get(key)
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
  }

  function search(prefix: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload }] of entries) if (key.startsWith(prefix) && matches(payload)) return read(key)
    return undefined
  }

  return (model) => ({
    async upsert(id, payload, expiresInSeconds = Infinity) {
      const oldest = entries.keys().next()
      if (entries.size >= maxEntries && !oldest.done) entries.delete(oldest.value)
      entries.set(`${model}:${id}`, { payload, expiresAt: Date.now() + expiresInSeconds * 1_000 })
    },
    find: async (id) => read(`${model}:${id}`),
    findByUid: async (uid) => search(`${model}:`, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => search(`${model}:`, (payload) => payload.userCode === userCode),
    async consume(id) {
      const payload = read(`${model}:${id}`)
      if (payload) payload.consumed = Math.floor(Date.now() / 1_000)
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
  })
}
