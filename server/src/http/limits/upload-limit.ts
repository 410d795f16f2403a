import type { FastifyReply } from 'fastify'
import { unavailable } from '../../lib/errors.ts'

/** Large bodies that one process reads at the same time, so that its memory stays bounded. */
const uploadsLimit = 2
const waitingLimit = 100
const waitLimitMs = 10_000

/**
 * Waits until an upload may be read; until then its body stays with the sender and needs no memory here. The upload
 * frees its slot, or hands it to the next one, when its connection has been answered.
 */
export function createUploadLimit(): (reply: FastifyReply) => Promise<void> {
  let running = 0
  const waiting: (() => void)[] = []

  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return async ({ raw }) => {
    if (running < uploadsLimit) running += 1
    else await waitForSlot(waiting)
    if (raw.destroyed) release()
    else raw.once('close', release)
  }
}

async function waitForSlot(waiting: (() => void)[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const refuse = (): void => reject(unavailable('Other batches are being read. Try again in a moment.'))
  if (waiting.length >= waitingLimit) refuse()
  else waiting.push(resolve)
  const timer = setTimeout(() => {
    const index = waiting.indexOf(resolve)
    if (index >= 0) waiting.splice(index, 1)
    refuse()
  }, waitLimitMs)
  await promise.finally(() => clearTimeout(timer))
}
