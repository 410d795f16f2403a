import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookRequest } from '../kit/connector.ts'

/** Replaces our webhook endpoint and records every request byte for byte. */
export interface Receiver {
  readonly url: string
  readonly received: () => readonly WebhookRequest[]
  readonly stop: () => Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: WebhookRequest[] = []
  let origin = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        headers: request.headers,
        rawBody: Buffer.concat(chunks),
        method: request.method ?? '',
        url: `${origin}${request.url ?? ''}`,
      })
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${portOf(server.address())}`
  return {
    url: `${origin}/providers/webhooks/token`,
    received: () => received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The address of a port that was just closed, so nothing listens on it. */
export async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `http://127.0.0.1:${port}`
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}
