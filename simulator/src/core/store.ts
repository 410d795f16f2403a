import { z } from 'zod'
import { openJournal, readJournal } from './journal.ts'

export interface Store<Value> {
  readonly get: (key: string) => Value | undefined
  readonly put: (key: string, value: Value) => void
  readonly values: () => Iterable<Value>
  readonly size: () => number
  readonly close: () => void
}

interface StoreOptions<Value> {
  readonly schema: z.ZodType<Value>
  readonly limit: number
  /** A JSONL file for persistence. Without it, the store is in memory only. */
  readonly path?: string | undefined
  readonly onEvict?: (value: Value) => void
}

const lineSchema = z.object({ key: z.string(), value: z.unknown() })

export function openStore<Value>(options: StoreOptions<Value>): Store<Value> {
  const values = new Map<string, Value>()

  function insert(key: string, value: Value): void {
    values.set(key, value)
    if (values.size <= options.limit) return
    const oldest = values.entries().next().value
    if (oldest === undefined) return
    values.delete(oldest[0])
    options.onEvict?.(oldest[1])
  }

  if (options.path !== undefined) {
    for (const line of readJournal(options.path)) {
      const { key, value } = lineSchema.parse(line)
      insert(key, options.schema.parse(value))
    }
  }
  const journal = options.path === undefined ? undefined : openJournal(options.path, 'rewrite')
  for (const [key, value] of values) journal?.append({ key, value })

  return {
    get: (key) => values.get(key),
    put: (key, value) => {
      insert(key, value)
      journal?.append({ key, value })
    },
    values: () => values.values(),
    size: () => values.size,
    close: () => journal?.close(),
  }
}
