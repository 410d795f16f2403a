import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { loopback } from './ports.ts'

type HttpListener = { url: string; stop(): Promise<void> }

export async function listenOnLoopback(port: number, listener: RequestListener): Promise<HttpListener> {
  const server = createServer(listener)
  server.listen(port, loopback)
  await once(server, 'listening')
  return {
    url: `http://${loopback}:${port}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
