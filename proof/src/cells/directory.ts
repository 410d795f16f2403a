/**
 * Which cell an organisation lives in. Here it is in memory; in production it is a small table that gateways keep a copy
 * of, and the fence in the old cell is what stops a gateway whose copy is old.
 */
export type Directory = {
  /** The cell that answers for the organisation; while it is fenced, the one that still answers reads. */
  cellOf(orgId: string): string
  place(orgId: string, cell: string): void
  /** The organisation will move; everything still goes to its old cell. */
  announce(orgId: string, to: string): void
  /** Lets no further write through. */
  fence(orgId: string): void
  switch(orgId: string): void
  /** Leaves the organisation where it is. */
  abandon(orgId: string): void
  /** Runs a write once the organisation takes writes; rejects when that takes too long. */
  write<Result>(orgId: string, limitMs: number, work: () => Promise<Result>): Promise<Result>
  /** Resolves when the writes that are under way have ended. */
  untilIdle(orgId: string): Promise<void>
}

type Entry = { cell: string; to: string | undefined; opening: PromiseWithResolvers<void> | undefined }

export function createDirectory(): Directory {
  const entries = new Map<string, Entry>()
  const writes = new Map<string, Set<Promise<unknown>>>()
  const entryOf = (orgId: string): Entry => {
    const entry = entries.get(orgId)
    if (!entry) throw new Error(`no cell has the organisation ${orgId}`)
    return entry
  }
  const reopen = (orgId: string, cell: string): void => {
    const { opening } = entryOf(orgId)
    entries.set(orgId, { cell, to: undefined, opening: undefined })
    opening?.resolve()
  }
  return {
    cellOf: (orgId) => entryOf(orgId).cell,
    place: (orgId, cell) => void entries.set(orgId, { cell, to: undefined, opening: undefined }),
    announce: (orgId, to) => void (entryOf(orgId).to = to),
    fence: (orgId) => void (entryOf(orgId).opening = Promise.withResolvers()),
    switch: (orgId) => reopen(orgId, entryOf(orgId).to ?? entryOf(orgId).cell),
    abandon: (orgId) => reopen(orgId, entryOf(orgId).cell),
    async write(orgId, limitMs, work) {
      // Asked again after each wait, so that nothing can be fenced between the question and the start.
      for (let { opening } = entryOf(orgId); opening; { opening } = entryOf(orgId))
        await within(opening.promise, limitMs)
      const running = work()
      const set = writes.get(orgId) ?? new Set()
      writes.set(orgId, set.add(running))
      return running.finally(() => set.delete(running))
    },
    async untilIdle(orgId) {
      await Promise.allSettled(writes.get(orgId) ?? new Set<Promise<unknown>>())
    },
  }
}

async function within(opened: Promise<void>, limitMs: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new Error('the organisation is being moved')), limitMs)
  await Promise.race([opened, late.promise]).finally(() => clearTimeout(timer))
}
