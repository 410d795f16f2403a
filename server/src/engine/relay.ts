import pg from 'pg'
import type { Pool as HttpPool } from 'undici'
import type { Database } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import {
  claimDueAcrossOrgs,
  deleteHandedOverAcrossOrgs,
  nextDueInMsAcrossOrgs,
  outboxChannel,
} from './outbox.ts'
import type { OutboxRow } from './outbox.ts'

export interface RelayOptions {
  db: Database
  listenUrl: string
  ingress: HttpPool
  namespace: string
  log: Log
  /** Seen by tests that stop the process between two steps. */
  crashPoint?: (point: 'claimed' | 'handed_over') => void
}

export interface Relay {
  stop(): Promise<void>
}

const batchSize = 200
const leaseSeconds = 5
const pollMs = 1_000
const reconnectMs = 500
const handOverTimeoutMs = 4_000

/** Hands due outbox rows to the engine. Any number of copies may run; a second hand-over is harmless. */
export function startRelay(options: RelayOptions): Relay {
  const alarm = createAlarm()
  const listener = listenForWork(options, alarm.ring)
  let stopping = false
  const loop = async (): Promise<void> => {
    while (!stopping) {
      try {
        const claimed = await relayBatch(options)
        if (claimed < batchSize) await alarm.wait(await waitTimeMs(options.db))
      } catch (error) {
        options.log.warn({ err: error, process: 'relay' }, 'relay could not work and tries again')
        await alarm.wait(pollMs)
      }
    }
  }
  const running = loop()
  return {
    async stop() {
      stopping = true
      alarm.ring()
      await Promise.all([running, listener.stop()])
    },
  }
}

async function waitTimeMs(db: Database): Promise<number> {
  const nextMs = await db.acrossOrgs(nextDueInMsAcrossOrgs)
  return Math.min(Math.max(nextMs ?? pollMs, 5), pollMs)
}

async function relayBatch(options: RelayOptions): Promise<number> {
  const rows = await options.db.acrossOrgs((tx) => claimDueAcrossOrgs(tx, batchSize, leaseSeconds))
  if (rows.length === 0) return 0
  options.crashPoint?.('claimed')
  const results = await Promise.all(rows.map((row) => handOver(options, row)))
  const accepted = rows.filter((_, index) => results[index])
  options.crashPoint?.('handed_over')
  if (accepted.length > 0) await options.db.acrossOrgs((tx) => deleteHandedOverAcrossOrgs(tx, accepted))
  return rows.length
}

/** True once the engine has the work durably; the outbox id makes a repeat the same invocation. */
async function handOver(options: RelayOptions, row: OutboxRow): Promise<boolean> {
  const target = [`${options.namespace}${row.service}`, row.objectKey, row.handler].filter(
    (part) => part !== null,
  )
  try {
    const response = await options.ingress.request({
      method: 'POST',
      path: `/${target.map(encodeURIComponent).join('/')}/send`,
      headers: { 'content-type': 'application/json', 'idempotency-key': row.outboxId },
      body: JSON.stringify(row.payload),
      headersTimeout: handOverTimeoutMs,
      bodyTimeout: handOverTimeoutMs,
    })
    await response.body.dump()
    if (response.statusCode < 300) return true
    options.log.error(
      {
        orgId: row.orgId,
        outboxId: row.outboxId,
        service: row.service,
        status: response.statusCode,
        attempt: row.attempts,
      },
      'the engine did not take a job; it stays in the outbox',
    )
  } catch (error) {
    options.log.warn(
      { err: error, outboxId: row.outboxId, attempt: row.attempts },
      'the engine is not reachable',
    )
  }
  return false
}

interface Alarm {
  ring: () => void
  wait(ms: number): Promise<void>
}

/** A wait that a ring ends early; a ring while nobody waits ends the next wait at once. */
function createAlarm(): Alarm {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, ms)
        function done(): void {
          clearTimeout(timer)
          rung = false
          wake = undefined
          resolve()
        }
        wake = done
        if (rung) done()
      }),
  }
}

function listenForWork(options: RelayOptions, ring: () => void): { stop(): Promise<void> } {
  let stopping = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const reconnect = (): void => {
    if (!stopping) retry = setTimeout(connect, reconnectMs)
  }
  const connect = (): void => {
    client = new pg.Client({ connectionString: options.listenUrl, keepAlive: true })
    client.on('notification', ring)
    client.on('error', () => undefined)
    client.on('end', reconnect)
    client
      .connect()
      .then(() => client?.query(`listen ${outboxChannel}`))
      .then(ring)
      .catch(() => undefined)
  }
  connect()
  return {
    async stop() {
      stopping = true
      clearTimeout(retry)
      await client?.end().catch(() => undefined)
    },
  }
}
