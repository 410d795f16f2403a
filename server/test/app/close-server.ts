import type { IncomingMessage } from 'node:http'
import type { App } from '../../src/http/app.ts'
import { drainConnections } from '../../src/main/process.ts'
import { closeInOrder } from './close-in-order.ts'

/**
 * Closes the server as the process of the API does, or says which requests it still waits for. A client may have
 * opened a connection that it never used, and without draining the server would wait for it without end.
 */
export function prepareClose(app: App): () => Promise<void> {
  const drain = drainConnections(app.server)
  const open = new Set<IncomingMessage>()
  app.server.on('request', (request, response) => {
    open.add(request)
    response.once('close', () => open.delete(request))
  })
  const close = (): Promise<unknown> => {
    const closed = app.close()
    drain()
    return closed
  }
  return () =>
    closeInOrder({ 'the server': close }).catch((error: unknown) => {
      const waiting = [...open].map(({ method, url }) => `${method} ${url}`)
      throw new Error(`the server waits for ${waiting.join(', ') || 'no request'}`, { cause: error })
    })
}
