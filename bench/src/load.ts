import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/**
 * The load generator. It is a process of its own, so that its CPU time is not counted as the server's. It speaks just enough
 * HTTP for our own servers, because a full client would use much of the CPU that is being measured.
 */
type Options = {
  origin: string
  path: string
  headers: Record<string, string>
  /** `{uuid}` is replaced by a new UUID in each request. */
  body: string
  connections: number
  warmUpSeconds: number
  seconds: number
  /** Starts requests at this rate even if earlier ones are open; without it, each connection sends continuously. */
  perSecond?: number
}

// Written by initiate.ts.
const options = JSON.parse(process.argv[2] ?? '') as Options
const { hostname, port } = new URL(options.origin)
const uuidLength = 36
const tickMs = 1
const openLoopConnections = 256
const bodyParts = options.body.split('{uuid}')
const bodyBytes = Buffer.byteLength(bodyParts.join('')) + uuidLength * (bodyParts.length - 1)
const head = [
  `POST ${options.path} HTTP/1.1`,
  `host: ${hostname}:${port}`,
  ...Object.entries(options.headers).map(([name, value]) => `${name}: ${value}`),
  `content-length: ${bodyBytes}`,
].join('\r\n')

/** Decoded as latin1, so that a character is a byte. */
type Answer = { status: number; body: string }
type Connection = { send(done: (answer: Answer) => void): void; end(): void }

const startedAt = performance.now()
const countFrom = startedAt + options.warmUpSeconds * 1_000
const endAt = countFrom + options.seconds * 1_000
const durationsMs: number[] = []
const failures = { count: 0, first: '' }
let total = 0

/** One request at a time over a keep-alive connection. */
async function openConnection(): Promise<Connection> {
  const socket: Socket = await new Promise((resolve, reject) => {
    const connecting = connect({ host: hostname, port: Number(port), noDelay: true })
    connecting.once('connect', () => resolve(connecting)).once('error', reject)
  })
  let received = ''
  let done: ((answer: Answer) => void) | undefined
  const finish = (answer: Answer): void => {
    const callback = done
    received = ''
    done = undefined
    callback?.(answer)
  }
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    const answer = answerIn(received)
    if (answer) finish(answer)
  })
  socket
    .on('error', () => undefined)
    .on('close', () => finish({ status: 0, body: 'the connection was closed' }))
  return {
    send(callback) {
      done = callback
      socket.write(`${head}\r\n\r\n${bodyParts.length === 1 ? options.body : bodyParts.join(randomUUID())}`)
    },
    end: () => socket.destroy(),
  }
}

function answerIn(text: string): Answer | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyStart = headEnd + 4
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  if (length === undefined) return { status: 0, body: 'an answer without content-length' }
  if (text.length < bodyStart + Number(length)) return undefined
  return { status: Number(text.slice(9, 12)), body: text.slice(bodyStart) }
}

function request(connection: Connection, plannedAt: number, done: () => void): void {
  connection.send(({ status, body }) => {
    const now = performance.now()
    total += 1
    if (status !== 200) {
      failures.count += 1
      failures.first ||= `${status} ${body}`
    }
    if (plannedAt >= countFrom && now <= endAt) durationsMs.push(now - plannedAt)
    done()
  })
}

async function closedLoop(connections: readonly Connection[]): Promise<void> {
  const work = (connection: Connection): Promise<void> =>
    new Promise((resolve) => {
      const next = (): void => {
        if (performance.now() >= endAt || failures.count > 0) resolve()
        else request(connection, performance.now(), next)
      }
      next()
    })
  await Promise.all(connections.map(work))
}

/** Measures from when a request was due, so that a stalled server cannot hide its latency (coordinated omission). */
async function openLoop(connections: readonly Connection[], perSecond: number): Promise<void> {
  const idle = [...connections]
  let planned = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      const due = Math.floor(((now - startedAt) * perSecond) / 1_000)
      while (planned < due) {
        const connection = idle.pop()
        if (!connection) break
        planned += 1
        request(connection, startedAt + (planned * 1_000) / perSecond, () => idle.push(connection))
      }
      if (now < endAt || idle.length < connections.length) return
      clearInterval(timer)
      resolve()
    }, tickMs)
  })
}

const count = options.perSecond === undefined ? options.connections : openLoopConnections
const connections = await Promise.all(Array.from({ length: count }, openConnection))
await (options.perSecond === undefined ? closedLoop(connections) : openLoop(connections, options.perSecond))
for (const connection of connections) connection.end()
durationsMs.sort((a, b) => a - b)
const quantile = (share: number): number => durationsMs[Math.floor(durationsMs.length * share)] ?? 0
const { user, system } = process.cpuUsage()
const result = {
  total,
  failed: failures.count,
  firstFailure: failures.first,
  perSecond: durationsMs.length / options.seconds,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  cpuMs: (user + system) / 1_000,
}
process.stdout.write(JSON.stringify(result))
