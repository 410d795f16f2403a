/** Writes items in batches, behind the requests that cause them. */
interface WriteBehind<Item> {
  /** Never waits; an item that finds the buffer full is dropped. */
  add(item: Item): void
  /** Writes what is buffered. Resolves when it is written or given up. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface WriteBehindOptions<Item> {
  limit: number
  everyMs: number
  write(items: Item[]): Promise<unknown>
  /** Told how many items were lost, because the buffer was full or they could not be written. */
  onDropped(count: number, error?: unknown): void
}

export function createWriteBehind<Item>(options: WriteBehindOptions<Item>): WriteBehind<Item> {
  let items: Item[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const writeAll = async (): Promise<void> => {
    const batch = items
    items = []
    if (batch.length === 0) return
    await options.write(batch).catch((error: unknown) => options.onDropped(batch.length, error))
  }
  /** One batch at a time: a slow database fills the buffer and not the memory. */
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }
  return {
    add(item) {
      if (items.length >= options.limit) return options.onDropped(1)
      items.push(item)
      timer ??= setTimeout(() => void flush(), options.everyMs).unref()
    },
    flush,
    close: flush,
  }
}
