import type { FastifyReply } from 'fastify'
import { unavailable } from '../lib/errors.ts'

/** Large bodies that one process reads at the same time, so that its memory stays bounded. */
const uploadsLimit = 2

/** Refuses a further upload before its body is read. A slot is free again when the connection has been answered. */
export function createUploadLimit(): (reply: FastifyReply) => void {
  let running = 0
  return (reply) => {
    if (running >= uploadsLimit) throw unavailable('Other batches are being read. Try again in a moment.')
    running += 1
    reply.raw.once('close', () => {
      running -= 1
    })
  }
}
