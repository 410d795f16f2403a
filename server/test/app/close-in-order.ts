import { setTimeout as delay } from 'node:timers/promises'

const limitMs = 20_000

/** Closes one part after the other. A part that does not end is named, instead of a hook that timed out. */
export async function closeInOrder(parts: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  for (const [name, close] of Object.entries(parts)) {
    const timer = new AbortController()
    const tooLong = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`${name} did not close within ${limitMs / 1000} s`)
    })
    await Promise.race([close(), tooLong]).finally(() => timer.abort())
  }
}
