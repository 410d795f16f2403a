interface BatchOptions<Item, Result> {
  /** The most items in one batch. */
  itemsLimit: number
  /** The most batches in flight. */
  batchesLimit: number
  /** The most batches of one key in flight. */
  batchesPerKey?: number
  /** Runs a batch and returns a function that finds the result of an item. */
  run: (key: string, items: Item[]) => Promise<(item: Item) => Result>
}

type BatchedCall<Item, Result> = (key: string, item: Item) => Promise<Result>

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result | Promise<Result>) => void
}

/**
 * Batches concurrent calls by key and serves keys round-robin. Calls that arrive while all batches of their key are in
 * flight form its next batch. Callers must limit how many calls wait.
 */
export function batchCalls<Item, Result>(options: BatchOptions<Item, Result>): BatchedCall<Item, Result> {
  const waiting = new Map<string, Waiting<Item, Result>[]>()
  const { batchesLimit, batchesPerKey = 1 } = options
  const inFlight = new Map<string, number>()
  let total = 0
  const startBatches = (): void => {
    for (const [key, queue] of waiting) {
      const running = inFlight.get(key) ?? 0
      if (total >= batchesLimit) return
      if (running >= batchesPerKey) continue
      const batch = queue.splice(0, options.itemsLimit)
      waiting.delete(key)
      if (queue.length > 0) waiting.set(key, queue)
      inFlight.set(key, running + 1)
      total += 1
      const endBatch = (): void => {
        const left = (inFlight.get(key) ?? 0) - 1
        if (left > 0) inFlight.set(key, left)
        else inFlight.delete(key)
        total -= 1
        startBatches()
      }
      runBatch(options, key, batch).then(endBatch, endBatch)
    }
  }
  return (key, item) =>
    new Promise((resolve) => {
      const queue = waiting.get(key)
      if (queue) queue.push({ item, resolve })
      else waiting.set(key, [{ item, resolve }])
      // Starts after the current phase of the event loop, so that calls that arrive together share a batch.
      setImmediate(startBatches)
    })
}

/** After an error each item runs by itself, so that one bad item does not fail the others. */
async function runBatch<Item, Result>(
  { run }: BatchOptions<Item, Result>,
  key: string,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  const runAlone = async (item: Item): Promise<Result> => (await run(key, [item]))(item)
  const together = run(
    key,
    batch.map(({ item }) => item),
  )
  await together.then(
    (resultOf) => {
      for (const { item, resolve } of batch) resolve(resultOf(item))
    },
    () => {
      for (const { item, resolve } of batch)
        resolve(batch.length === 1 ? together.then((resultOf) => resultOf(item)) : runAlone(item))
    },
  )
}
