import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'

/** Stands in for the engine's ingress over real HTTP: records the jobs it receives and answers as configured. */
export interface IngressStandIn {
  ingress: Pool
  handOvers: { path: string; key: string; body: unknown; at: number }[]
  /** When each health check arrived. */
  checkedAt: number[]
  /** How many jobs had been handed over when the first health check arrived. */
  handOversBefore: number | undefined
  status: number
  statusOf(path: string): number
  isSilent: boolean
  delayMs: number
  close(): Promise<void>
}

export async function startIngressStandIn(port = 0): Promise<IngressStandIn> {
  const server = createServer((request, response) => {
    if (request.url === '/restate/health') {
      standIn.checkedAt.push(performance.now())
      standIn.handOversBefore ??= standIn.handOvers.length
      return response.writeHead(standIn.status < 500 ? 200 : 503).end()
    }
    request.setEncoding('utf8')
    let text = ''
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const key = String(request.headers['idempotency-key'])
      standIn.handOvers.push({ path: request.url ?? '', key, body: JSON.parse(text), at: performance.now() })
      const answer = (): void => void response.writeHead(standIn.statusOf(request.url ?? '')).end('{}')
      if (!standIn.isSilent) setTimeout(answer, standIn.delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const standIn: IngressStandIn = {
    ingress: new Pool(url, { connections: 32 }),
    handOvers: [],
    checkedAt: [],
    handOversBefore: undefined,
    status: 202,
    statusOf: () => standIn.status,
    isSilent: false,
    delayMs: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await standIn.ingress.destroy()
    },
  }
  return standIn
}
