import type { Pool as HttpPool } from 'undici'
import type { Database } from '../db/database.ts'
import { batchCalls } from '../lib/batch-calls.ts'
import type { Log } from '../lib/log.ts'
import { handOver, recordOutcomes } from './hand-over.ts'
import {
  claimDueAcrossOrgs,
  firstPartition,
  releaseLeasesAcrossOrgs,
  rowsPerPartition,
  type Job,
  type OutboxRow,
  type Saturated,
} from './outbox.ts'
import type { HandOver, RelayMetrics } from './relay-metrics.ts'
import { createWakeSignal } from './wake-signal.ts'

/** A service whose jobs run in the process that claims them. The engine gets only those that have to wait. */
export interface LocalService {
  service: string
  /** Null when the job has ended, otherwise the payload that the engine continues with. */
  run(payload: unknown): Promise<Job['payload'] | null>
  /** What this process has no capacity for: it remains in the outbox, where partitions are served in rotation. */
  saturated(): Saturated
}

interface LocalRunsOptions {
  db: Database
  ingress: HttpPool
  namespace: string
  log: Log
  local: LocalService
  leaseSeconds: number
  pollMs: number
  metrics?: RelayMetrics
  crashPoint?: (point: 'claimed' | 'ran') => void
}

export interface LocalRuns {
  wake(): void
  stop(): Promise<void>
}

const runsLimit = 1_024
const batchSize = 200
const recordedTogether = 500
const handOverTimeoutMs = 4_000
const stopLimitMs = 15_000

/**
 * Claims due rows of one service and runs them. A row is leased for as long as it runs, so if this process dies,
 * another one runs it when the lease ends.
 */
export function startLocalRuns(options: LocalRunsOptions): LocalRuns {
  const { db, log, leaseSeconds } = options
  const wakeSignal = createWakeSignal()
  const running = new Map<string, { row: OutboxRow; ended: Promise<void> }>()
  const record = batchCalls<Ended, undefined>({
    itemsLimit: recordedTogether,
    batchesLimit: 1,
    async run(_key, batch) {
      await recordOutcomes(options, byOutcome(batch))
      return () => undefined
    },
  })
  let isStopping = false
  let after = firstPartition
  let isLimited = false

  const run = async (row: OutboxRow): Promise<void> => {
    try {
      const outcome = await runOrHandOver(options, row)
      options.crashPoint?.('ran')
      await record('', { row, outcome })
    } catch (error) {
      log.warn({ err: error, service: row.service }, 'a job that ran here was not recorded and runs again')
    } finally {
      running.delete(row.outboxId)
      if (isLimited) wakeSignal.wake()
    }
  }

  /** Returns whether more rows may be due that this process has room for. */
  const claim = async (): Promise<boolean> => {
    const limit = Math.min(batchSize, runsLimit - running.size)
    const saturated = options.local.saturated()
    isLimited = limit <= 0 || saturated.services.length > 0 || saturated.partitions.length > 0
    if (limit <= 0) return false
    const only = options.local.service
    const { rows, last } = await db.acrossOrgs((tx) =>
      claimDueAcrossOrgs(tx, { limit, leaseSeconds, after, saturated, only }),
    )
    after = last ?? firstPartition
    if (rows.length > 0) options.crashPoint?.('claimed')
    for (const row of rows) running.set(row.outboxId, { row, ended: run(row) })
    return last !== undefined || rows.length >= Math.min(limit, rowsPerPartition)
  }

  const loop = async (): Promise<void> => {
    while (!isStopping) {
      const isMore = await claim().catch((error: unknown) => {
        log.warn({ err: error, service: options.local.service }, 'jobs could not be claimed')
        return false
      })
      if (!isMore && !isStopping) await wakeSignal.wait(options.pollMs)
    }
  }

  const looping = loop()
  const renewal = keepLeases(options, () => [...running.values()].map(({ row }) => row))
  return {
    wake: () => wakeSignal.wake(),
    async stop() {
      isStopping = true
      wakeSignal.wake()
      await looping
      await withinLimit(Promise.all([...running.values()].map(({ ended }) => ended)))
      clearInterval(renewal)
    },
  }
}

interface Ended {
  row: OutboxRow
  outcome: HandOver | 'failed'
}

const byOutcome = (batch: readonly Ended[]) => {
  const of = (outcome: Ended['outcome']): OutboxRow[] =>
    batch.filter((ended) => ended.outcome === outcome).map(({ row }) => row)
  return {
    done: of('accepted'),
    refused: [...of('refused'), ...of('failed'), ...of('unreachable')],
    untried: [],
  }
}

async function runOrHandOver(options: LocalRunsOptions, row: OutboxRow): Promise<Ended['outcome']> {
  let payload: Job['payload'] | null
  try {
    payload = await options.local.run(row.payload)
  } catch (error) {
    options.log.warn({ err: error, service: row.service }, 'a job failed here and runs again after a wait')
    return 'failed'
  }
  if (payload === null) return 'accepted'
  const outcome = await handOver(options, { ...row, payload }, AbortSignal.timeout(handOverTimeoutMs))
  options.metrics?.count(outcome, row.service)
  return outcome
}

const keepLeases = ({ db, log, leaseSeconds }: LocalRunsOptions, rows: () => OutboxRow[]): NodeJS.Timeout =>
  setInterval(
    () => {
      const leased = rows().map((row) => ({ ...row, waitSeconds: leaseSeconds }))
      if (leased.length === 0) return
      db.acrossOrgs((tx) => releaseLeasesAcrossOrgs(tx, leased)).catch((error: unknown) =>
        log.warn({ err: error }, 'the leases of running jobs were not renewed'),
      )
    },
    (leaseSeconds * 1_000) / 3,
  )

const withinLimit = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, stopLimitMs).unref())])
