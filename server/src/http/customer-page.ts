import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressText } from '../lib/compress.ts'

/** Everything from our own origin, nothing inline, no frame around us, and nobody told where the customer was. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const setPageHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')

/** Compressed by hand: these are the only answers that a phone on a slow network waits for. */
export function sendText(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const header = request.headers['accept-encoding']
  const { encoding, body } = compressText(text, Array.isArray(header) ? header.join() : header)
  reply.header('vary', 'accept-encoding')
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(body)
}

const cookiesLimit = 50

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';', cookiesLimit).map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Lax, not strict: a customer who comes back from their bank is still the same. */
export function setCookie(
  reply: FastifyReply,
  cookie: { name: string; value: string; path: string; isSecure: boolean },
): void {
  const secure = cookie.isSecure ? '; Secure' : ''
  const header = `${cookie.name}=${cookie.value}; Path=${cookie.path}; HttpOnly; SameSite=Lax${secure}`
  const others = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  reply.header('set-cookie', [...others, header])
}

/** False where the browser says that a form came from elsewhere; browsers of the last years all say. */
export const isSameOrigin = (request: FastifyRequest): boolean =>
  [undefined, 'same-origin', 'none'].includes(String(request.headers['sec-fetch-site'] ?? '') || undefined)

/** Server-sent events, or 204: with that a browser does not come back, and asks in its own time. */
export function sendEvents(reply: FastifyReply, states: AsyncGenerator<string> | undefined): FastifyReply {
  if (!states) return reply.status(204).send()
  async function* events(from: AsyncGenerator<string>): AsyncGenerator<string> {
    for await (const state of from) yield `data: ${state}\n\n`
  }
  return (
    reply
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      // A stream that was open when the server began to close must not leave its connection behind.
      .header('connection', 'close')
      .send(Readable.from(events(states)))
  )
}
