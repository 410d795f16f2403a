import type { Pool as HttpPool } from 'undici'
import type { Database } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import { createWakeSignal } from './wake-signal.ts'
import { listenTo } from './listen.ts'
import {
  claimDueAcrossOrgs,
  deleteHandedOverAcrossOrgs,
  firstLane,
  nextDueInMsAcrossOrgs,
  outboxChannel,
  putBackAcrossOrgs,
  type Closed,
  type Lane,
  type OutboxRow,
} from './outbox.ts'
import type { HandOver, RelayMetrics } from './relay-metrics.ts'

export interface RelayOptions {
  db: Database
  listenUrl: string
  ingress: HttpPool
  namespace: string
  log: Log
  metrics?: RelayMetrics
  /** Work that this process has enough of: the rest stays in the outbox, where organisations take turns. */
  closed?: () => Closed
  /** How long a relay may be silent before another one takes the rows that it claimed. */
  leaseSeconds?: number
  /** How long a row waits at most when its NOTIFY was lost. */
  pollMs?: number
  /** Seen by programs in dev/ that end the process between two steps. */
  crashPoint?: (point: 'claimed' | 'handed_over') => void
}

export interface Relay {
  stop(): Promise<void>
}

const batchSize = 200
const defaultLeaseSeconds = 5
const defaultPollMs = 1_000
const troublePollMs = 1_000
const shortestWaitMs = 5
/** After a look that found nothing, because due rows may be locked by somebody else for a while. */
const shortestIdleWaitMs = 50
/** For a whole batch, and below the lease: what takes longer would be handed over by two relays at once. */
const handOverTimeoutMs = 4_000
const healthTimeoutMs = 1_000
const longestBackoffSeconds = 30

const nothingClosed: Closed = { services: [], lanes: [] }

type Trouble = 'database' | 'engine' | undefined

/** Hands due outbox rows to the engine. Any number of copies may run; a second hand-over is harmless. */
export function startRelay(options: RelayOptions): Relay {
  const alarm = createWakeSignal()
  let isStopping = false
  let trouble: Trouble
  let after = firstLane
  const onNotice = (): void => {
    // While the engine is down there is nothing to hurry for, and every commit would be a question to it.
    if (trouble !== 'engine') alarm.ring()
  }
  const listener = listenTo(options.listenUrl, outboxChannel, onNotice)
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      const before = trouble
      const turn = await takeTurn(options, { trouble: before, after })
      trouble = turn.trouble
      after = turn.after ?? firstLane
      if (trouble !== before) report(options.log, before, turn)
      if (turn.waitMs > 0 && !isStopping) await alarm.wait(turn.waitMs)
    }
  }
  const running = loop()
  return {
    async stop() {
      isStopping = true
      alarm.ring()
      await Promise.all([running, listener.stop()])
    },
  }
}

interface Turn {
  trouble: Trouble
  waitMs: number
  /** The last lane of a turn that did not come to all of them. */
  after?: Lane | undefined
  error?: unknown
}

async function takeTurn(
  options: RelayOptions,
  { trouble, after }: { trouble: Trouble; after: Lane },
): Promise<Turn> {
  try {
    // Rows stay unclaimed while nobody would take them, so that all go at once when the engine is back.
    if (trouble === 'engine' && !(await isHealthy(options.ingress))) return { trouble, waitMs: troublePollMs }
    const { claimed, last, isEngineDown } = await relayBatch(options, after)
    if (isEngineDown) return { trouble: 'engine', waitMs: troublePollMs }
    const isOneOfMany = last !== undefined || after !== firstLane
    return { trouble: undefined, after: last, waitMs: isOneOfMany ? 0 : await waitTimeMs(options, claimed) }
  } catch (error) {
    return { trouble: 'database', waitMs: troublePollMs, error }
  }
}

function report(log: Log, before: Trouble, { trouble, error }: Turn): void {
  if (trouble === undefined) log.info({ process: 'relay', dependency: before }, 'the relay works again')
  else
    log.warn({ process: 'relay', dependency: trouble, err: error }, 'the relay cannot work and tries again')
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
  const { db, leaseSeconds = defaultLeaseSeconds, closed = () => nothingClosed } = options
  const claim = { limit: batchSize, leaseSeconds, after, closed: closed() }
  const { rows, last } = await db.acrossOrgs((tx) => claimDueAcrossOrgs(tx, claim))
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
  await settle(options, {
    accepted: withOutcome('accepted'),
    // One that fails while others pass is that row's own trouble and must not hold up the others.
    refused: isEngineDown ? [] : [...withOutcome('refused'), ...unreachable],
    untried: isEngineDown ? unreachable : [],
  })
  return { claimed: rows.length, last, isEngineDown }
}

async function settle(
  { db, log }: RelayOptions,
  rows: { accepted: OutboxRow[]; refused: OutboxRow[]; untried: OutboxRow[] },
): Promise<void> {
  const [first] = rows.refused
  if (first)
    log.error(
      {
        outboxId: first.outboxId,
        service: first.service,
        attempt: first.attempts,
        count: rows.refused.length,
      },
      'the engine did not take jobs; they stay in the outbox',
    )
  const back = [
    ...rows.refused.map((row) => ({ ...row, waitSeconds: backoffSeconds(row.attempts) })),
    ...rows.untried.map((row) => ({ ...row, waitSeconds: 0 })),
  ]
  await db.acrossOrgs(async (tx) => {
    if (rows.accepted.length > 0) await deleteHandedOverAcrossOrgs(tx, rows.accepted)
    if (back.length > 0) await putBackAcrossOrgs(tx, back)
  })
}

export const backoffSeconds = (attempts: number): number =>
  Math.min(2 ** Math.max(attempts - 1, 0), longestBackoffSeconds)

/** Accepted once the engine has the work durably; the outbox id makes a repeat the same invocation. */
async function handOver(options: RelayOptions, row: OutboxRow, deadline: AbortSignal): Promise<HandOver> {
  const parts = [`${options.namespace}${row.service}`, row.objectKey, row.handler]
  const target = parts.filter((part) => part !== null).map(encodeURIComponent)
  try {
    const response = await options.ingress.request({
      method: 'POST',
      path: `/${target.join('/')}/send`,
      headers: { 'content-type': 'application/json', 'idempotency-key': row.outboxId },
      body: JSON.stringify(row.payload),
      signal: deadline,
    })
    await response.body.dump()
    if (response.statusCode < 300) return 'accepted'
    return response.statusCode >= 500 || response.statusCode === 429 ? 'unreachable' : 'refused'
  } catch {
    return 'unreachable'
  }
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
