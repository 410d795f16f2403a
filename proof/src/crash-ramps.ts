import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Hex } from '@switchyard/stack/chain/json-rpc.ts'
import { highestSeed } from './crash/chance.ts'
import { settlementPoints } from './crash-ramps/points.ts'
import { crashProviders } from './crash-ramps/providers.ts'
import { startWorld, type World } from './crash-ramps/world.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'

export type CrashOptions = { runs: number; print(line: string): void }

export type CrashReport = {
  /** Workers that were killed, and settlements that they worked on. */
  kills: number
  ramps: number
  completed: number
  /** Settlements for which the chain has not exactly one transfer. */
  notOnce: number
  isAuditClean: boolean
  /** From the death of the worker to the completion of the ramp that was paid for it. */
  recoveryMs: { median: number; longest: number }
}

type PaidRamp = { paymentId: string; wallet: Hex; killedAt: Date }

const deathLimitMs = 90_000
const endLimitMs = 300_000
const amountMinor = 99_999_999n

/** Kills a worker with -9 at each step of a settlement in turn, lets the next one go on, and asks the chain. */
export async function crashRamps(options: CrashOptions): Promise<CrashReport> {
  const scratch = await scratchDir()
  const world = await startWorld(scratch.path)
  const ramps: PaidRamp[] = []
  try {
    for (let run = 0; run < options.runs; run += 1) {
      const point = settlementPoints[run % settlementPoints.length] ?? 'before_the_nonce'
      const wallet: Hex = `0x${randomBytes(20).toString('hex')}`
      const paymentId = await world.payFor(wallet)
      const startedAtMs = performance.now()
      const worker = await world.startWorker(point)
      await orLeftOver(
        world,
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
    const worker = await world.startWorker()
    await untilEnded(world, ramps.length)
    await worker.stop()
    return await compare(world, ramps, options.runs)
  } finally {
    await world.stop()
    await scratch.remove()
  }
}

async function untilEnded(world: World, count: number): Promise<void> {
  const isOver = async (): Promise<boolean> => (await completedCount(world)) === count
  await orLeftOver(
    world,
    waitUntil(isOver, { timeoutMs: endLimitMs, what: 'every ramp to complete', intervalMs: 500 }),
  )
}

async function completedCount(world: World): Promise<number> {
  const { rowCount } = await world.owner.query(
    `select from payments where direction = 'external' and status = 'completed'`,
  )
  return rowCount ?? 0
}

/** Says of which ramps it waited in vain, and what is still to be done for them. */
async function orLeftOver(world: World, waiting: Promise<unknown>): Promise<void> {
  try {
    await waiting
  } catch (cause) {
    throw new Error(`ramps are left over: ${JSON.stringify(await leftOver(world), null, 1)}`, { cause })
  }
}

const leftOver = async (world: World): Promise<unknown[]> =>
  (
    await world.owner.query(
      `select p.payment_id, p.status, r.phase, l.kind, l.state, l.looks, l.outcome_message, l.updated_at
       from payments p join ramps r using (org_id, payment_id) join ramp_legs l using (org_id, payment_id)
       where p.status <> 'completed' order by p.payment_id, l.leg_no`,
    )
  ).rows

async function compare(world: World, ramps: readonly PaidRamp[], kills: number): Promise<CrashReport> {
  let notOnce = 0
  for (const { wallet } of ramps) {
    const transfers = await world.transfersTo(wallet)
    if (transfers.length !== 1 || transfers[0] !== amountMinor) notOnce += 1
  }
  return {
    kills,
    ramps: ramps.length,
    completed: await completedCount(world),
    notOnce,
    isAuditClean: await world.isAuditClean(),
    recoveryMs: await recoveryOf(world, ramps),
  }
}

async function recoveryOf(world: World, ramps: readonly PaidRamp[]): Promise<CrashReport['recoveryMs']> {
  const { rows } = await world.owner.query<{ paymentId: string; updatedAt: Date }>(
    `select payment_id as "paymentId", updated_at as "updatedAt" from payments where direction = 'external'`,
  )
  const endedAt = new Map(rows.map(({ paymentId, updatedAt }) => [paymentId, updatedAt.getTime()]))
  const times = ramps
    .map(({ paymentId, killedAt }) => Math.max((endedAt.get(paymentId) ?? 0) - killedAt.getTime(), 0))
    .toSorted((a, b) => a - b)
  return { median: times[Math.floor(times.length / 2)] ?? 0, longest: times.at(-1) ?? 0 }
}

/** `npm run crash:ramps -- --runs N`, or `--providers --ramps N --kills K --seed S` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '22' },
      providers: { type: 'boolean', default: false },
      ramps: { type: 'string', default: '100' },
      kills: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(randomInt(highestSeed)) },
    },
  })
  const [runs = 0, ramps = 0, kills = 0, seed = 0] = [
    values.runs,
    values.ramps,
    values.kills,
    values.seed,
  ].map(Number)
  if (![runs, ramps, kills, seed].every(Number.isInteger) || runs < 1 || ramps < 2)
    throw new Error('--runs, --ramps, --kills and --seed are whole numbers')
  if (values.providers) {
    console.log(`npm run crash:ramps -- --providers --ramps ${ramps} --kills ${kills} --seed ${seed}`)
    const report = await crashProviders({ ramps, kills, seed, print: console.log })
    console.log(report)
    process.exitCode = report.violations === 0 ? 0 : 1
    return
  }
  const report = await crashRamps({ runs, print: console.log })
  console.log(report)
  process.exitCode = report.notOnce === 0 && report.completed === report.ramps && report.isAuditClean ? 0 : 1
}

if (import.meta.main) await main()
