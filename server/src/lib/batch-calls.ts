interface BatchOptions<Item, Result> {
  /** In one group. */
  itemsLimit: number
  /** Groups under way. */
  groupsLimit: number
  /** Gives the way to each item's result. */
  run: (key: string, items: Item[]) => Promise<(item: Item) => Result>
}

type BatchedCall<Item, Result> = (key: string, item: Item) => Promise<Result>

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result | Promise<Result>) => void
}

/**
 * Calls with one key that wait at the same time run as one, and keys take turns. One group of a key runs at a time, so
 * that those who come meanwhile make up the next. Who calls bounds how many wait.
 */
export function batchCalls<Item, Result>(options: BatchOptions<Item, Result>): BatchedCall<Item, Result> {
  const waiting = new Map<string, Waiting<Item, Result>[]>()
  const underWay = new Set<string>()
  const startGroups = (): void => {
    for (const [key, line] of waiting) {
      if (underWay.size >= options.groupsLimit) return
      if (underWay.has(key)) continue
      const group = line.splice(0, options.itemsLimit)
      waiting.delete(key)
      if (line.length > 0) waiting.set(key, line)
      underWay.add(key)
      const endGroup = (): void => {
        underWay.delete(key)
        startGroups()
      }
      runGroup(options, key, group).then(endGroup, endGroup)
    }
  }
  return (key, item) =>
    new Promise((resolve) => {
      const line = waiting.get(key)
      if (line) line.push({ item, resolve })
      else waiting.set(key, [{ item, resolve }])
      // Later in this turn of the event loop, so that those that arrive together go together.
      setImmediate(startGroups)
    })
}

/** After an error each runs alone, so that what is wrong with one is not the trouble of the others. */
async function runGroup<Item, Result>(
  { run }: BatchOptions<Item, Result>,
  key: string,
  group: readonly Waiting<Item, Result>[],
): Promise<void> {
  const alone = async (item: Item): Promise<Result> => (await run(key, [item]))(item)
  const together = run(
    key,
    group.map(({ item }) => item),
  )
  await together.then(
    (resultOf) => {
      for (const { item, resolve } of group) resolve(resultOf(item))
    },
    () => {
      for (const { item, resolve } of group)
        resolve(group.length === 1 ? together.then((resultOf) => resultOf(item)) : alone(item))
    },
  )
}
