import { setTimeout as delay } from 'node:timers/promises'
import { limitConcurrency } from '../../lib/limit-concurrency.ts'

/** The event streams of this process. */
interface Watches {
  /** Undefined when too many streams are open, in total or to this address. */
  watch(address: string, readState: () => Promise<string>): Watch | undefined
  stop(): void
}

interface Watch {
  /** Yields the state now, on every change and as a periodic keepalive. */
  states: AsyncGenerator<string>
  /** Must be called when the stream has ended, even if nobody has read from it. */
  close(): void
}

const watchesLimit = 2_000
/** A whole office may share an address. Its other pages poll. */
const watchesPerAddress = 20
/** The streams share the connections of the database with the other pages, so that few of them read at a time. */
const readsLimit = 4
const pollEveryMs = 1_000
const repeatEvery = 15
const pollsLimit = 110

/**
 * Each stream ends after a while and the browser reconnects, so that a payer who left or a process that shuts down
 * holds no connection for long.
 */
export function createWatches(): Watches {
  const open = new Map<AbortController, string>()
  const addresses = new Map<string, number>()
  const read = limitConcurrency(readsLimit)
  let isStopped = false
  const close = (watch: AbortController): void => {
    const address = open.get(watch)
    if (address === undefined) return
    open.delete(watch)
    const left = (addresses.get(address) ?? 1) - 1
    if (left > 0) addresses.set(address, left)
    else addresses.delete(address)
    watch.abort()
  }
  return {
    watch(address, readState) {
      const opened = addresses.get(address) ?? 0
      if (isStopped || open.size >= watchesLimit || opened >= watchesPerAddress) return undefined
      const watch = new AbortController()
      open.set(watch, address)
      addresses.set(address, opened + 1)
      return { states: readStates(() => read(readState), watch.signal), close: () => close(watch) }
    },
    stop() {
      isStopped = true
      for (const watch of open.keys()) close(watch)
    },
  }
}

async function* readStates(
  readState: () => Promise<string>,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  let last: string | undefined
  for (let polls = 0; polls < pollsLimit && !signal.aborted; polls++) {
    const state = await readState()
    if (state !== last || polls % repeatEvery === 0) yield state
    last = state
    await delay(pollEveryMs, undefined, { signal }).catch(() => undefined)
  }
}
