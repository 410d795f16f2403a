import { join } from 'node:path'
import { Pool } from 'undici'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startInstallation, type Installation } from '@switchyard/stack/start-installation.ts'
import { startProgram, type Program } from '@switchyard/stack/programs.ts'
import { firstAdmin, seedAll, type SeedResult } from '@switchyard/stack/seeds/seed.ts'
import { createWebhookClient, type WebhookClient } from '@switchyard/server/test/app/webhook-client.ts'
import {
  startTestReceiver,
  type ReceivedEvent,
  type TestReceiver,
} from '@switchyard/server/test/app/test-receiver.ts'
import { processorTimeMs } from './processor-time.ts'
import { quantile } from './statistics.ts'
import { formatTable } from './table.ts'

type Options = { seconds: number; print: (line: string) => void }
/** The running installation and how to measure it. */
type Bench = Options & {
  installation: Installation<SeedResult>
  client: WebhookClient
  receiver: TestReceiver
}

const backlog = 2_000
const warmUpCalls = 500
const warmUpSeconds = 10
/** How often the backlog is measured after a first one that is not counted. */
const backlogRounds = 7
const deliveryTables = ['events', 'deliveries', 'delivery_attempts', 'outbox']
const senders = 32
const steadyPerSecond = 100
const healthyEndpoints = 9
const endpoints = healthyEndpoints + 1
const wantedPerSecond = 200
/** How often the healthy endpoints are measured alone and beside the one that hangs. */
const turns = 2
const waitLimitMs = 120_000

/** Measures throughput relative to the engine alone, delivery latency, and the effect of one endpoint that hangs. */
export async function benchWebhooks({ seconds, print }: Options): Promise<void> {
  const installation = await startInstallation({
    seed: seedAll,
    postgres: { settings: { track_commit_timestamp: 'on' } },
  })
  const receiver = await startTestReceiver()
  const client = createWebhookClient(installation.apiUrl, firstAdmin(installation.seeded))
  try {
    await installation.startApi()
    const bench = { installation, client, receiver, seconds, print }
    const bare = await measureBare(bench)
    await client.register(`${receiver.url}/one`)
    const { program: worker } = await installation.startWorker()
    print(`backlog of ${backlog}, the engine alone: ${bare.toFixed(0)}/s`)
    print(backlogText(await measureBacklogs(bench, worker)))
    const steady = await measureRate(bench, { perSecond: steadyPerSecond, paths: ['/one'] })
    print(`${steadyPerSecond} events/s, one endpoint, commit to receipt: ${describe(steady)}`)
    await measureBesideHanging(bench)
  } finally {
    await client.stop()
    await installation.stop()
    await receiver.stop()
  }
}

/** Healthy endpoints, in turns alone and beside one that accepts every call and never answers. */
async function measureBesideHanging(bench: Bench): Promise<void> {
  const { client, receiver, print } = bench
  const paths = ['/one', ...Array.from({ length: healthyEndpoints - 1 }, (_, index) => `/healthy-${index}`)]
  for (const path of paths.slice(1)) await client.register(`${receiver.url}${path}`)
  receiver.behave = (response, request) => {
    if (request.url !== '/hanging') response.end()
  }
  const rows = [['events/s', 'nine healthy', 'beside one that hangs', 'p99 ratio (wanted: under 1.5)']]
  for (const perSecond of [wantedPerSecond / endpoints, wantedPerSecond]) {
    const alone: number[] = []
    const beside: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      alone.push(...(await measureRate(bench, { perSecond, paths })))
      const hanging = await client.register(`${receiver.url}/hanging`)
      beside.push(...(await measureRate(bench, { perSecond, paths })))
      await removeEndpoint(bench, hanging)
    }
    const p99Ratio = (p99Of(beside) / p99Of(alone)).toFixed(2)
    rows.push([String(perSecond), describe(alone), describe(beside), p99Ratio])
  }
  print(formatTable(rows))
}

/** Removes an endpoint and waits until its deliveries are gone, so that they do not burden the next turn. */
async function removeEndpoint({ client, installation }: Bench, webhookId: string): Promise<void> {
  await client.remove(webhookId)
  await waitUntil(
    async () => {
      const { rowCount } = await installation.owner.query(
        'select from deliveries where webhook_id = $1 limit 1',
        [webhookId],
      )
      return rowCount === 0
    },
    { timeoutMs: waitLimitMs, what: 'the deliveries of the endpoint to be removed', intervalMs: 200 },
  )
}

const p99Of = (delaysMs: readonly number[]): number => quantile(sorted(delaysMs), 0.99)
const sorted = (delaysMs: readonly number[]): number[] => delaysMs.toSorted((a, b) => a - b)
const describe = (delaysMs: readonly number[]): string =>
  `p50 ${quantile(sorted(delaysMs), 0.5).toFixed(0)} ms, p99 ${p99Of(delaysMs).toFixed(0)} ms of ${delaysMs.length}`

/** Calls per second of a service that does nothing but post in one durable step. */
async function measureBare({ installation, receiver }: Bench): Promise<number> {
  const port = await freePort()
  const service = await startProgram(join(import.meta.dirname, 'bare-service.ts'), {
    PORT: String(port),
    RECEIVER_URL: `${receiver.url}/bare`,
  })
  const admin = new Pool(installation.engine.adminUrl)
  const ingress = new Pool(installation.engine.ingressUrl, { connections: senders })
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
  const sendAll = (count: number): Promise<void> =>
    inParallel(count, (index) => send(ingress, '/Bare/post/send', { id: String(index) }))
  await sendAll(warmUpCalls)
  await untilReceived(receiver, '/bare', warmUpCalls)
  const startedAtMs = performance.now()
  await sendAll(backlog)
  const rate = await rateOf(receiver, '/bare', { startedAtMs, after: warmUpCalls })
  await Promise.all([admin.close(), ingress.close(), service.stop()])
  return rate
}

