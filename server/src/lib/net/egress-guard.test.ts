import { createServer, type Server } from 'node:http'
import type { LookupAddress } from 'node:dns'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusedUrls, takenUrls } from '../../../test/app/target-urls.ts'
import type { ResolveAddresses } from './resolve-addresses.ts'
import { createEgressAgent, isInternalAddress, egressProblem } from './egress-guard.ts'

const strict = { allowLoopback: false, allowedPorts: [443, 8443] }
const dev = { ...strict, allowLoopback: true }

describe('at registration', () => {
  it('the corpus has at least 200 addresses, each once', () => {
    const all = [...Object.values(refusedUrls).flat(), ...takenUrls]
    expect(all.length).toBeGreaterThanOrEqual(200)
    expect(new Set(all).size).toBe(all.length)
  })

  for (const [problem, urls] of Object.entries(refusedUrls))
    it.each(urls)(`%s is refused: it ${problem}`, (url) => {
      expect(egressProblem(url, strict)).toBe(problem)
    })

  it.each(takenUrls)('%s is accepted', (url) => {
    expect(egressProblem(url, strict)).toBeUndefined()
  })

  it('with the dev switch loopback is accepted, over http and on any port', () => {
    const urls = ['http://127.0.0.1:3000/x', 'http://localhost:1/', 'https://[::1]:9/', 'http://127.8.8.8/']
    expect(urls.map((url) => egressProblem(url, dev))).toEqual(urls.map(() => undefined))
  })

  it('the dev switch allows nothing but loopback', () => {
    const isLoopback = (url: string): boolean =>
      URL.canParse(url) && /^(?:localhost\.?|\[::1\]|127\.[\d.]+)$/.test(new URL(url).hostname)
    const others = Object.values(refusedUrls)
      .flat()
      .filter((url) => !isLoopback(url))
    expect(others.length).toBeGreaterThan(130)
    expect(others.filter((url) => egressProblem(url, dev) === undefined)).toEqual([])
  })

  it('a name that only resembles loopback is refused, even with the dev switch', () => {
    expect(egressProblem('http://127.0.0.1.example.com/', dev)).toBe('must be https')
    expect(egressProblem('http://127.example.com/', dev)).toBe('must be https')
    expect(egressProblem('http://localhost.example.com/', dev)).toBe('must be https')
  })

  it('text that is not an address counts as internal', () => {
    expect(isInternalAddress('example.com')).toBe(true)
    expect(isInternalAddress('')).toBe(true)
  })
})

describe('at connect', () => {
  let server: Server
  let port: number
  let received = 0
  beforeAll(async () => {
    server = createServer((_request, response) => {
      received += 1
      response.end('taken')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port // a TCP listener has this kind of address
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const at = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })
  const always =
    (...addresses: string[]): ResolveAddresses =>
    () =>
      Promise.resolve(addresses.map(at))

  async function connect(url: string, policy = strict, resolve = always('127.0.0.1')): Promise<string> {
    const agent = createEgressAgent(policy, { resolve })
    const { origin } = new URL(url)
    try {
      const { body } = await agent.request({ origin, path: '/', method: 'POST' })
      return await body.text()
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    } finally {
      await agent.destroy()
    }
  }

  it.each([
    ['loopback', ['127.0.0.1']],
    ['a public address and loopback beside it', ['93.184.215.14', '127.0.0.1']],
    ['a private address', ['10.1.2.3']],
    ['the metadata service', ['169.254.169.254']],
    ["Azure's wire server", ['168.63.129.16']],
    ["Alibaba's metadata service", ['100.100.100.200']],
    ["Oracle's metadata service", ['192.0.0.192']],
    ["Amazon's metadata service over IPv6", ['fd00:ec2::254']],
    ['an address behind NAT64', ['64:ff9b::a9fe:a9fe']],
    ['a 6to4 address', ['2002:a9fe:a9fe::1']],
    ['a Teredo address', ['2001:0:a9fe:a9fe::1']],
    ['IPv6 loopback', ['::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a link-local address with its zone', ['fe80::1%lo']],
    ['nothing', []],
  ])('a name that resolves to %s is refused', async (_what, addresses) => {
    expect(await connect(`http://hooks.example.com:${port}`, strict, always(...addresses))).toBe(
      'REFUSED_ADDRESS',
    )
    expect(received).toBe(0)
  })

  it.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '10.0.0.1',
    '169.254.169.254',
    '[fd00::1]',
    '0.0.0.0',
  ])('the literal %s is refused without a DNS lookup', async (host) => {
    const resolve: ResolveAddresses = () => Promise.reject(new Error('a literal was looked up'))
    expect(await connect(`http://${host}:${port}`, strict, resolve)).toBe('REFUSED_ADDRESS')
    expect(received).toBe(0)
  })

  it('a name that was public when it was checked and resolves to loopback later is refused on connect', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const asked: string[] = []
    const rebinding: ResolveAddresses = (hostname) => {
      asked.push(hostname)
      return Promise.resolve([at(answers[asked.length - 1] ?? '127.0.0.1')])
    }
    expect(egressProblem('https://rebind.example.com/', strict)).toBeUndefined()
    const [first] = await rebinding('rebind.example.com')
    expect(isInternalAddress(first!.address)).toBe(false)
    expect(await connect(`http://rebind.example.com:${port}`, strict, rebinding)).toBe('REFUSED_ADDRESS')
    expect(asked).toEqual(['rebind.example.com', 'rebind.example.com'])
    expect(received).toBe(0)
  })

  it('a name that cannot be resolved fails with the reason', async () => {
    const failing: ResolveAddresses = () =>
      Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    expect(await connect('http://gone.example.com', strict, failing)).toBe('ENOTFOUND')
  })

  it('with the dev switch loopback is reached, as a literal and by name', async () => {
    expect(await connect(`http://127.0.0.1:${port}`, dev)).toBe('taken')
    expect(await connect(`http://hooks.example.com:${port}`, dev)).toBe('taken')
    expect(await connect(`http://hooks.example.com:${port}`, dev, always('127.0.0.1', '10.0.0.1'))).toBe(
      'REFUSED_ADDRESS',
    )
  })
})
