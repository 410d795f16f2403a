import { setTimeout as delay } from 'node:timers/promises'

/** The event streams of this process. */
export interface Watches {
  /**
   * Yields the state now, on every change and as a periodic keepalive; undefined when too many streams are open.
   */
  watch(look: () => Promise<string>): AsyncGenerator<string> | undefined
  stop(): void
}

const watchesLimit = 2_000
const lookEveryMs = 1_000
const repeatEvery = 15
const looksLimit = 110

/**
 * Each stream ends after a while and the browser reconnects, so that a payer who left or a process that shuts down
 * holds no connection for long.
 */
export function createWatches(): Watches {
  const stopping = new AbortController()
  const { signal } = stopping
  let open = 0
  async function* states(look: () => Promise<string>): AsyncGenerator<string> {
    open += 1
    try {
      let told: string | undefined
      for (let looks = 0; looks < looksLimit && !signal.aborted; looks++) {
        const state = await look()
        if (state !== told || looks % repeatEvery === 0) yield state
        told = state
        await delay(lookEveryMs, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      open -= 1
    }
  }
  return {
    watch: (look) => (open < watchesLimit && !signal.aborted ? states(look) : undefined),
    stop: () => stopping.abort(),
  }
}
