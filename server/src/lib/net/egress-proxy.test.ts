import { createServer as createHttpServer, type Server } from 'node:http'
import { connect as connectTo, createServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ResolveAddresses } from './resolve-addresses.ts'
import { createEgressAgent } from './egress-guard.ts'

const loopback = '127.0.0.1'
const dev = { allowLoopback: true, allowedPorts: [443] }
const strict = { allowLoopback: false, allowedPorts: [443] }
const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port
const listen = (server: TcpServer): Promise<void> =>
  new Promise((resolve) => server.listen(0, loopback, resolve))

interface ProxyRequest {
  target: string
  authorization: string | undefined
}

const asked: ProxyRequest[] = []
let refusal: string | undefined
let proxy: Server
let receiver: Server
let secure: TcpServer
let hello = Buffer.alloc(0)
const bodies: string[] = []

beforeAll(async () => {
  proxy = createHttpServer()
  proxy.on('connect', (request, socket) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] })
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
    const { hostname, port } = new URL(`http://${request.url}`)
    const target = connectTo(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const stream of [socket, target]) stream.on('error', () => undefined)
  })
  receiver = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(`${request.headers.host} ${Buffer.concat(chunks).toString()}`)
      response.end('thanks')
    })
  })
  secure = createServer((socket) => {
    socket.once('data', (chunk) => {
      hello = chunk
      socket.destroy()
    })
    socket.on('error', () => undefined)
  })
  await Promise.all([proxy, receiver, secure].map(listen))
})
afterAll(() => {
  for (const server of [proxy, receiver]) server.closeAllConnections()
  for (const server of [proxy, receiver, secure]) server.close()
})
beforeEach(() => {
  asked.length = 0
  bodies.length = 0
  refusal = undefined
})

const always =
  (address: string): ResolveAddresses =>
  () =>
    Promise.resolve([{ address, family: 4 }])

async function post(
  origin: string,
  { policy = dev, resolve = always(loopback), proxyUrl = `http://${loopback}:${portOf(proxy)}` } = {},
): Promise<string> {
  const agent = createEgressAgent(policy, { resolve, proxyUrl })
  try {
    const response = await agent.request({ origin, path: '/', method: 'POST', body: 'event' })
    return await response.body.text()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed'
  } finally {
    await agent.destroy()
  }
}

describe('through a proxy', () => {
  it('an event arrives, and the proxy receives the checked address instead of the name', async () => {
    const port = portOf(receiver)
    expect(await post(`http://hooks.example.com:${port}`)).toBe('thanks')
    expect(asked).toEqual([{ target: `${loopback}:${port}`, authorization: undefined }])
    expect(bodies).toEqual([`hooks.example.com:${port} event`])
  })

  it('TLS is established with the target under its name', async () => {
    await post(`https://hooks.example.com:${portOf(secure)}`)
    expect(asked[0]?.target).toBe(`${loopback}:${portOf(secure)}`)
    expect(hello[0]).toBe(0x16)
    expect(hello.includes('hooks.example.com')).toBe(true)
  })

  it('the credentials in the proxy URL are sent to the proxy only', async () => {
    const proxyUrl = `http://user:p%40ss@${loopback}:${portOf(proxy)}`
    expect(await post(`http://hooks.example.com:${portOf(receiver)}`, { proxyUrl })).toBe('thanks')
    expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`)
  })

  it.each([
    ['a name that leads inside', 'http://hooks.example.com', always('10.0.0.1')],
    ['a name that has turned to loopback', 'http://hooks.example.com', always(loopback)],
    ['a name without an address', 'http://hooks.example.com', () => Promise.resolve([])],
    ['an internal literal', 'http://169.254.169.254', always('93.184.215.14')],
    ['an internal literal of IPv6', 'http://[::1]', always('93.184.215.14')],
  ])('%s is refused before the proxy is contacted', async (_what, origin, resolve: ResolveAddresses) => {
    expect(await post(origin, { policy: strict, resolve })).toBe('REFUSED_ADDRESS')
    expect(asked).toEqual([])
  })

  it('a proxy that refuses or is unreachable is distinguished from the endpoint', async () => {
    refusal = '403 Forbidden'
    const origin = `http://hooks.example.com:${portOf(receiver)}`
    expect(await post(origin)).toBe('PROXY_REFUSED')
    expect(await post(origin, { proxyUrl: `http://${loopback}:1` })).toBe('PROXY_UNREACHABLE')
    expect(bodies).toEqual([])
  })
})
