import { isDeepStrictEqual } from 'node:util'
import { join } from 'node:path'
import { connectDatabase, type Database } from '@switchyard/server/kernel/db/database.ts'
import { foldBalances, refoldAfterMs } from '@switchyard/server/domains/pricing/balances/fold-balances.ts'
import { availableBalances } from '@switchyard/server/kernel/ledger/available.ts'
import { balancesOf } from '@switchyard/server/kernel/ledger/balances.ts'
import { lockGuarded, openGuardedAccount } from '@switchyard/server/kernel/ledger/guarded.ts'
import { insertTransfers } from '@switchyard/server/kernel/ledger/transfers.ts'
import { newId } from '@switchyard/server/lib/ids.ts'
import { repeatEvery } from '@switchyard/server/lib/flow/repeat-every.ts'
import { startInstallation, type Installation } from '@switchyard/stack/start-installation.ts'
import { countedCalls } from './count-calls.ts'
import {
  currency,
  guardedAccount,
  hotAccount,
  ledgerCases,
  openings,
  type LedgerCase,
} from './ledger-cases.ts'
import type { LedgerLoadOptions } from './ledger-load.ts'
import { createMeter } from './meter.ts'
import type { LedgerFigures } from './results.ts'
import { runMeasurement } from './run-measurement.ts'
import { describeTimes } from './run-load.ts'
import { resetStatements, statementSettings, statementsText } from './statements.ts'
import { formatTable } from './table.ts'

interface LedgerOptions {
  seconds: number
  connections: number
  /** Only the cases with this text in their name. */
  only: string
  /** Prints which statements took the time of Postgres in each case. */
  hasStatements: boolean
  print: (line: string) => void
}

const warmUpSeconds = 3
const poolSize = 20
const ledgerCall = countedCalls.extend({ calls: countedCalls.shape.completed })

type Bench = LedgerOptions & { installation: Installation<undefined>; db: Database }

/** Measures transfers per second, written by the functions of the ledger, and checks the books afterwards. */
export async function benchLedger(options: LedgerOptions): Promise<void> {
  options.print(ledgerText(await measureLedger(options)))
}

export async function measureLedger(options: LedgerOptions): Promise<LedgerFigures> {
  const installation = await startInstallation({
    engineNodes: 0,
    postgres: { settings: options.hasStatements ? statementSettings : {} },
    seed: () => Promise.resolve(undefined),
  })
  const db = connectDatabase({ ...urlsOf(installation), poolSize })
  const folding = repeatEvery(
    refoldAfterMs,
    async () => {
      await foldBalances({ db })
      return { hasMore: false }
    },
    (error) => options.print(`a fold failed: ${String(error)}`),
  )
  try {
    const rows: LedgerFigures['rows'] = []
    for (const tried of ledgerCases.filter(({ name }) => name.includes(options.only))) {
      options.print(`${tried.name}, ${tried.perCall} per transaction`)
      rows.push(await measureCase({ ...options, installation, db }, tried))
    }
    return { seconds: options.seconds, connections: options.connections, rows }
  } finally {
    await folding.stop()
    await db.close()
    await installation.stop()
  }
}

const urlsOf = ({ env }: Installation<undefined>): { appUrl: string; systemUrl: string } => ({
  appUrl: env['DATABASE_APP_URL'] ?? '',
  systemUrl: env['DATABASE_SYSTEM_URL'] ?? '',
})

async function measureCase(bench: Bench, tried: LedgerCase): Promise<LedgerFigures['rows'][number]> {
  const { installation, db } = bench
  const orgIds = Array.from({ length: tried.organizations }, newId)
  for (const orgId of orgIds) await openAccounts(db, orgId)
  if (bench.hasStatements) await resetStatements(installation.owner)
  const load: LedgerLoadOptions = {
    ...urlsOf(installation),
    poolSize,
    kind: tried.kind,
    orgIds,
    perCall: tried.perCall,
    workers: bench.connections,
    warmUpSeconds,
    seconds: bench.seconds,
  }
  const meter = createMeter(installation.directory, { postgres: installation.postgres.pid })
  const measured = await runMeasurement(join(import.meta.dirname, 'ledger-load.ts'), load, meter)
  const { completed, perSecond, p50Ms, p99Ms, cpuMs, calls } = ledgerCall.parse(measured)
  if (bench.hasStatements) bench.print(await statementsText(installation.owner))
  await assertBalanced(bench, { orgIds, written: calls * tried.perCall })
  const { spentMs, fdatasyncMs } = meter.read()
  const transfers = completed * tried.perCall
  const eachMs = { postgres: (spentMs['postgres'] ?? 0) / transfers, client: cpuMs / transfers }
  return { ...tried, perSecond: perSecond * tried.perCall, p50Ms, p99Ms, eachMs, fdatasyncMs }
}

async function openAccounts(db: Database, orgId: string): Promise<void> {
  await db.inOrg(orgId, (tx) => openGuardedAccount(tx, orgId, { account: guardedAccount, currency }))
  await db.batchInOrg(orgId, [insertTransfers(orgId, openings())])
}

/** Fails unless every transfer was written once, and every stored balance is the sum of its transfers. */
async function assertBalanced(
  { installation, db }: Bench,
  { orgIds, written }: { orgIds: readonly string[]; written: number },
): Promise<void> {
  const { rows } = await installation.owner.query<{ count: number }>(
    `select count(*)::integer as count from ledger_transfers where org_id = any($1) and kind <> 'opening'`,
    [orgIds],
  )
  if (rows[0]?.count !== written)
    throw new Error(`${written} transfers were written, and there are ${rows[0]?.count}`)
  for (const orgId of orgIds)
    await db.inOrg(orgId, async (tx) => {
      const summed = await balancesOf(tx, orgId, [hotAccount, guardedAccount])
      const stored = await availableBalances(tx, orgId)
      const guarded = await lockGuarded(tx, orgId, [guardedAccount])
      const kept = guarded.map(({ account, availableMinor, heldMinor }) => ({
        account,
        currency,
        postedMinor: availableMinor + heldMinor,
        heldMinor,
      }))
      if (!isDeepStrictEqual(summed, [...stored, ...kept]))
        throw new Error(`the balances of ${orgId} are not the sums of its transfers`)
    })
}

function ledgerText({ rows, connections }: LedgerFigures): string {
  return formatTable([
    [
      `${connections} callers`,
      'per transaction',
      'transfers/s',
      'p50 ms',
      'p99 ms',
      'fdatasync p50 ms',
      'processor time per transfer',
    ],
    ...rows.map(({ name, perCall, perSecond, p50Ms, p99Ms, fdatasyncMs, eachMs }) => [
      name,
      String(perCall),
      perSecond.toFixed(0),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      fdatasyncMs.toFixed(2),
      describeTimes(eachMs),
    ]),
  ])
}
