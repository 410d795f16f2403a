import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable, uploadTooSlow } from '../../lib/errors.ts'

/** Large bodies that one process reads at the same time, so that its memory stays bounded; one for each organisation. */
const uploadsLimit = 2
const waitingLimit = 100
const waitingPerOrg = 5
const waitLimitMs = 10_000

/** Half of what the slowest mobile connections send: what is slower keeps the slot for its own sake. */
const leastBytesPerSecond = 4 * 1024
const graceMs = 5_000
const checkMs = 1_000

interface Waiting {
  orgId: string
  begin(): void
}

/**
 * Waits until an upload may be read; until then its body stays with the sender and needs no memory here. The upload
 * frees its slot when its connection has been answered. An organisation has one slot, so that its slow uploads only
 * keep its own ones waiting.
 */
export function createUploadLimit(): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const running = new Set<string>()
  const waiting: Waiting[] = []
  const canBegin = (orgId: string): boolean => running.size < uploadsLimit && !running.has(orgId)

  const release = (orgId: string): void => {
    running.delete(orgId)
    const index = waiting.findIndex((one) => canBegin(one.orgId))
    const [next] = index < 0 ? [] : waiting.splice(index, 1)
    if (!next) return
    running.add(next.orgId)
    next.begin()
  }
  return async (request, reply) => {
    const { raw } = reply
    const { orgId } = request.caller
    if (canBegin(orgId)) running.add(orgId)
    else await waitForSlot(waiting, orgId)
    if (raw.destroyed) return release(orgId)
    const stopWatching = refuseSlowBody(request, reply)
    raw.once('close', () => {
      stopWatching()
      release(orgId)
    })
  }
}

async function waitForSlot(waiting: Waiting[], orgId: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const own = { orgId, begin: resolve }
  const refuse = (): void => reject(unavailable('Other batches are being read. Try again in a moment.'))
  const ofOrg = waiting.filter((one) => one.orgId === orgId).length
  if (waiting.length >= waitingLimit || ofOrg >= waitingPerOrg) refuse()
  else waiting.push(own)
  const timer = setTimeout(() => {
    const index = waiting.indexOf(own)
    if (index >= 0) waiting.splice(index, 1)
    refuse()
  }, waitLimitMs)
  await promise.finally(() => clearTimeout(timer))
}

/** Ends a body that arrives so slowly that it is only there to hold its slot. Returns what stops the watch. */
function refuseSlowBody({ raw }: FastifyRequest, reply: FastifyReply): () => void {
  const { socket } = raw
  // The reader of the body may have left by then, and an error that nobody handles would end the process.
  raw.on('error', () => undefined)
  const bytesBefore = socket.bytesRead
  const startedAt = performance.now()
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt
    const received = socket.bytesRead - bytesBefore
    if (raw.complete) clearInterval(timer)
    else if (elapsedMs > graceMs && received < (leastBytesPerSecond * elapsedMs) / 1000) {
      clearInterval(timer)
      // Whoever reads the body answers with this, and the rest of it is not waited for.
      reply.header('connection', 'close')
      raw.emit('error', uploadTooSlow())
    }
  }, checkMs)
  return () => clearInterval(timer)
}
