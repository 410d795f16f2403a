import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { countedTime } from './count-calls.ts'
import { quantileShares, traceHeader, type LoadOptions } from './load-options.ts'
import { quantile } from './statistics.ts'

/**
 * The load generator. It is a process of its own, so that its CPU time is not counted as the server's. It speaks just enough
 * HTTP for our own servers, because a full client would use much of the CPU that is being measured.
 */
// Written by run-load.ts.
const options = JSON.parse(process.argv[2] ?? '') as LoadOptions
const { hostname, port } = new URL(options.origin)
const uuidLength = 36
const tickMs = 1
const openLoopConnections = 256
const bodyParts = options.body.split('{uuid}')
const bodyBytes = Buffer.byteLength(bodyParts.join('')) + uuidLength * (bodyParts.length - 1)
const heads = (options.apiKeys.length === 0 ? [undefined] : options.apiKeys).map((apiKey) =>
  [
    `POST ${options.path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    ...Object.entries({ ...options.headers, ...(apiKey !== undefined && { 'x-api-key': apiKey }) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    `content-length: ${bodyBytes}`,
  ].join('\r\n'),
)

/** Decoded as latin1, so that a character is a byte. */
type Answer = { status: number; body: string }
type Connection = { send(number: number, done: (answer: Answer) => void): void; end(): void }
/** In milliseconds since 1970, as the other processes count. */
type TracedRequest = { number: number; dueAtMs: number; sentAtMs: number; endedAtMs: number }

const sinceEpoch = (at: number): number => performance.timeOrigin + at

const startedAt = performance.now()
const countFrom = startedAt + options.warmUpSeconds * 1_000
const endAt = countFrom + options.seconds * 1_000
const durationsMs: number[] = []
const traced: TracedRequest[] = []
const failures = { count: 0, first: '' }
let total = 0
let completed = 0

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
    send(number, callback) {
      done = callback
      const head = `${heads[number % heads.length]}${options.isTraced ? `\r\n${traceHeader}: ${number}` : ''}`
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
  if (length === undefined) return chunkedAnswerIn(text, bodyStart)
  if (text.length < bodyStart + Number(length)) return undefined
  return { status: Number(text.slice(9, 12)), body: text.slice(bodyStart) }
}

/** Answers of other servers than ours may come in chunks, the last of which is empty. */
function chunkedAnswerIn(text: string, bodyStart: number): Answer | undefined {
  if (!/transfer-encoding: chunked/i.test(text.slice(0, bodyStart)))
    return { status: 0, body: 'an answer without a length' }
  if (!text.endsWith('0\r\n\r\n')) return undefined
  return { status: Number(text.slice(9, 12)), body: text.slice(bodyStart) }
}

let sent = 0

function request(connection: Connection, plannedAt: number, done: () => void): void {
  const number = sent++
  const sentAt = performance.now()
  connection.send(number, ({ status, body }) => {
    const now = performance.now()
    total += 1
    if (now >= countFrom && now <= endAt) completed += 1
    if (status !== (options.okStatus ?? 200)) {
      failures.count += 1
      failures.first ||= `${status} ${body}`
    }
    // What is still open at the end counts too: to leave it out would leave out the slowest.
    if (plannedAt >= countFrom && plannedAt <= endAt) {
      durationsMs.push(now - plannedAt)
      if (options.isTraced) {
        const [dueAtMs, sentAtMs, endedAtMs] = [sinceEpoch(plannedAt), sinceEpoch(sentAt), sinceEpoch(now)]
        traced.push({ number, dueAtMs, sentAtMs, endedAtMs })
      }
    }
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
      // Nothing is due after the end: while a slow server has open requests, the loop would never find all idle.
      const due = Math.floor(((Math.min(now, endAt) - startedAt) * perSecond) / 1_000)
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

const timing = countedTime(countFrom, endAt)
const count = options.perSecond === undefined ? options.connections : openLoopConnections
const connections = await Promise.all(Array.from({ length: count }, openConnection))
await (options.perSecond === undefined ? closedLoop(connections) : openLoop(connections, options.perSecond))
for (const connection of connections) connection.end()
const spent = await timing
durationsMs.sort((a, b) => a - b)
const result = {
  total,
  completed,
  failed: failures.count,
  firstFailure: failures.first,
  perSecond: completed / options.seconds,
  p50Ms: quantile(durationsMs, 0.5),
  p99Ms: quantile(durationsMs, 0.99),
  quantilesMs: quantileShares.map((share) => quantile(durationsMs, share)),
  cpuMs: (spent.user + spent.system) / 1_000,
  traced,
}
console.log(JSON.stringify(result))
