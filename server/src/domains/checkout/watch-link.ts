import { setTimeout as delay } from 'node:timers/promises'

/** The event streams of this process. */
interface Watches {
  /**
   * Yields the state now, on every change and as a periodic keepalive; undefined when too many streams are open.
   */
  watch(readState: () => Promise<string>): AsyncGenerator<string> | undefined
  stop(): void
}

const watchesLimit = 2_000
const pollEveryMs = 1_000
const repeatEvery = 15
const pollsLimit = 110

/**
 * Each stream ends after a while and the browser reconnects, so that a payer who left or a process that shuts down
 * holds no connection for long.
 */
export function createWatches(): Watches {
  const stopping = new AbortController()
  const { signal } = stopping
  let open = 0
  async function* states(readState: () => Promise<string>): AsyncGenerator<string> {
    open += 1
    try {
      let last: string | undefined
      for (let polls = 0; polls < pollsLimit && !signal.aborted; polls++) {
        const state = await readState()
        if (state !== last || polls % repeatEvery === 0) yield state
        last = state
        await delay(pollEveryMs, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      open -= 1
    }
  }
  return {
    watch: (readState) => (open < watchesLimit && !signal.aborted ? states(readState) : undefined),
    stop: () => stopping.abort(),
  }
}