type BacklogRound = { perSecond: number; processorMs: Record<string, number> }

/** Several rounds, because the speed of a shared machine changes from one second to the next. */
async function measureBacklogs(bench: Bench, worker: Program): Promise<BacklogRound[]> {
  await measureBacklog(bench, worker)
  const rounds: BacklogRound[] = []
  while (rounds.length < backlogRounds) rounds.push(await measureBacklog(bench, worker))
  return rounds.toSorted((one, other) => one.perSecond - other.perSecond)
}

const backlogText = (rounds: readonly BacklogRound[]): string =>
  formatTable([
    ['deliveries/s', ...Object.keys(rounds[0]?.processorMs ?? {}).map((name) => `${name}, ms each`)],
    ...rounds.map(({ perSecond, processorMs }) => [
      perSecond.toFixed(0),
      ...Object.values(processorMs).map((ms) => ms.toFixed(2)),
    ]),
  ])

/** Deliveries per second of a backlog that built up while the worker was paused. */
async function measureBacklog(
  { installation, client, receiver }: Bench,
  worker: Program,
): Promise<BacklogRound> {
  await untilRecorded(installation)
  receiver.received.length = 0
  worker.signal('SIGSTOP')
  await inParallel(backlog, () => client.notify())
  // Autovacuum would have done this in an installation that has run for longer than minutes.
  for (const table of deliveryTables) await installation.owner.query(`vacuum (analyze) ${table}`)
  const times = (): Record<string, number> => ({
    worker: processorTimeMs(worker.pid),
    postgres: processorTimeMs(installation.postgres.pid),
    receiver: ownProcessorTimeMs(),
  })
  const before = times()
  const startedAtMs = performance.now()
  worker.signal('SIGCONT')
  const perSecond = await rateOf(receiver, '/one', { startedAtMs, after: 0 })
  const spent = Object.entries(times()).map(([name, after]) => [
    name,
    (after - (before[name] ?? 0)) / backlog,
  ])
  return { perSecond, processorMs: Object.fromEntries(spent) as Record<string, number> } // names and numbers
}

/** A call that is under way when the worker is paused would look slow to it afterwards. */
const untilRecorded = ({ owner }: Installation<SeedResult>): Promise<boolean> =>
  waitUntil(
    async () => (await owner.query(`select from deliveries where status = 'pending' limit 1`)).rowCount === 0,
    { timeoutMs: waitLimitMs, what: 'the deliveries to be recorded', intervalMs: 100 },
  )

/** Without the processes that this one has started. */
function ownProcessorTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const untilReceived = (receiver: TestReceiver, path: string, count: number): Promise<boolean> =>
  waitUntil(() => receiver.bodiesAt(path).length >= count, {
    timeoutMs: waitLimitMs,
    what: `${count} calls of ${path}`,
    intervalMs: 50,
  })

async function rateOf(
  receiver: TestReceiver,
  path: string,
  { startedAtMs, after }: { startedAtMs: number; after: number },
): Promise<number> {
  await untilReceived(receiver, path, after + backlog)
  const last = receiver.received.findLast((event) => event.path === path)
  return backlog / (((last?.atMs ?? 0) - startedAtMs) / 1_000)
}

/** The time from commit to receipt of each delivery at a fixed rate, after a warm-up. */
async function measureRate(
  bench: Bench,
  { perSecond, paths }: { perSecond: number; paths: string[] },
): Promise<number[]> {
  bench.receiver.received.length = 0
  await sendEvents(bench.client, { perSecond, seconds: warmUpSeconds })
  const eventIds = new Set(await sendEvents(bench.client, { perSecond, seconds: bench.seconds }))
  const received = (): ReceivedEvent[] =>
    bench.receiver.received.filter((event) => paths.includes(event.path) && eventIds.has(eventIdOf(event)))
  await waitUntil(() => received().length >= eventIds.size * paths.length, {
    timeoutMs: waitLimitMs,
    what: 'the events to arrive',
    intervalMs: 200,
  })
  const committedAtMs = await commitTimes(bench.installation, eventIds)
  return received().map(
    (event) => performance.timeOrigin + event.atMs - (committedAtMs.get(eventIdOf(event)) ?? 0),
  )
}

const eventIdOf = ({ headers }: ReceivedEvent): string => String(headers['webhook-id'])

async function sendEvents(
  client: WebhookClient,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<string[]> {
  const sends: Promise<string>[] = []
  const count = Math.ceil(perSecond * seconds)
  const startedAtMs = performance.now()
  await waitUntil(
    () => {
      while (sends.length < count && startedAtMs + (sends.length * 1_000) / perSecond <= performance.now())
        sends.push(client.notify())
      return sends.length >= count
    },
    { timeoutMs: waitLimitMs, what: 'the events to be sent', intervalMs: 2 },
  )
  return Promise.all(sends)
}

async function commitTimes(
  { owner }: Installation<SeedResult>,
  eventIds: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const { rows } = await owner.query<{ event_id: string; ms: number }>(
    `select event_id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as ms
     from events where event_id = any ($1)`,
    [[...eventIds]],
  )
  return new Map(rows.map(({ event_id: eventId, ms }) => [eventId, ms]))
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const sender = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: senders }, sender))
}
