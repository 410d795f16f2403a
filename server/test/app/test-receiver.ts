import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useStarted } from './use-started.ts'

export interface ReceivedEvent {
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

/** A webhook endpoint that records what it receives and answers as configured. */
export interface TestReceiver {
  url: string
  received: ReceivedEvent[]
  /** The bodies received at a path. */
  bodiesAt(path: string): string[]
  behave: Behaviour
  stop(): Promise<void>
}

export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body)

/** `startTestReceiver` for the tests of a file. */
export const useReceiver = (): TestReceiver => useStarted(startTestReceiver, (receiver) => receiver.stop())

export async function startTestReceiver(port = 0): Promise<TestReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      receiver.received.push({
        path,
        headers,
        body: Buffer.concat(chunks).toString('utf8'),
        atMs: performance.now(),
      })
      receiver.behave(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP listener has this kind of address
    received: [],
    bodiesAt: (path) => receiver.received.filter((event) => event.path === path).map(({ body }) => body),
    behave: answer(200),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
