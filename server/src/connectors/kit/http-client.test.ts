import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import { closedUrl } from '../testing/receiver.ts'
import { createAgent, createHttpClient, type HttpResult } from './http-client.ts'
import { testCertificate, testKey } from '../../../test/app/test-certificates.ts'

const call = {
  method: 'POST' as const,
  body: '{"amount":"1"}',
  headers: { 'content-type': 'application/json' },
}
const http = createHttpClient()
const megabyte = 1024 * 1024

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    // These tests abort requests, so errors of the socket are expected.
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  )
  return (server.address() as AddressInfo).port
}

/** Reacts as soon as the first byte of the request has arrived. */
async function afterFirstByte(act: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => void socket.once('data', () => act(socket)))
  return `http://127.0.0.1:${await listen(server)}/pay`
}

async function answering(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}/pay`
}

/** The next request uses an open connection, so that a short timeout cannot end before its first byte was sent. */
async function openConnection(listener: RequestListener): Promise<string> {
  let requests = 0
  const url = await answering((request, response) =>
    ++requests === 1 ? void response.end('{}') : listener(request, response),
  )
  expect((await http({ ...call, url })).kind).toBe('answered')
  return url
}

function expectUnknown(result: HttpResult): void {
  expect(result).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/./) })
}

describe('answered', () => {
  test.each([200, 201, 302, 400, 404, 409, 429, 500, 503])('%d is returned with its body', async (status) => {
    const url = await answering((_request, response) => {
      response.writeHead(status, { 'x-request-id': '7', location: 'http://127.0.0.1:1/' }).end('{"ok":1}')
    })
    const result = await http({ ...call, url })
    const headers = { 'x-request-id': '7' }
    expect(result).toMatchObject({ kind: 'answered', status, body: '{"ok":1}', headers })
  })

  test('method, path, query, headers and body arrive as they were given', async () => {
    const url = await answering((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        response.end(`${request.method} ${request.url} ${String(request.headers['x-key'])} ${body}`)
      })
    })
    const result = await http({ method: 'PUT', url: `${url}?a=1%202`, headers: { 'x-key': 'k' }, body: 'ü' })
    expect(result).toMatchObject({ body: 'PUT /pay?a=1%202 k ü' })
  })
})

describe('not_sent: failures before the first byte', () => {
  test('no server listens on the port', async () => {
    const result = await http({ ...call, url: await closedUrl() })
    expect(result).toEqual({ kind: 'not_sent', reason: 'ECONNREFUSED' })
  })

  test('the name does not exist', async () => {
    const result = await http({ ...call, url: 'http://nowhere.invalid/pay' })
    expect(result.kind).toBe('not_sent')
  })

  test('the certificate is not trusted', async () => {
    const port = await listen(createTlsServer({ key: testKey, cert: testCertificate }))
    const result = await http({ ...call, url: `https://127.0.0.1:${port}/pay` })
    expect(result).toEqual({ kind: 'not_sent', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  })

  test('an error with the code of a failed connection, but after bytes have left, is unknown', async () => {
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController // no other function is called
    const failing = {
      dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
        handler.onRequestStart?.(controller, {})
        handler.onResponseError?.(controller, Object.assign(new Error('read'), { code: 'EHOSTUNREACH' }))
        return true
      },
    } as unknown as Dispatcher // no other function is called
    const result = await createHttpClient(failing)({ ...call, url: 'http://127.0.0.1:1/pay' })
    expect(result).toEqual({ kind: 'unknown', reason: 'EHOSTUNREACH' })
  })

  test('the connection is not made in time', async () => {
    const port = await listen(createTcpServer(() => undefined))
    const agent = createAgent(300)
    closers.push(() => agent.destroy())
    const result = await createHttpClient(agent)({ ...call, url: `https://127.0.0.1:${port}/pay` })
    expect(result).toEqual({ kind: 'not_sent', reason: 'UND_ERR_CONNECT_TIMEOUT' })
  })

  test('the timeout comes while a slow server has not finished the handshake, and nothing is sent later', async () => {
    const received: Buffer[] = []
    const accepted: Socket[] = []
    const secure = createTlsServer({ key: testKey, cert: testCertificate }, (socket) => {
      accepted.push(socket)
      socket.on('data', (data: Buffer) => received.push(data))
      socket.on('error', () => undefined)
    })
    const handshake = Promise.withResolvers<void>()
    const slow = createTcpServer((socket) => {
      socket.pause()
      handshake.promise.then(
        () => secure.emit('connection', socket),
        () => undefined,
      )
    })
    const agent = new Agent({ connect: { ca: testCertificate, servername: 'localhost' } })
    closers.push(() => agent.destroy())
    const client = createHttpClient(agent)
    const url = `https://127.0.0.1:${await listen(slow)}/pay`
    expect((await client({ ...call, url, timeoutMs: 100 })).kind).toBe('not_sent')
    handshake.resolve()
    const later = client({ ...call, url, body: '{"later":1}' })
    await expect.poll(() => Buffer.concat(received).toString()).toContain('{"later":1}')
    expect(Buffer.concat(received).toString()).not.toContain(call.body)
    for (const socket of accepted) socket.destroy()
    expectUnknown(await later)
  })

  test('the timeout comes while every connection is taken, and nothing is sent later', async () => {
    const bodies: string[] = []
    const answers: (() => void)[] = []
    const url = await answering((request, response) => {
      request.on('data', (data: Buffer) => bodies.push(data.toString()))
      answers.push(() => void response.end('{}'))
    })
    const agent = new Agent({ connections: 1, pipelining: 1 })
    closers.push(() => agent.destroy())
    const client = createHttpClient(agent)
    const first = client({ ...call, url, body: 'first' })
    await expect.poll(() => bodies).toEqual(['first'])
    // The only connection is taken until the first call is answered, so nothing but the timeout can end this one.
    expect((await client({ ...call, url, body: 'second', timeoutMs: 100 })).kind).toBe('not_sent')
    answers[0]?.()
    expect((await first).kind).toBe('answered')
    const third = client({ ...call, url, body: 'third' })
    await expect.poll(() => answers).toHaveLength(2)
    answers[1]?.()
    expect((await third).kind).toBe('answered')
    expect(bodies).toEqual(['first', 'third'])
  })
})

