/** A map that evicts its oldest entry when it is full. */
export function boundedMap<Key, Value>(limit: number): Pick<Map<Key, Value>, 'get' | 'set' | 'delete'> {
  const entries = new Map<Key, Value>()
  return {
    get: (key) => entries.get(key),
    delete: (key) => entries.delete(key),
    set(key, value) {
      if (!entries.has(key) && entries.size >= limit) {
        const oldest = entries.keys().next()
        if (!oldest.done) entries.delete(oldest.value)
      }
      return entries.set(key, value)
    },
  }
}

interface Entry<Value> {
  value: Promise<Value>
  expiresAtMs: number
}

export interface Cache<Value> {
  get(key: string, load: () => Promise<Value>): Promise<Value>
  clear(): void
}

/** A cache with a time to live; calls that arrive while a value is loading share that load. */
export function createCache<Value>(options: { limit: number; ttlMs: number }): Cache<Value> {
  let entries = boundedMap<string, Entry<Value>>(options.limit)
  return {
    get(key, load) {
      const known = entries.get(key)
      if (known && known.expiresAtMs > performance.now()) return known.value
      const value = load()
      const entry = { value, expiresAtMs: performance.now() + options.ttlMs }
      entries.set(key, entry)
      // A load that fails late must not delete what a later one has found.
      value.catch(() => entries.get(key) === entry && entries.delete(key))
      return value
    },
    clear() {
      entries = boundedMap(options.limit)
    },
  }
}
