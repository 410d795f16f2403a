import { setTimeout as delay } from 'node:timers/promises'
import { createWakeSignal } from '../../../kernel/engine/wake-signal.ts'
import { limitConcurrency } from '../../../lib/flow/limit-concurrency.ts'
import type { Log } from '../../../lib/log.ts'
import { keyOf } from './read-versions.ts'
import type { PageState, PageSubject } from './record.ts'

interface WatchDeps {
  log: Log
  /** The present versions of what the pages show, by their keys. */
  readVersions(subjects: readonly PageSubject[]): Promise<ReadonlyMap<string, string>>
}

/** The event streams of this process. */
interface Watches {
  /** Undefined when too many streams are open, in total or to this address. */
  watch(address: string, readPage: () => Promise<PageState>): Stream | undefined
  stop(): void
}

interface Stream {
  /** Yields the state now, on every change and as a periodic keepalive. */
  states: AsyncGenerator<string>
  /** Must be called when the stream has ended, even if nobody has read from it. */
  close(): void
}

interface Watch {
  address: string
  page: PageState | undefined
  /** The page has changed since it was read. */
  isOutdated: boolean
  isClosed: boolean
  signal: ReturnType<typeof createWakeSignal>
}

const watchesLimit = 2_000
/** A whole office may share an address. Its other pages poll. */
const watchesPerAddress = 20
/** The streams share the connections of the database with the other pages, so that few of them read at a time. */
const readsLimit = 4
const pollEveryMs = 1_000
const repeatEveryMs = 15_000
const lifetimeMs = 110_000
/** A page that inquires at its provider is read no more often than this. */
const shortestReadMs = 1_000

/**
 * One poll serves all streams, and only a page that has changed is read. Each stream ends after a while and the browser
 * reconnects, so that a payer who left or a process that shuts down holds no connection for long.
 */
export function createWatches(deps: WatchDeps): Watches {
  const open = new Set<Watch>()
  const addresses = new Map<string, number>()
  const read = limitConcurrency(readsLimit)
  let isStopped = false
  let isPolling = false
  const close = (watch: Watch): void => {
    if (!open.delete(watch)) return
    const left = (addresses.get(watch.address) ?? 1) - 1
    if (left > 0) addresses.set(watch.address, left)
    else addresses.delete(watch.address)
    watch.isClosed = true
    watch.signal.wake()
  }
  const pollWhileOpen = async (): Promise<void> => {
    if (isPolling) return
    isPolling = true
    while (open.size > 0) {
      await delay(pollEveryMs, undefined, { ref: false })
      await wakeOutdated(deps, [...open]).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'the versions of the open payment pages could not be read'),
      )
    }
    isPolling = false
  }
  return {
    watch(address, readPage) {
      const opened = addresses.get(address) ?? 0
      if (isStopped || open.size >= watchesLimit || opened >= watchesPerAddress) return undefined
      const signal = createWakeSignal()
      const watch: Watch = { address, page: undefined, isOutdated: false, isClosed: false, signal }
      open.add(watch)
      addresses.set(address, opened + 1)
      pollWhileOpen().catch((error: unknown) => deps.log.error({ err: error }, 'watching pages failed'))
      return { states: readStates(watch, () => read(readPage)), close: () => close(watch) }
    },
    stop() {
      isStopped = true
      for (const watch of open) close(watch)
    },
  }
}

/** Wakes the streams whose pages have changed since they were read. */
async function wakeOutdated(deps: WatchDeps, open: readonly Watch[]): Promise<void> {
  const subjects = new Map(open.flatMap(({ page }) => (page ? [[keyOf(page.subject), page.subject]] : [])))
  if (subjects.size === 0) return
  const versions = await deps.readVersions([...subjects.values()])
  for (const watch of open) {
    const { page, signal } = watch
    if (!page || versions.get(keyOf(page.subject)) === page.version) continue
    watch.isOutdated = true
    signal.wake()
  }
}

async function* readStates(
  watch: Watch,
  readPage: () => Promise<PageState>,
): AsyncGenerator<string, undefined> {
  const endsAtMs = performance.now() + lifetimeMs
  let last: string | undefined
  let [repeatAtMs, readAtMs] = [0, 0]
  while (!watch.isClosed && performance.now() < endsAtMs) {
    if (watch.isOutdated || performance.now() >= readAtMs) {
      watch.isOutdated = false
      watch.page = await readPage()
      const { readAgainInMs } = watch.page
      readAtMs =
        readAgainInMs === undefined ? Infinity : performance.now() + Math.max(readAgainInMs, shortestReadMs)
    }
    const state: string | undefined = watch.page?.state
    if (state !== undefined && (state !== last || performance.now() >= repeatAtMs)) {
      yield state
      repeatAtMs = performance.now() + repeatEveryMs
    }
    last = state
    const nextMs = Math.min(readAtMs, repeatAtMs, endsAtMs) - performance.now()
    if (!watch.isClosed && !watch.isOutdated) await watch.signal.wait(Math.max(nextMs, 0))
  }
}
