/** A map that forgets its oldest entry instead of growing without end. */
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
