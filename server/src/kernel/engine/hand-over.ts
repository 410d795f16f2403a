import type { Database } from '../db/database.ts'
import type { Log } from '../../lib/log.ts'
import { deleteHandedOverAcrossOrgs, releaseLeasesAcrossOrgs, type OutboxRow } from './outbox.ts'
import type { HandOver } from './relay-metrics.ts'
import { sendJob, type Ingress } from './send-job.ts'

const longestBackoffSeconds = 30
const postponedSeconds = 0.5

/** The engine accepts a job once it is durable. The outbox id is the idempotency key, so a repeat has no effect. */
export async function handOver(engine: Ingress, row: OutboxRow, deadline: AbortSignal): Promise<HandOver> {
  const parts = [`${engine.namespace}${row.service}`, row.objectKey, row.handler]
  const target = parts.filter((part) => part !== null)
  try {
    const status = await sendJob(
      engine,
      { target, payload: row.payload, idempotencyKey: row.outboxId },
      deadline,
    )
    if (status < 300) return 'accepted'
    return status >= 500 || status === 429 ? 'unreachable' : 'refused'
  } catch {
    return 'unreachable'
  }
}

interface Outcomes {
  /** The engine has them, or they have ended. */
  done: readonly OutboxRow[]
  /** Tried again after a wait that grows. */
  refused: readonly OutboxRow[]
  /** Tried again at once. */
  untried: readonly OutboxRow[]
  /** Tried again soon, by whichever relay has capacity. */
  postponed?: readonly OutboxRow[]
}

/** Deletes what is done, and ends the leases of the rest. */
export async function recordOutcomes(
  { db, log }: { db: Database; log: Log },
  { done, refused, untried, postponed = [] }: Outcomes,
): Promise<void> {
  const [first] = refused
  if (first)
    log.error(
      { outboxId: first.outboxId, service: first.service, attempt: first.attempts, count: refused.length },
      'the engine refused jobs; they remain in the outbox',
    )
  const released = [
    ...refused.map((row) => ({ ...row, waitSeconds: backoffSeconds(row.attempts) })),
    ...untried.map((row) => ({ ...row, waitSeconds: 0 })),
    ...postponed.map((row) => ({ ...row, waitSeconds: postponedSeconds })),
  ]
  await db.acrossOrgs(async (tx) => {
    if (done.length > 0) await deleteHandedOverAcrossOrgs(tx, done)
    if (released.length > 0) await releaseLeasesAcrossOrgs(tx, released)
  })
}

export const backoffSeconds = (attempts: number): number =>
  Math.min(2 ** Math.max(attempts - 1, 0), longestBackoffSeconds)
