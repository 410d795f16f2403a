import type { RawBuilder } from 'kysely'
import type { Pool as HttpPool } from 'undici'
import type { Database } from '../db/database.ts'
import { batchCalls } from '../../lib/flow/batch-calls.ts'
import type { Log } from '../../lib/log.ts'
import { handOver, recordOutcomes } from './hand-over.ts'
import { claimWithDetails, firstLane, rowsPerLane, type Saturation } from './claims.ts'
import { releaseLeasesAcrossOrgs, type Job, type OutboxRow } from './outbox.ts'
import type { HandOver, RelayMetrics } from './relay-metrics.ts'
import { createWakeSignal } from './wake-signal.ts'

/** A service whose jobs run in the process that claims them. The engine gets only those that have to wait. */
export interface LocalService<Details = unknown> {
  service: string
  /** A select over `claimed` for what a run needs, so that a claim reads it in the same round trip. */
  details?: RawBuilder<Details>
  run(row: OutboxRow & Details): Promise<RunEnd>
  /** What this process has no capacity for: it remains in the outbox, where lanes are served in rotation. */
  saturated(): Saturation
}

/**
 * Null when the job has ended; `recorded` when the run has dropped the row itself; `rejected` when there was no capacity
 * for it; otherwise the payload that the engine continues with.
 */
type RunEnd = null | 'recorded' | 'rejected' | Job['payload']

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
/** A receiver that rejected a row may accept rows again without a run that ends. */
const saturatedPollMs = 250

/**
 * Claims due rows of one service and runs them. A row is leased for as long as it runs, so if this process dies,
 * another one runs it when the lease ends.
 */
export function startLocalRuns(options: LocalRunsOptions): LocalRuns {
  const { db, log, local, leaseSeconds } = options
  const wakeSignal = createWakeSignal()
  const running = new Map<string, { row: OutboxRow; ended: Promise<void> }>()
  const claimRows = claimWithDetails(local.details)
  const record = recordInBatches(options)
  let isStopping = false
  let after = firstLane
  let isFull = false
  let saturated = local.saturated()

  const run = async (row: OutboxRow): Promise<void> => {
    try {
      const outcome = await runOrHandOver(options, row)
      options.crashPoint?.('ran')
      if (outcome !== 'recorded') await record('', { row, outcome })
    } catch (error) {
      log.warn({ err: error, service: row.service }, 'a job that ran here was not recorded and runs again')
    } finally {
      running.delete(row.outboxId)
      if (isFull || (isAny(saturated) && hasOpened(saturated, local.saturated()))) wakeSignal.wake()
    }
  }

  /** Returns whether more rows may be due that this process has room for. */
  const claim = async (): Promise<boolean> => {
    const limit = Math.min(batchSize, runsLimit - running.size)
    const leftOut = local.saturated()
    isFull = limit <= 0
    if (isFull) return false
    const wanted = { limit, leaseSeconds, after, saturated: leftOut, only: local.service }
    const { rows, last } = await claimRows(db, wanted)
    after = last ?? firstLane
    if (rows.length > 0) options.crashPoint?.('claimed')
    for (const row of rows) running.set(row.outboxId, { row, ended: run(row) })
    saturated = local.saturated()
    const mayBeMore = hasOpened(leftOut, saturated) || hasOpenLane(rows, saturated)
    return last !== undefined || rows.length >= limit || mayBeMore
  }

  const loop = async (): Promise<void> => {
    while (!isStopping) {
      const isMore = await claim().catch((error: unknown) => {
        log.warn({ err: error, service: local.service }, 'jobs could not be claimed')
        return false
      })
      if (isMore || isStopping) continue
      await wakeSignal.wait(isAny(saturated) ? Math.min(options.pollMs, saturatedPollMs) : options.pollMs)
    }
  }

  const looping = loop()
  const renewal = renewLeases(options, () => [...running.values()].map(({ row }) => row))
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

const recordInBatches = (options: LocalRunsOptions) =>
  batchCalls<EndedRun, undefined>({
    itemsLimit: recordedTogether,
    batchesLimit: 1,
    async run(_key, batch) {
      await recordOutcomes(options, byOutcome(batch))
      return () => undefined
    },
  })

const isAny = ({ services, organizations, receivers = [] }: Saturation): boolean =>
  services.length > 0 || organizations.length > 0 || receivers.length > 0

/**
 * Whether something has capacity again that had none before. A claim asks too: a run that made room meanwhile ends when
 * `saturated` no longer shows that there was none, and wakes nobody.
 */
function hasOpened(before: Saturation, now: Saturation): boolean {
  const { services, organizations, receivers = [] } = now
  return (
    before.services.some((service) => !services.includes(service)) ||
    before.organizations.some(({ orgId }) => !organizations.some((one) => one.orgId === orgId)) ||
    (before.receivers ?? []).some((receiver) => !receivers.includes(receiver))
  )
}

/** Whether a lane may have more rows than one claim takes, and has capacity for them. */
function hasOpenLane(rows: readonly OutboxRow[], { organizations, receivers = [] }: Saturation): boolean {
  if (rows.length < rowsPerLane) return false
  const byLane = Map.groupBy(rows, ({ orgId, receiver }) => `${orgId} ${receiver}`)
  return byLane
    .values()
    .filter((ofLane) => ofLane.length >= rowsPerLane)
    .some(
      ([row]) =>
        row !== undefined &&
        !receivers.includes(row.receiver) &&
        !organizations.some((one) => one.orgId === row.orgId),
    )
}

interface EndedRun {
  row: OutboxRow
  outcome: HandOver | 'failed' | 'rejected'
}

const byOutcome = (batch: readonly EndedRun[]) => {
  const of = (...outcomes: EndedRun['outcome'][]): OutboxRow[] =>
    batch.filter((ended) => outcomes.includes(ended.outcome)).map(({ row }) => row)
  return {
    done: of('accepted'),
    refused: of('refused', 'failed', 'unreachable'),
    untried: [],
    postponed: of('rejected'),
  }
}

async function runOrHandOver(
  options: LocalRunsOptions,
  row: OutboxRow,
): Promise<EndedRun['outcome'] | 'recorded'> {
  let end: RunEnd
  try {
    end = await options.local.run(row)
  } catch (error) {
    options.log.warn({ err: error, service: row.service }, 'a job failed here and runs again after a wait')
    return 'failed'
  }
  if (end === null) return 'accepted'
  if (typeof end === 'string') return end
  const outcome = await handOver(options, { ...row, payload: end }, AbortSignal.timeout(handOverTimeoutMs))
  options.metrics?.count(outcome, row.service)
  return outcome
}

const renewLeases = ({ db, log, leaseSeconds }: LocalRunsOptions, rows: () => OutboxRow[]): NodeJS.Timeout =>
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
