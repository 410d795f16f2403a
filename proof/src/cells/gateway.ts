import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { loopback } from '@switchyard/stack/services/ports.ts'
import type { Directory } from './directory.ts'

/** The address of all cells: it asks the directory where an organisation lives and passes the request on. */
type Gateway = { readonly url: string; stop(): Promise<void> }

type GatewayOptions = {
  port: number
  directory: Directory
  /** The api of a cell. */
  urlOf: (cell: string) => string
  /** The organisation of an API key. */
  orgOfKey: (key: string) => string | undefined
  /** The organisation whose payment a provider reports about. */
  orgOfNotice: (body: string) => Promise<string | undefined>
  /** How long a write waits for the end of a move, before it is answered with 503. */
  holdMs: number
}

const webhookPath = '/v1/providers/'
const hopHeaders = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const agent = new Agent({ connections: 256, pipelining: 1 })
  const server: Server = createServer((request, response) => {
    answer(options, agent, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
  server.listen(options.port, loopback)
  await once(server, 'listening')
  return {
    url: `http://${loopback}:${options.port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await agent.destroy()
    },
  }
}

async function answer(
  options: GatewayOptions,
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(request)
  const orgId = await orgOf(options, request, body)
  if (orgId === undefined) {
    response.writeHead(404).end('no cell knows this caller')
    return
  }
  const { directory, urlOf, holdMs } = options
  const pass = (): Promise<void> =>
    forward(agent, urlOf(directory.cellOf(orgId)), { request, body, response })
  // The old cell answers reads until the switch, so only writes wait.
  if (request.method === 'GET') return pass()
  return directory.write(orgId, holdMs, pass)
}

async function orgOf(
  { orgOfKey, orgOfNotice }: GatewayOptions,
  request: IncomingMessage,
  body: Buffer,
): Promise<string | undefined> {
  if (request.url?.startsWith(webhookPath)) return orgOfNotice(body.toString())
  return orgOfKey(String(request.headers['x-api-key']))
}

type Exchange = { request: IncomingMessage; body: Buffer; response: ServerResponse }

async function forward(agent: Agent, origin: string, { request, body, response }: Exchange): Promise<void> {
  const headers = Object.entries(request.headers).filter(([name]) => !hopHeaders.has(name))
  const answered = await agent.request({
    origin,
    path: request.url ?? '/',
    method: request.method === 'GET' ? 'GET' : 'POST',
    headers: Object.fromEntries(headers),
    body: body.length > 0 ? body : null,
  })
  const text = await answered.body.text()
  response.writeHead(answered.statusCode, { 'content-type': String(answered.headers['content-type']) })
  response.end(text)
}
