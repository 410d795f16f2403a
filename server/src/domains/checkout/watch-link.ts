import { setTimeout as delay } from 'node:timers/promises'

/** The streams of one process. */
export interface Watches {
  /** Tells a state now, whenever it is another one, and once in a while; undefined when there are too many. */
  watch(look: () => Promise<string>): AsyncGenerator<string> | undefined
  stop(): void
}

const watchesLimit = 2_000
const lookEveryMs = 1_000
const repeatEvery = 15
const looksLimit = 110

/**
 * Each stream ends by itself after a while, and the browser comes back: so a process that stops, or a payer who
 * left without a word, holds nothing for long.
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
