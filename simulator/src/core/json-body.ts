import type { FastifyRequest } from 'fastify'

/** Undefined for an empty or unreadable body; the schema then reports the missing fields. */
export function jsonBodyOf(request: FastifyRequest): unknown {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return undefined
  try {
    return JSON.parse(request.body.toString('utf8'))
  } catch {
    return undefined
  }
}