describe('unknown: failures after the first byte', () => {
  test('a reset after the first byte', async () => {
    expectUnknown(await http({ ...call, url: await afterFirstByte((socket) => socket.resetAndDestroy()) }))
  })

  test('a close without an answer', async () => {
    expectUnknown(await http({ ...call, url: await afterFirstByte((socket) => socket.end()) }))
  })

  test('no answer in time', async () => {
    const url = await openConnection(() => undefined)
    expect(await http({ ...call, url, timeoutMs: 100 })).toEqual({ kind: 'unknown', reason: 'timeout' })
  })

  test('an answer that begins and never ends', async () => {
    const url = await openConnection((_request, response) => void response.writeHead(200).write('{'))
    expectUnknown(await http({ ...call, url, timeoutMs: 200 }))
  })

  test('an answer that is cut short', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"status":'
    expectUnknown(await http({ ...call, url: await afterFirstByte((socket) => socket.end(answer)) }))
  })

  test('a chunked answer that is cut short', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'
    expectUnknown(await http({ ...call, url: await afterFirstByte((socket) => socket.end(answer)) }))
  })

  test('an answer that is not HTTP', async () => {
    expectUnknown(await http({ ...call, url: await afterFirstByte((socket) => socket.end('hello\r\n\r\n')) }))
  })

  test.each([
    ['as large as allowed', megabyte, 'answered'],
    ['one byte larger', megabyte + 1, 'unknown'],
    ['far larger', 16 * megabyte, 'unknown'],
  ])('an answer %s', async (_size, bytes, kind) => {
    const url = await answering((_request, response) => void response.end(Buffer.alloc(bytes, 97)))
    expect((await http({ ...call, url })).kind).toBe(kind)
  })

  test('a request is not retried if the provider closes the kept-alive connection during it', async () => {
    let requests = 0
    const url = await answering((request, response) => {
      requests += 1
      if (requests === 1) response.end('{}')
      else request.socket.destroy()
    })
    expect((await http({ ...call, url })).kind).toBe('answered')
    expectUnknown(await http({ ...call, url }))
    expect(requests).toBe(2)
  })
})
