import type { Pool as HttpPool } from 'undici'
import type { Database } from '../db/database.ts'
import type { Log } from '../../lib/log.ts'
import { createWakeSignal } from './wake-signal.ts'
import { listenTo } from './listen.ts'
import { handOver, recordOutcomes } from './hand-over.ts'
import { startLocalRuns, type LocalRuns, type LocalService } from './local-runs.ts'
import {
  claimDueAcrossOrgs,
  firstLane,
  nextDueInMsAcrossOrgs,
  readyDueAcrossOrgs,
  type Lane,
  type Saturation,
} from './claims.ts'
import { localChannel, outboxChannel, type OutboxRow } from './outbox.ts'
import type { HandOver, RelayMetrics } from './relay-metrics.ts'

export interface RelayOptions {
  db: Database
  listenUrl: string
  ingress: HttpPool
  namespace: string
  log: Log
  metrics?: RelayMetrics
  /** Its jobs run in this process first, and the engine gets only those that have to wait. */
  local?: LocalService
  /** The work that is left in the outbox for now. */
  saturated?: () => Saturation
  /** How long a relay may be silent before another one takes the rows that it claimed. */
  leaseSeconds?: number
  /** How long a row waits at most when its NOTIFY was lost. */
  pollMs?: number
  /** A hook for the crash tests in proof/, which end the process between two steps. */
  crashPoint?: (point: 'claimed' | 'handed_over' | 'ran') => void
}

export interface Relay {
  stop(): Promise<void>
}

const batchSize = 200
const defaultLeaseSeconds = 5
const defaultPollMs = 1_000
const outagePollMs = 1_000
const shortestWaitMs = 5
/** Commits that follow each other closely share a pass. The first one after a pause does not wait. */
const shortestPassMs = 20
/** After an empty claim, because another relay may have locked the due rows for a moment. */
const shortestIdleWaitMs = 50
/** For a whole batch. It is shorter than the lease, so that two relays do not hand over the same row at once. */
const handOverTimeoutMs = 4_000
const healthTimeoutMs = 1_000

const nothingSaturated: Saturation = { services: [], organizations: [] }

/** The dependency that the relay cannot reach. */
type Outage = 'database' | 'engine' | undefined

/** Hands due outbox rows to the engine. Any number of relays may run; a second hand-over has no effect. */
export function startRelay(options: RelayOptions): Relay {
  const wakeSignal = createWakeSignal()
  let isStopping = false
  let outage: Outage
  let after = firstLane
  const onNotice = (): void => {
    // While the engine is down, a wake-up for each commit would only cause one more health check.
    if (outage !== 'engine') wakeSignal.wake()
  }
  const local = options.local && startLocal(options, options.local)
  const listener = listenTo(options.listenUrl, [outboxChannel, localChannel], (channel) => {
    local?.wake()
    if (channel !== localChannel || !local) onNotice()
  })
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      const before = outage
      const startedAtMs = performance.now()
      const pass = await runPass(options, { outage: before, after })
      outage = pass.outage
      after = pass.after ?? firstLane
      if (outage !== before) logOutage(options.log, before, pass)
      if (pass.waitMs === 0 || isStopping) continue
      await wakeSignal.wait(pass.waitMs)
      const restMs = shortestPassMs - (performance.now() - startedAtMs)
      if (restMs > 0 && !isStopping) await new Promise((resolve) => setTimeout(resolve, restMs))
    }
  }
  const running = loop()
  return {
    async stop() {
      isStopping = true
      wakeSignal.wake()
      await Promise.all([running, listener.stop(), local?.stop()])
    },
  }
}

const startLocal = (options: RelayOptions, local: LocalService): LocalRuns =>
  startLocalRuns({
    ...options,
    local,
    leaseSeconds: options.leaseSeconds ?? defaultLeaseSeconds,
    pollMs: options.pollMs ?? defaultPollMs,
  })

interface Pass {
  outage: Outage
  waitMs: number
  /** The last lane of a pass that did not reach all of them. */
  after?: Lane | undefined
  error?: unknown
}

async function runPass(
  options: RelayOptions,
  { outage, after }: { outage: Outage; after: Lane },
): Promise<Pass> {
  try {
    // Rows are not claimed while the engine is down, so that none has to wait for its lease once it is back.
    if (outage === 'engine' && !(await isHealthy(options.ingress))) return { outage, waitMs: outagePollMs }
    const { claimed, last, isEngineDown } = await relayBatch(options, after)
    if (isEngineDown) return { outage: 'engine', waitMs: outagePollMs }
    const isPartial = last !== undefined || after !== firstLane
    return { outage: undefined, after: last, waitMs: isPartial ? 0 : await waitTimeMs(options, claimed) }
  } catch (error) {
    return { outage: 'database', waitMs: outagePollMs, error }
  }
}

function logOutage(log: Log, before: Outage, { outage, error }: Pass): void {
  if (outage === undefined) log.info({ process: 'relay', dependency: before }, 'the relay has recovered')
  else log.warn({ process: 'relay', dependency: outage, err: error }, 'the relay has an outage and retries')
}

async function waitTimeMs({ db, pollMs = defaultPollMs }: RelayOptions, claimed: number): Promise<number> {
  const nextMs = await db.acrossOrgs(nextDueInMsAcrossOrgs)
  return Math.min(Math.max(nextMs ?? pollMs, claimed === 0 ? shortestIdleWaitMs : shortestWaitMs), pollMs)
}

interface Batch {
  claimed: number
  last?: Lane | undefined
  isEngineDown: boolean
}

async function relayBatch(options: RelayOptions, after: Lane): Promise<Batch> {
  const { db, leaseSeconds = defaultLeaseSeconds, saturated = () => nothingSaturated } = options
  const { services, organizations } = saturated()
  const elsewhere = options.local ? [options.local.service, ...services] : services
  const claim = { limit: batchSize, leaseSeconds, after, saturated: { services: elsewhere, organizations } }
  const { rows, last } = await db.acrossOrgs(async (tx) => {
    await readyDueAcrossOrgs(tx)
    return claimDueAcrossOrgs(tx, claim)
  })
  if (rows.length === 0) return { claimed: 0, last, isEngineDown: false }
  options.crashPoint?.('claimed')
  const deadline = AbortSignal.timeout(handOverTimeoutMs)
  const results = await Promise.all(
    rows.map(async (row) => ({ row, handOver: await handOver(options, row, deadline) })),
  )
  for (const { row, handOver: outcome } of results) options.metrics?.count(outcome, row.service)
  const withOutcome = (outcome: HandOver): OutboxRow[] =>
    results.filter((result) => result.handOver === outcome).map((result) => result.row)
  options.crashPoint?.('handed_over')
  const unreachable = withOutcome('unreachable')
  const isEngineDown = unreachable.length === rows.length
  await recordOutcomes(options, {
    done: withOutcome('accepted'),
    // A row that fails while others succeed is delayed by itself and must not block the others.
    refused: isEngineDown ? [] : [...withOutcome('refused'), ...unreachable],
    untried: isEngineDown ? unreachable : [],
  })
  return { claimed: rows.length, last, isEngineDown }
}

async function isHealthy(ingress: HttpPool): Promise<boolean> {
  try {
    const response = await ingress.request({
      method: 'GET',
      path: '/restate/health',
      signal: AbortSignal.timeout(healthTimeoutMs),
    })
    await response.body.dump()
    return response.statusCode === 200
  } catch {
    return false
  }
}
