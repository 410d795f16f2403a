import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { loopback } from './ports.ts'

type HttpListener = { url: string; stop(): Promise<void> }

export async function startHttpListener(
  port: number,
  listener: RequestListener,
  host: string = loopback,
): Promise<HttpListener> {
  const server = createServer(listener)
  server.listen(port, host)
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
