import { join } from 'node:path'
import { Pool } from 'undici'
import { startWorld, type World } from '../../dev/src/crash-webhooks/world.ts'
import { freePort, loopback } from '../../dev/src/services/ports.ts'
import { waitUntil } from '../../dev/src/services/wait-until.ts'
import { scratchDir } from '../../dev/src/testing/scratch-dir.ts'
import { startProgram } from '../../server/src/testing/processes.ts'
import { startTestReceiver, type TestReceiver } from '../../server/src/testing/test-receiver.ts'
import { formatTable } from './table.ts'

type Options = { seconds: number; print: (line: string) => void }

const backlog = 2_000
const senders = 32
const steadyPerSecond = 100
const healthyEndpoints = 9
const besideHangingPerSecond = 200
const waitLimitMs = 300_000

/** Deliveries as a share of what the engine does alone; time to receipt; one endpoint that hangs beside nine. */
export async function benchWebhooks({ seconds, print }: Options): Promise<void> {
  const scratch = await scratchDir()
  const world = await startWorld(scratch.path)
  const receiver = await startTestReceiver()
  try {
    const bare = await measureBare(world, receiver)
    await world.register(`${receiver.url}/one`)
    const own = await measureBacklog(world, receiver)
    print(
      `backlog of ${backlog}: ${own.toFixed(0)}/s, the engine alone ${bare.toFixed(0)}/s, ratio ${(own / bare).toFixed(2)}`,
    )
    const worker = await world.startWorker()
    const steady = await measureRate(world, receiver, {
      perSecond: steadyPerSecond,
      seconds,
      paths: ['/one'],
    })
    const paths = await addEndpoints(world, receiver)
    const beside = await measureRate(world, receiver, {
      perSecond: besideHangingPerSecond / (healthyEndpoints + 1),
      seconds,
      paths,
    })
    print(
      formatTable([
        ['from request to receipt', 'p50 ms', 'p99 ms', 'arrived'],
        ['100 events/s, one endpoint', ...steady],
        ['200 deliveries/s, nine healthy, one hanging', ...beside],
      ]),
    )
    await worker.stop()
  } finally {
    await world.stop()
    await receiver.stop()
    await scratch.remove()
  }
}

/** Calls per second of a service that does nothing but post in one step. */
async function measureBare(world: World, receiver: TestReceiver): Promise<number> {
  const port = await freePort()
  const service = await startProgram(join(import.meta.dirname, 'bare-service.ts'), {
    PORT: String(port),
    RECEIVER_URL: `${receiver.url}/bare`,
  })
  const admin = new Pool(world.restate.adminUrl)
  const ingress = new Pool(world.restate.ingressUrl, { connections: senders })
  const send = async (pool: Pool, path: string, body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    const response = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
    await response.body.dump()
    return response.statusCode
  }
  const deployment = { uri: `http://${loopback}:${port}` }
  await waitUntil(async () => (await send(admin, '/deployments', deployment).catch(() => 500)) < 300, {
    timeoutMs: 20_000,
    what: 'the bare service',
  })
  const startedAtMs = performance.now()
  await inParallel(backlog, (index) => send(ingress, '/Bare/post/send', { id: String(index) }))
  const rate = await rateOf(receiver, '/bare', startedAtMs)
  await Promise.all([admin.close(), ingress.close(), service.stop()])
  return rate
}

/** Deliveries per second when events have piled up before the worker starts. */
async function measureBacklog(world: World, receiver: TestReceiver): Promise<number> {
  await inParallel(backlog, () => world.notify())
  const worker = await world.startWorker()
  const startedAtMs = performance.now()
  const rate = await rateOf(receiver, '/one', startedAtMs)
  await worker.stop()
  return rate
}

async function rateOf(receiver: TestReceiver, path: string, startedAtMs: number): Promise<number> {
  await waitUntil(() => receiver.bodiesAt(path).length >= backlog, {
    timeoutMs: waitLimitMs,
    what: `${backlog} calls`,
    intervalMs: 100,
  })
  const last = receiver.received.findLast((event) => event.path === path)
  return backlog / (((last?.atMs ?? 0) - startedAtMs) / 1_000)
}

async function addEndpoints(world: World, receiver: TestReceiver): Promise<string[]> {
  const paths = Array.from({ length: healthyEndpoints - 1 }, (_, index) => `/healthy-${index}`)
  for (const path of [...paths, '/hanging']) await world.register(`${receiver.url}${path}`)
  receiver.behave = (response, request) => {
    if (request.url !== '/hanging') response.end()
  }
  return ['/one', ...paths]
}

/** The time from the request that commits an event to its receipt, at a rate that does not wait for anything. */
async function measureRate(
  world: World,
  receiver: TestReceiver,
  { perSecond, seconds, paths }: { perSecond: number; seconds: number; paths: string[] },
): Promise<string[]> {
  const sentAtMs = new Map<string, number>()
  const sends: Promise<void>[] = []
  const count = perSecond * seconds
  const startedAtMs = performance.now()
  await waitUntil(
    () => {
      for (; sends.length < count && startedAtMs + (sends.length * 1_000) / perSecond <= performance.now();) {
        const atMs = performance.now()
        sends.push(world.notify().then((id) => void sentAtMs.set(id, atMs)))
      }
      return sends.length >= count
    },
    { timeoutMs: waitLimitMs, what: 'the events to be sent', intervalMs: 2 },
  )
  await Promise.all(sends)
  const received = () =>
    receiver.received.filter(
      ({ path, headers }) => paths.includes(path) && sentAtMs.has(String(headers['webhook-id'])),
    )
  await waitUntil(() => received().length >= count * paths.length, {
    timeoutMs: waitLimitMs,
    what: 'the events to arrive',
    intervalMs: 200,
  })
  const delaysMs = received()
    .map(({ atMs, headers }) => atMs - (sentAtMs.get(String(headers['webhook-id'])) ?? 0))
    .toSorted((a, b) => a - b)
  const quantile = (share: number): string => (delaysMs[Math.floor(delaysMs.length * share)] ?? 0).toFixed(0)
  return [quantile(0.5), quantile(0.99), String(delaysMs.length)]
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const sender = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: senders }, sender))
}
