import { boundedMap } from '../../lib/flow/bounded-cache.ts'
import { defaultTimeoutMs, type HttpClient } from './http-client.ts'

interface CallLimits {
  /** Calls that are under way at the same time. */
  calls: number
  /** Calls that wait for one of these to end; further ones are refused at once. */
  queue: number
  queueMs: number
}

/** A queued call must leave enough of its own timeout to be sent. */
const accountLimits: CallLimits = { calls: 128, queue: 512, queueMs: 3_000 }
const accountsLimit = 20_000

/**
 * One client per provider account. An account whose provider hangs fills its own slots and its own queue, so calls
 * of the other accounts do not wait for it.
 */
export function createAccountClients(
  http: HttpClient,
  limits: CallLimits = accountLimits,
): (account: string) => HttpClient {
  const clients = boundedMap<string, HttpClient>(accountsLimit)
  return (account) => {
    const client = clients.get(account) ?? limitCalls(http, limits)
    clients.set(account, client)
    return client
  }
}

/** A call that gets no slot is `not_sent`: not a byte of it has been written, so another route may be tried. */
function limitCalls(http: HttpClient, limits: CallLimits): HttpClient {
  const queue = new Set<() => void>()
  let running = 0
  const takeSlot = async (): Promise<boolean> => {
    if (running < limits.calls) {
      running += 1
      return true
    }
    return queue.size < limits.queue && waitForSlot(queue, limits.queueMs)
  }
  const releaseSlot = (): void => {
    const [next] = queue
    if (next) next()
    else running -= 1
  }
  return async (call) => {
    const startedAtMs = performance.now()
    if (!(await takeSlot()))
      return { kind: 'not_sent', reason: 'too many calls to this provider account are under way' }
    const timeoutMs = call.timeoutMs ?? defaultTimeoutMs
    const waitedMs = Math.floor(performance.now() - startedAtMs)
    try {
      return await http({ ...call, timeoutMs: Math.max(timeoutMs - waitedMs, 1) })
    } finally {
      releaseSlot()
    }
  }
}

/** Whoever releases a slot passes it on to the first in the queue; false if that does not happen in time. */
function waitForSlot(queue: Set<() => void>, queueMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasSlot: boolean): void => {
      clearTimeout(timer)
      queue.delete(admit)
      resolve(hasSlot)
    }
    const admit = (): void => settle(true)
    const timer = setTimeout(() => settle(false), queueMs)
    queue.add(admit)
  })
}
