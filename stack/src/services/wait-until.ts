import { setTimeout as delay } from 'node:timers/promises'

type WaitOptions = {
  timeoutMs?: number
  /** Completes the sentence "timed out after 5000 ms waiting for …". */
  what: string
  intervalMs?: number
}

/** A test may last 30 s, so a wait that fails ends before its test and can say what it waited for. */
export const defaultWaitMs = 25_000
const defaultIntervalMs = 20

/** Waits until the condition returns something truthy, and returns that. An exception ends the wait. */
export async function waitUntil<Result>(
  condition: () => Result | Promise<Result>,
  { timeoutMs = defaultWaitMs, what, intervalMs = defaultIntervalMs }: WaitOptions,
): Promise<NonNullable<Result>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const result = await condition()
    if (result) return result
    if (performance.now() > deadline) throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`)
    await delay(intervalMs)
  }
}

/** True if the URL answers 2xx; false for any other answer or none. */
export async function answersOk(url: string, timeoutMs = 1_000): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
