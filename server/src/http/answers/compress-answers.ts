import { compressText } from '../../lib/text/compress.ts'
import type { App } from '../app.ts'

/** Smaller ones fit into one packet anyway. */
const leastLength = 1_400

/**
 * Compresses what the dashboard reads: its lists go to phones on slow networks. Nobody can measure the length of a
 * chosen text beside a secret, because no other site can send a request with the session.
 */
export function registerCompression(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRead = request.method === 'GET' && request.knownCaller?.credential.kind === 'session'
    if (!isRead || typeof payload !== 'string' || payload.length < leastLength) return payload
    const { encoding, body } = compressText(payload, String(request.headers['accept-encoding'] ?? ''))
    if (!encoding) return payload
    reply.header('vary', 'accept-encoding').header('content-encoding', encoding)
    return body
  })
}
