import { parseArgs } from 'node:util'
import {
  startTestReceiver,
  type ReceivedEvent,
  type TestReceiver,
} from '@switchyard/server/testing/test-receiver.ts'
import type { Program } from '@switchyard/stack/programs.ts'
import { startWorld, type World } from './crash-webhooks/world.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'

export type CrashOptions = { events: number; endpoints: number; kills: number; print(line: string): void }

export type CrashReport = {
  expected: number
  lost: number
  duplicates: number
  /** Deliveries of one event whose bytes or ids differ. */
  changed: number
  longestRecoveryMs: number
}

const recoveryLimitMs = 120_000
const senders = 8

/** Ends the worker and the engine with kill -9, in turn, while events go out to every endpoint. */
export async function crashWebhooks(options: CrashOptions): Promise<CrashReport> {
  const scratch = await scratchDir()
  const world = await startWorld(scratch.path)
  const receiver = await startTestReceiver()
  let worker = await world.startWorker()
  try {
    for (let endpoint = 0; endpoint < options.endpoints; endpoint += 1)
      await world.register(`${receiver.url}/${endpoint}`)
    const sending = sendEvents(world, options.events)
    const total = options.events * options.endpoints
    let longestRecoveryMs = 0
    for (let kill = 1; kill <= options.kills; kill += 1) {
      await untilReceived(receiver, Math.floor((total * kill) / (options.kills + 1)))
      const killedAtMs = performance.now()
      if (kill % 2 === 1) worker = await killWorker(world, worker)
      else await killEngine(world)
      const seen = receiver.received.length
      await untilReceived(receiver, Math.min(seen + 1, total))
      longestRecoveryMs = Math.max(longestRecoveryMs, performance.now() - killedAtMs)
      options.print(
        `kill ${kill}: ${receiver.received.length} of ${total} have arrived, ${duplicatesIn(receiver)} twice`,
      )
    }
    const eventIds = await sending
    await untilRecorded(world)
    return { ...compare(receiver, eventIds, options.endpoints), longestRecoveryMs }
  } finally {
    await worker.stop()
    await world.stop()
    await receiver.stop()
    await scratch.remove()
  }
}

async function sendEvents(world: World, count: number): Promise<string[]> {
  const eventIds: string[] = []
  let left = count
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      eventIds.push(await world.notify())
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return eventIds
}

async function killWorker(world: World, worker: Program): Promise<Program> {
  worker.signal('SIGKILL')
  await worker.exited
  return world.startWorker()
}

async function killEngine({ restate }: World): Promise<void> {
  await restate.kill()
  await restate.start()
}

const untilReceived = (receiver: TestReceiver, count: number): Promise<boolean> =>
  waitUntil(() => receiver.received.length >= count, {
    timeoutMs: recoveryLimitMs,
    what: `${count} deliveries`,
  })

const untilRecorded = (world: World): Promise<boolean> =>
  waitUntil(
    async () => {
      const { rowCount } = await world.owner.query(`select from deliveries where status = 'pending' limit 1`)
      return rowCount === 0
    },
    { timeoutMs: recoveryLimitMs, what: 'every delivery to be recorded', intervalMs: 200 },
  )

const eventIdOf = ({ headers }: ReceivedEvent): string => String(headers['webhook-id'])
const deliveryOf = (event: ReceivedEvent): string => `${event.path} ${eventIdOf(event)}`

const duplicatesIn = ({ received }: TestReceiver): number =>
  received.length - new Set(received.map(deliveryOf)).size

function compare(
  receiver: TestReceiver,
  eventIds: readonly string[],
  endpoints: number,
): Omit<CrashReport, 'longestRecoveryMs'> {
  const arrived = new Set(receiver.received.map(deliveryOf))
  const byEvent = Map.groupBy(receiver.received, eventIdOf)
  const paths = Array.from({ length: endpoints }, (_, endpoint) => `/${endpoint}`)
  const lost = eventIds.flatMap((id) => paths.filter((path) => !arrived.has(`${path} ${id}`))).length
  const changed = [...byEvent].filter(
    ([id, events]) =>
      new Set(events.map(({ body }) => body)).size > 1 || !events[0]?.body.startsWith(`{"event_id":"${id}"`),
  ).length
  return { expected: eventIds.length * endpoints, lost, duplicates: duplicatesIn(receiver), changed }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '400' },
      endpoints: { type: 'string', default: '5' },
      kills: { type: 'string', default: '4' },
    },
  })
  const [events, endpoints, kills] = [values.events, values.endpoints, values.kills].map(Number)
  if (!events || !endpoints || kills === undefined || !Number.isInteger(events * endpoints * (kills + 1)))
    throw new Error('--events, --endpoints and --kills are whole numbers')
  const report = await crashWebhooks({ events, endpoints, kills, print: console.log })
  console.log(report)
  const isClean = report.lost === 0 && report.changed === 0 && report.duplicates < report.expected / 100
  process.exitCode = isClean ? 0 : 1
}

if (import.meta.main) await main()
