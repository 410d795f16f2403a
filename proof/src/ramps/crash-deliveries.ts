import { randomBytes } from 'node:crypto'
import type { Hex } from '@switchyard/stack/chain/json-rpc.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startDeliveryInstallation, type DeliveryInstallation } from './delivery-installation.ts'
import { deliveryPoints } from './delivery-points.ts'

type CrashOptions = { runs: number; print(line: string): void }

type CrashReport = {
  /** How many workers were killed, and how many ramps they were delivering. */
  kills: number
  ramps: number
  completed: number
  /** Ramps for which the chain does not have exactly one transfer of the right amount. */
  notOnce: number
  isAuditClean: boolean
  /** From the kill of the worker to the completion of the ramp that it was delivering. */
  recoveryMs: { median: number; longest: number }
}

type PaidRamp = { paymentId: string; wallet: Hex; killedAt: Date }

const deathLimitMs = 90_000
const endLimitMs = 300_000
const amountMinor = 99_999_999n

/** Kills a worker with -9 at each step of a delivery in turn, lets the next worker continue, and reads the chain. */
export async function crashDeliveries(options: CrashOptions): Promise<CrashReport> {
  const installation = await startDeliveryInstallation()
  const ramps: PaidRamp[] = []
  try {
    for (let run = 0; run < options.runs; run += 1) {
      const point = deliveryPoints[run % deliveryPoints.length] ?? 'before_the_nonce'
      const wallet: Hex = `0x${randomBytes(20).toString('hex')}`
      const paymentId = await installation.payFor(wallet)
      const startedAtMs = performance.now()
      const worker = await installation.startWorker(point)
      await orReportOpen(
        installation,
        waitUntil(() => !worker.isRunning(), {
          timeoutMs: deathLimitMs,
          what: `a worker to die ${point}`,
          intervalMs: 50,
        }),
      )
      ramps.push({ paymentId, wallet, killedAt: new Date() })
      options.print(
        `run ${run + 1} of ${options.runs}: killed ${point} after ${Math.round(performance.now() - startedAtMs)} ms`,
      )
    }
    const worker = await installation.startWorker()
    await untilCompleted(installation, ramps.length)
    await worker.stop()
    return await compare(installation, ramps, options.runs)
  } finally {
    await installation.stop()
  }
}

async function untilCompleted(installation: DeliveryInstallation, count: number): Promise<void> {
  const isOver = async (): Promise<boolean> => (await completedCount(installation)) === count
  await orReportOpen(
    installation,
    waitUntil(isOver, { timeoutMs: endLimitMs, what: 'every ramp to complete', intervalMs: 500 }),
  )
}

async function completedCount(installation: DeliveryInstallation): Promise<number> {
  const { rowCount } = await installation.owner.query(
    `select from payments where direction = 'external' and status = 'completed'`,
  )
  return rowCount ?? 0
}

/** Adds the ramps that did not complete, and their open legs, to the error of a wait that timed out. */
async function orReportOpen(installation: DeliveryInstallation, waiting: Promise<unknown>): Promise<void> {
  try {
    await waiting
  } catch (cause) {
    throw new Error(`ramps did not complete: ${JSON.stringify(await openRamps(installation), null, 1)}`, {
      cause,
    })
  }
}

const openRamps = async (installation: DeliveryInstallation): Promise<unknown[]> =>
  (
    await installation.owner.query(
      `select p.payment_id, p.status, r.phase, l.kind, l.state, l.looks, l.outcome_message, l.updated_at
       from payments p join ramps r using (org_id, payment_id) join ramp_legs l using (org_id, payment_id)
       where p.status <> 'completed' order by p.payment_id, l.leg_no`,
    )
  ).rows

async function compare(
  installation: DeliveryInstallation,
  ramps: readonly PaidRamp[],
  kills: number,
): Promise<CrashReport> {
  let notOnce = 0
  for (const { wallet } of ramps) {
    const transfers = await installation.transfersTo(wallet)
    if (transfers.length !== 1 || transfers[0] !== amountMinor) notOnce += 1
  }
  return {
    kills,
    ramps: ramps.length,
    completed: await completedCount(installation),
    notOnce,
    isAuditClean: await installation.isAuditClean(),
    recoveryMs: await recoveryOf(installation, ramps),
  }
}

async function recoveryOf(
  installation: DeliveryInstallation,
  ramps: readonly PaidRamp[],
): Promise<CrashReport['recoveryMs']> {
  const { rows } = await installation.owner.query<{ paymentId: string; updatedAt: Date }>(
    `select payment_id as "paymentId", updated_at as "updatedAt" from payments where direction = 'external'`,
  )
  const endedAt = new Map(rows.map(({ paymentId, updatedAt }) => [paymentId, updatedAt.getTime()]))
  const times = ramps
    .map(({ paymentId, killedAt }) => Math.max((endedAt.get(paymentId) ?? 0) - killedAt.getTime(), 0))
    .toSorted((a, b) => a - b)
  return { median: times[Math.floor(times.length / 2)] ?? 0, longest: times.at(-1) ?? 0 }
}
