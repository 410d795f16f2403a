import { createWakeSignal } from '../../../kernel/engine/wake-signal.ts'
import type { Hint } from './record.ts'

/** The hints for one page, as the data of server-sent events. */
export interface HintQueue {
  states: AsyncGenerator<string>
  push(hints: readonly Hint[]): void
  close(): void
}

const keepAliveMs = 15_000
/** Tells the page to fetch again whatever it shows: at the start, and when it was too slow for the hints. */
const everything = JSON.stringify({ type: 'everything' })
const keepAlive = JSON.stringify({ type: 'keep-alive' })

export function createHintQueue(limit: number, onClose: () => void): HintQueue {
  const signal = createWakeSignal()
  let pending: string[] = [everything]
  let isClosed = false

  async function* states(): AsyncGenerator<string, undefined> {
    while (!isClosed || pending.length > 0) {
      const ready = pending
      pending = []
      yield* ready
      if (isClosed || pending.length > 0) continue
      await signal.wait(keepAliveMs)
      if (!isClosed && pending.length === 0) yield keepAlive
    }
  }

  return {
    states: states(),
    push(hints) {
      if (isClosed || hints.length === 0) return
      pending.push(...hints.map((hint) => JSON.stringify(hint)))
      if (pending.length > limit) pending = [everything]
      signal.wake()
    },
    close() {
      if (isClosed) return
      isClosed = true
      onClose()
      signal.wake()
    },
  }
}
