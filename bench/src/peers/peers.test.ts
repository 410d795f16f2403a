import { afterEach, expect, it } from 'vitest'
import { startHttpListener } from '@switchyard/stack/services/http-listener.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { benchPeer } from './measure-peer.ts'
import { peers } from './peers.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface PeerCall {
  line: string
  headers: NodeJS.Dict<string | string[]>
}

/** Answers as a peer does: what was made is named in the body and in `location`. */
async function startStandIn(status: (line: string) => number) {
  const seen: PeerCall[] = []
  const listener = await startHttpListener(await freePort(), (request, response) => {
    const line = `${request.method} ${request.url}`
    seen.push({ line, headers: request.headers })
    request.resume().on('end', () => {
      response.writeHead(status(line), {
        location: `http://elsewhere${request.url}/id-7`,
        'content-length': 15,
      })
      response.end('{"id":"made-7"}')
    })
  })
  stops.push(() => listener.stop())
  return { seen, url: listener.url }
}

const lines = (seen: readonly PeerCall[]): string[] =>
  seen.map(({ line }) => line.replaceAll(/bench-[\da-f]{8}/g, 'bench'))

function prepare(name: string, url: string, token: string) {
  const peer = peers[name]
  if (!peer) throw new Error(`there is no peer ${name}`)
  return peer.prepare(url, token)
}

it('Formance: makes a ledger and writes transactions into it', async () => {
  const { seen, url } = await startStandIn(() => 200)
  const { path, body } = await prepare('formance', url, '')
  expect(lines(seen)).toEqual(['POST /v2/bench'])
  expect(path).toMatch(/^\/v2\/bench-[\da-f]{8}\/transactions$/)
  expect(JSON.parse(body)).toMatchObject({ postings: [{ source: 'world', asset: 'UGX' }] })
})

it('Svix: makes an application and sends messages to it, with the token', async () => {
  const { seen, url } = await startStandIn(() => 201)
  const { path, headers } = await prepare('svix', url, 'signed')
  expect(lines(seen)).toEqual(['POST /api/v1/app/'])
  expect([path, headers['authorization']]).toEqual(['/api/v1/app/made-7/msg/', 'Bearer signed'])
})

it('Kill Bill: makes a tenant, an account and a payment method, and buys with it', async () => {
  const { seen, url } = await startStandIn(() => 201)
  const { path, headers } = await prepare('killbill', url, 'admin:password')
  expect(lines(seen)).toEqual([
    'POST /1.0/kb/tenants',
    'POST /1.0/kb/accounts',
    'POST /1.0/kb/accounts/id-7/paymentMethods?isDefault=true',
  ])
  expect(path).toBe('/1.0/kb/accounts/id-7/payments')
  expect(headers['x-killbill-apikey']).toBe(headers['x-killbill-apisecret'])
})

it('prints the rows of our own benchmark, with the time of the processes that were named', async () => {
  const { url } = await startStandIn((line) => (line.endsWith('/msg/') ? 202 : 201))
  const printed: string[] = []
  await benchPeer({
    name: 'svix',
    url,
    token: 'signed',
    pids: { peer: process.pid },
    directory: process.cwd(),
    seconds: 1,
    connections: 4,
    print: (line) => printed.push(line),
  })
  const text = printed.join('\n')
  for (const row of ['requests/s, 4 connections', 'fdatasync meanwhile, p50', 'latency at 100/s, p50, p99'])
    expect(text).toContain(row)
  expect(text).toMatch(/processor time per request +peer \d+\.\d+, load \d+\.\d+ ms/)
})

it('says what is missing', async () => {
  const options = {
    url: 'http://127.0.0.1:1',
    token: '',
    pids: {},
    directory: '/tmp',
    seconds: 1,
    connections: 1,
  }
  const print = (): void => undefined
  await expect(benchPeer({ ...options, name: 'other', print })).rejects.toThrow('formance, svix, killbill')
  await expect(benchPeer({ ...options, name: 'svix', print })).rejects.toThrow('--token')
})
