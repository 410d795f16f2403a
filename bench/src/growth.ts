import pg from 'pg'
import { Pool } from 'undici'
import { z } from 'zod'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { captureStatements } from './capture.ts'
import { fillPayments, paymentTables } from './growth-fill.ts'
import { findSequentialScans } from './growth-plans.ts'
import { payment, runLoad } from './run-load.ts'
import { quantile } from './statistics.ts'
import { formatTable } from './table.ts'
import { startBenchInstallation, type BenchInstallation } from './installation.ts'

type GrowthOptions = { sizes: readonly number[]; seconds: number; print: (line: string) => void }

const perSecond = 20
/** Each path is read in turns with the others, so that all of them meet the same changes of the machine's speed. */
const readRounds = 20
const readsPerRound = 15
const deepPages = 20
const waitLimitMs = 30_000
/** Sized for a production installation with this many payments. */
const postgresSettings = { shared_buffers: '2GB', max_wal_size: '8GB', maintenance_work_mem: '512MB' }

type Timing = { p50Ms: number; p99Ms: number }
type Step = {
  size: number
  initiate: Timing
  walBytes: number
  storedBytes: number
  reads: Record<string, Timing>
}

/** Measures a payment's cost at growing table sizes. Fails when a hot statement scans a large table. */
export async function benchGrowth({ sizes, seconds, print }: GrowthOptions): Promise<void> {
  const installation = await startBenchInstallation({ postgresSettings })
  const client = new pg.Client({ connectionString: installation.ownerUrl })
  try {
    await client.connect()
    const model = await completePayment(installation)
    const steps: Step[] = []
    for (const [index, size] of sizes.entries()) {
      const startedAt = performance.now()
      await fillPayments(installation.ownerUrl, {
        modelPaymentId: model,
        from: sizes[index - 1] ?? 0,
        to: size,
      })
      print(`${size} payments after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
      steps.push(await measureStep({ installation, client, model }, size, seconds))
    }
    print(`\n${growthText(steps)}`)
    print(`\n${await costText(installation, client, model)}`)
    await assertIndexed(installation, model, print)
  } finally {
    await client.end()
    await installation.stop()
  }
}

type Measured = { installation: BenchInstallation; client: pg.Client; model: string }

async function measureStep(
  { installation, client, model }: Measured,
  size: number,
  seconds: number,
): Promise<Step> {
  const stored = await client.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(part.oid))::float8 as bytes from unnest($1::text[]) name
     join lateral (select name::regclass::oid union all select inhrelid from pg_inherits where inhparent = name::regclass)
       part (oid) on true`,
    [paymentTables],
  )
  const before = await client.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')
  const load = await runLoad(installation, { connections: 1, warmUpSeconds: 3, seconds, perSecond })
  const wal = await client.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 as bytes',
    [before.rows[0]?.lsn],
  )
  return {
    size,
    initiate: load,
    walBytes: (wal.rows[0]?.bytes ?? 0) / load.total,
    storedBytes: (stored.rows[0]?.bytes ?? 0) / size,
    reads: await measureReads(installation, model),
  }
}

const page = z.object({ meta: z.object({ last_evaluated_key: z.string().nullable() }) })

async function measureReads(installation: BenchInstallation, model: string): Promise<Record<string, Timing>> {
  const http = new Pool(installation.apiUrl, { connections: 1 })
  const get = async (path: string): Promise<unknown> => {
    const response = await http.request({ method: 'GET', path, headers: payment(installation).headers })
    const body = await response.body.json()
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
    return body
  }
  try {
    let deep = '/v1/transactions?limit=100'
    for (let turned = 0; turned < deepPages; turned += 1) {
      const key = page.parse(await get(deep)).meta.last_evaluated_key
      if (key === null) break
      deep = `/v1/transactions?limit=100&last_evaluated_key=${encodeURIComponent(key)}`
    }
    const paths = {
      'without the database': '/healthz',
      'GET payment': `/v1/payments/${model}`,
      'list, first page': '/v1/transactions?limit=100',
      'list, a late page': deep,
      'list, one status': '/v1/transactions?limit=100&status=completed',
      'list, rare status': '/v1/transactions?limit=100&status=refunded&from=2026-10-01',
      'list, one reference': '/v1/transactions?limit=100&client_reference=order-none',
      'list, one method': '/v1/transactions?limit=100&method=mobile_money',
      'list, one provider': '/v1/transactions?limit=100&provider=pawapay',
      'list, one country': '/v1/transactions?limit=100&country=UG',
      'search, a name': '/v1/transactions?limit=100&q=nobody',
    }
    const durations = new Map<string, number[]>(Object.keys(paths).map((name) => [name, []]))
    for (let round = 0; round < readRounds; round += 1)
      for (const [name, path] of Object.entries(paths))
        durations.get(name)?.push(...(await timed(() => get(path))))
    return Object.fromEntries([...durations].map(([name, durationsMs]) => [name, timingOf(durationsMs)]))
  } finally {
    await http.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number[]> {
  const durationsMs: number[] = []
  for (let done = 0; done < readsPerRound; done += 1) {
    const startedAt = performance.now()
    await work()
    durationsMs.push(performance.now() - startedAt)
  }
  return durationsMs
}

function timingOf(durationsMs: readonly number[]): Timing {
  const sorted = durationsMs.toSorted((a, b) => a - b)
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) }
}

function growthText(steps: readonly Step[]): string {
  const timing = ({ p50Ms, p99Ms }: Timing): string => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`
  const row = (name: string, cell: (step: Step) => string): string[] => [name, ...steps.map(cell)]
  const first = steps[0]
  return formatTable([
    row('payments in the database', ({ size }) => size.toLocaleString('en')),
    row(`initiate at ${perSecond}/s, p50 / p99 ms`, ({ initiate }) => timing(initiate)),
    row('  p50 beside the first', ({ initiate }) =>
      (initiate.p50Ms / (first?.initiate.p50Ms ?? 1)).toFixed(2),
    ),
    ...Object.keys(first?.reads ?? {}).map((name) =>
      row(`${name}, p50 / p99 ms`, (step) => timing(step.reads[name] ?? { p50Ms: 0, p99Ms: 0 })),
    ),
    row('WAL bytes per payment', ({ walBytes }) => walBytes.toFixed(0)),
    row('bytes on disk per payment', ({ storedBytes }) => storedBytes.toFixed(0)),
  ])
}

/** The costs that do not depend on the number of payments. */
async function costText(installation: BenchInstallation, client: pg.Client, model: string): Promise<string> {
  const { groups } = await captureStatements(installation.env, payment(installation))
  const count = async (table: string, column: string): Promise<string> => {
    const { rows } = await client.query<{ count: string }>(
      `select count(*)::text as count from ${table} where ${column}::text = $1`,
      [model],
    )
    return rows[0]?.count ?? '0'
  }
  return formatTable([
    ['round trips to Postgres per initiation', String(groups.length)],
    ['SQL statements per initiation', String(groups.flatMap(({ statements }) => statements).length)],
    ['events of a payment that completes', await count('events', 'resource_id')],
    ['engine calls for it, beside deliveries', await count('outbox', 'object_key')],
    ['ledger transfers for it', await count('ledger_transfers', 'cause_id')],
  ])
}

async function assertIndexed(
  installation: BenchInstallation,
  model: string,
  print: (line: string) => void,
): Promise<void> {
  const read = (path: string) => ({ ...payment(installation), method: 'GET' as const, path, body: '' })
  const requests = [
    payment(installation),
    read(`/v1/payments/${model}`),
    read(`/v1/payments/${model}/timeline`),
    read('/v1/transactions?limit=100'),
    read('/v1/transactions?limit=100&client_reference=x'),
  ]
  const recordings = []
  for (const request of requests) recordings.push(await captureStatements(installation.env, request))
  const urls = {
    switchyard_app: installation.env['DATABASE_APP_URL'],
    switchyard_system: installation.env['DATABASE_SYSTEM_URL'],
  }
  const scans = await findSequentialScans(urls, recordings)
  if (scans.length > 0) throw new Error(`large tables are scanned:\n${scans.join('\n')}`)
  print('\nno statement of these requests scans a large table')
}

/** Completes a payment through the API, as the model for the others. */
async function completePayment(installation: BenchInstallation): Promise<string> {
  const http = new Pool(installation.apiUrl, { connections: 1 })
  const { path, headers, body } = payment(installation)
  const answered = z.object({ response: z.object({ payment_id: z.string() }) })
  const recorded = z.object({ status: z.string() })
  const call = async (method: 'GET' | 'POST', url: string, sent?: string): Promise<unknown> =>
    (
      await http.request({ method, path: url, headers, ...(sent !== undefined && { body: sent }) })
    ).body.json()
  try {
    // These digits are the simulator's sentinel for a payment that succeeds.
    const paid = body.replaceAll('256772000113', '256772000130').replaceAll('{uuid}', 'model')
    const id = answered.parse(await call('POST', path, paid)).response.payment_id
    await waitUntil(
      async () => recorded.parse(await call('GET', `/v1/payments/${id}`)).status === 'completed',
      {
        timeoutMs: waitLimitMs,
        what: 'the first payment to complete',
      },
    )
    return id
  } finally {
    await http.close()
  }
}
