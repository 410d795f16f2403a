import { readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { createPublicKey } from 'node:crypto'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listeningHosts } from '../testing/listening-hosts.ts'
import { scratchDir } from '../testing/scratch-dir.ts'
import { freePort, loopback } from './ports.ts'
import { startRestate, type Restate, type RestateOptions } from './restate.ts'
import { toBase58 } from './restate-identity-key.ts'
import { answersOk } from './wait-until.ts'

let scratch: Awaited<ReturnType<typeof scratchDir>>
let options: RestateOptions
let restate: Restate

beforeAll(async () => {
  scratch = await scratchDir()
  const [ingressPort, adminPort, nodePort] = [await freePort(), await freePort(), await freePort()]
  options = { dataDir: join(scratch.path, 'restate'), ingressPort, adminPort, nodePort }
  restate = await startRestate(options)
})

afterAll(async () => {
  await restate.stop()
  await scratch.remove()
})

/** Answers Restate's discovery request and records its headers. */
async function registerGreeter(): Promise<IncomingHttpHeaders> {
  let asked: IncomingHttpHeaders = {}
  const port = await freePort()
  const server = createServer((request, response) => {
    asked = request.headers
    response.setHeader('content-type', 'application/vnd.restate.endpointmanifest.v1+json')
    const service = { name: 'Greeter', ty: 'SERVICE', handlers: [{ name: 'greet' }] }
    const protocol = { protocolMode: 'REQUEST_RESPONSE', minProtocolVersion: 5, maxProtocolVersion: 5 }
    response.end(JSON.stringify({ ...protocol, services: [service] }))
  }).listen(port, loopback)
  await once(server, 'listening')
  const response = await fetch(`${restate.adminUrl}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://${loopback}:${port}`, use_http_11: true }),
  })
  server.close()
  expect(await response.text()).toContain('Greeter')
  return asked
}

async function serviceNames(): Promise<string[]> {
  const { services } = (await (await fetch(`${restate.adminUrl}/services`)).json()) as {
    services: { name: string }[]
  }
  return services.map(({ name }) => name)
}

test.runIf(process.platform === 'linux')('its three ports listen on loopback only', async () => {
  const ports = [options.ingressPort, options.adminPort, options.nodePort]
  expect(await Promise.all(ports.map(listeningHosts))).toEqual([['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1']])
})

test('it signs its calls with the identity key', async () => {
  const { 'x-restate-jwt-v1': token } = await registerGreeter()
  const pem = await readFile(join(options.dataDir, 'identity-key.pem'))
  const { protectedHeader } = await jwtVerify(String(token), createPublicKey(pem))
  expect(protectedHeader.kid).toBe(restate.identityKey)
})

test('the private key is readable by its owner only', async () => {
  expect((await stat(join(options.dataDir, 'identity-key.pem'))).mode & 0o777).toBe(0o600)
})

test('after a stop nothing answers, and a start restores services and key', async () => {
  const { identityKey } = restate
  await restate.stop()
  expect(await answersOk(`${restate.adminUrl}/health`)).toBe(false)
  restate = await startRestate(options)
  expect(restate.identityKey).toBe(identityKey)
  expect(await serviceNames()).toEqual(['Greeter'])
})

test('a killed server starts again with its services', async () => {
  const { pid } = restate
  await restate.kill()
  await restate.start()
  expect(restate.pid).not.toBe(pid)
  expect(await serviceNames()).toEqual(['Greeter'])
})

test('the same data can be served on other ports', async () => {
  await restate.stop()
  const [ingressPort, adminPort, nodePort] = [await freePort(), await freePort(), await freePort()]
  restate = await startRestate({ ...options, ingressPort, adminPort, nodePort })
  expect(await serviceNames()).toEqual(['Greeter'])
})

test('a port in use is reported with the error of the server', async () => {
  const dataDir = join(scratch.path, 'second')
  const nodePort = await freePort()
  const adminPort = Number(new URL(restate.adminUrl).port)
  const start = startRestate({ dataDir, nodePort, adminPort, ingressPort: await freePort() })
  await expect(start).rejects.toThrow('Restate exited at start')
})

test.each([
  ['', ''],
  ['00', '1'],
  ['0000287fb4cd', '11233QC4'],
  ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
])('base58 of %s is %s', (hex, expected) => {
  expect(toBase58(Buffer.from(hex, 'hex'))).toBe(expected)
})
