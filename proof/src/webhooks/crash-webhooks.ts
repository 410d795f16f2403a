import type { Pool } from 'pg'
import {
  startTestReceiver,
  type ReceivedEvent,
  type TestReceiver,
} from '@switchyard/server/test/app/test-receiver.ts'
import { createWebhookClient, type WebhookClient } from '@switchyard/server/test/app/webhook-client.ts'
import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import { firstAdmin, seedAll } from '@switchyard/stack/seeds/seed.ts'
import type { EngineNode } from '@switchyard/stack/services/restate-cluster.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'

type CrashOptions = { events: number; endpoints: number; kills: number; print(line: string): void }

type CrashReport = {
  expected: number
  lost: number
  duplicates: number
  /** Deliveries of one event whose bytes or ids differ. */
  changed: number
  longestRecoveryMs: number
}

const recoveryLimitMs = 120_000
const senders = 8

/** Kills the worker and the engine with -9, in turn, while events are delivered to every endpoint. */
export async function crashWebhooks(options: CrashOptions): Promise<CrashReport> {
  const installation = await startInstallation({ seed: seedAll })
  const receiver = await startTestReceiver()
  const client = createWebhookClient(installation.apiUrl, firstAdmin(installation.seeded))
  try {
    await installation.startApi()
    const worker = await installation.startWorker()
    for (let endpoint = 0; endpoint < options.endpoints; endpoint += 1)
      await client.register(`${receiver.url}/${endpoint}`)
    const sending = sendEvents(client, options.events)
    const total = options.events * options.endpoints
    let longestRecoveryMs = 0
    for (let kill = 1; kill <= options.kills; kill += 1) {
      await untilReceived(receiver, Math.floor((total * kill) / (options.kills + 1)))
      const killedAtMs = performance.now()
      await restart(kill % 2 === 1 ? worker : installation.engine)
      const seen = receiver.received.length
      await untilReceived(receiver, Math.min(seen + 1, total))
      longestRecoveryMs = Math.max(longestRecoveryMs, performance.now() - killedAtMs)
      options.print(
        `kill ${kill}: ${receiver.received.length} of ${total} deliveries have arrived, ${duplicatesIn(receiver)} of them twice`,
      )
    }
    const eventIds = await sending
    await untilRecorded(installation.owner)
    return { ...compare(receiver, eventIds, options.endpoints), longestRecoveryMs }
  } finally {
    await client.stop()
    await installation.stop()
    await receiver.stop()
  }
}

async function sendEvents(client: WebhookClient, count: number): Promise<string[]> {
  const eventIds: string[] = []
  let left = count
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      eventIds.push(await client.notify())
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return eventIds
}

async function restart(killed: ManagedProcess | EngineNode): Promise<void> {
  await killed.kill()
  await killed.start()
}

const untilReceived = (receiver: TestReceiver, count: number): Promise<boolean> =>
  waitUntil(() => receiver.received.length >= count, {
    timeoutMs: recoveryLimitMs,
    what: `${count} deliveries`,
  })

const untilRecorded = (owner: Pool): Promise<boolean> =>
  waitUntil(
    async () => {
      const { rowCount } = await owner.query(`select from deliveries where status = 'pending' limit 1`)
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
