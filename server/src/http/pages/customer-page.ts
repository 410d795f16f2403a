import { Readable } from 'node:stream'
import { addressGroup } from '../../lib/net/address-group.ts'
import type { App } from '../app.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressText } from '../../lib/text/compress.ts'

/** Allows only our own origin, no inline code and no framing. */
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

/** Takes from what an address may ask of all pages together; throws when nothing is left. */
export type LimitPages = (address: string) => void

/** Pages whose callers are anonymous, because the link is the credential. Every address is rate limited. */
export function registerPages(app: App, limitPages: LimitPages, register: (scope: App) => void): void {
  app.register((scope: App, _options, done) => {
    scope.addHook('onRequest', async ({ ip }) => limitPages(addressGroup(ip)))
    register(scope)
    done()
  })
}

export const setPageHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')

/** Compressed here, because only these responses go to phones on slow networks. */
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

/** SameSite is Lax, because a strict cookie is not sent when a customer returns from their bank. */
export function setCookie(
  reply: FastifyReply,
  cookie: { name: string; value: string; path: string; isSecure: boolean; maxAgeSeconds?: number },
): void {
  const maxAge = cookie.maxAgeSeconds === undefined ? '' : `; Max-Age=${cookie.maxAgeSeconds}`
  const secure = cookie.isSecure ? '; Secure' : ''
  const header = `${cookie.name}=${cookie.value}; Path=${cookie.path}; HttpOnly; SameSite=Lax${maxAge}${secure}`
  const others = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  reply.header('set-cookie', [...others, header])
}

/** False if the browser reports another origin. Browsers that do not send Sec-Fetch-Site are let through. */
export const isSameOrigin = (request: FastifyRequest): boolean =>
  [undefined, 'same-origin', 'none'].includes(String(request.headers['sec-fetch-site'] ?? '') || undefined)

interface EventSource {
  states: AsyncGenerator<string>
  close(): void
}

/** Sends server-sent events, or 204, which tells the browser not to reconnect; the page then polls. */
export function sendEvents(reply: FastifyReply, source: EventSource | undefined): FastifyReply {
  if (!source) return reply.status(204).send()
  async function* events(from: AsyncGenerator<string>): AsyncGenerator<string> {
    for await (const state of from) yield `data: ${state}\n\n`
  }
  // A generator notices the end of its stream only when it yields next, so the connection is watched instead.
  if (reply.raw.closed) source.close()
  else reply.raw.once('close', () => source.close())
  return (
    reply
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      // Without this, a stream that is open during shutdown would leave an idle connection behind.
      .header('connection', 'close')
      .send(Readable.from(events(source.states)))
  )
}
