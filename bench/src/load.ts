import { randomUUID } from 'node:crypto'
import { Pool, type Dispatcher } from 'undici'
import { z } from 'zod'

/** The load generator, in a process of its own: its work must not be counted as the server's. */
const options = z
  .object({
    origin: z.url(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    /** `{uuid}` in it is another one in each request. */
    body: z.string(),
    connections: z.int().positive(),
    warmUpSeconds: z.number().nonnegative(),
    seconds: z.number().positive(),
    /** Requests begin at this rate whether or not earlier ones have ended; without it, as fast as they end. */
    perSecond: z.number().positive().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

const tickMs = 1
const openLoopConnections = 256
const bodyParts = options.body.split('{uuid}')
const pool = new Pool(options.origin, {
  connections: options.perSecond === undefined ? options.connections : openLoopConnections,
  pipelining: 1,
})
const startedAt = performance.now()
const countFrom = startedAt + options.warmUpSeconds * 1_000
const endAt = countFrom + options.seconds * 1_000
const durationsMs: number[] = []
const failures = { count: 0, first: '' }
let total = 0

function send(plannedAt: number, done: () => void): void {
  let status = 0
  let failureText = ''
  const finish = (): void => {
    const now = performance.now()
    total += 1
    if (status !== 200) {
      failures.count += 1
      failures.first ||= `${status} ${failureText}`
    }
    if (plannedAt >= countFrom && now <= endAt) durationsMs.push(now - plannedAt)
    done()
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart: (_controller, statusCode) => {
      status = statusCode
    },
    onResponseData: (_controller, chunk) => {
      if (status !== 200) failureText += chunk.toString()
    },
    onResponseEnd: finish,
    onResponseError: (_controller, error) => {
      failureText = String(error)
      finish()
    },
  }
  const body = bodyParts.length === 1 ? options.body : bodyParts.join(randomUUID())
  pool.dispatch({ method: 'POST', path: options.path, headers: options.headers, body }, handler)
}

async function closedLoop(): Promise<void> {
  const worker = (): Promise<void> =>
    new Promise((resolve) => {
      const next = (): void => (performance.now() < endAt ? send(performance.now(), next) : resolve())
      next()
    })
  await Promise.all(Array.from({ length: options.connections }, worker))
}

/** A request's time runs from when it was due, so that a server that stalls cannot hide it by slowing us down. */
async function openLoop(perSecond: number): Promise<void> {
  const gapMs = 1_000 / perSecond
  let planned = 0
  let open = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      for (let dueAt = startedAt + planned * gapMs; dueAt <= now; dueAt = startedAt + planned * gapMs) {
        planned += 1
        open += 1
        send(dueAt, () => (open -= 1))
      }
      if (now < endAt || open > 0) return
      clearInterval(timer)
      resolve()
    }, tickMs)
  })
}

await (options.perSecond === undefined ? closedLoop() : openLoop(options.perSecond))
await pool.close()
durationsMs.sort((a, b) => a - b)
const quantile = (share: number): number => durationsMs[Math.floor(durationsMs.length * share)] ?? 0
const result = {
  total,
  failed: failures.count,
  firstFailure: failures.first,
  perSecond: durationsMs.length / options.seconds,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  cpuMs: (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
}
process.stdout.write(JSON.stringify(result))
