import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJournal } from '@switchyard/simulator/core/journal.ts'
import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import type { EngineNode } from '@switchyard/stack/services/restate-cluster.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startInstallation, type Installation } from '@switchyard/stack/start-installation.ts'
import { seedPeople, type CrashOrg, type People } from '../payments/people.ts'
import { createClient, type ApiClient } from '../shared/api-client.ts'
import { hurry } from '../shared/limits.ts'

type CrashOptions = { rows: number; kills: number; print: (line: string) => void }

type Row = Record<'client_reference' | 'beneficiary_id' | 'currency', string> & { amount: number }

type CrashReport = {
  rows: number
  kills: number
  dryRunMs: number
  /** What providers accepted, by their own log. */
  accepted: number
  seconds: number
  longestStandstillMs: number
  /** The highest resident memory of an api, in MB. */
  apiMemory: number
  problems: string[]
}

const programs = join(import.meta.dirname, '../shared/programs')
const simulatorDelayMs = 50
const beneficiaries = 20
const rowAmount = 100
const recoveryLimitMs = 180_000
const memoryEveryMs = 50
/** Resident, whatever is uploaded; on a system without /proc it is not measured. */
const memoryLimitMb = 300

/**
 * Creates a batch, has a second person approve it, and kills a worker, an api and the engine with -9, in turn, while
 * its rows are sent. Then it compares the rows with the payments and with the providers' log.
 */
export async function crashBatches(options: CrashOptions): Promise<CrashReport> {
  const installation = await startInstallation({
    simulator: { runsAs: 'process', delayMs: simulatorDelayMs },
    isForwarded: true,
    env: { ...hurry, LOG_LEVEL: 'warn' },
    seed: seedPeople,
  })
  const org = installation.seeded.orgs[0]
  const startedAt = performance.now()
  const parts = await startParts(installation)
  const client = createClient([installation.apiUrl], () => undefined)
  const memory = watchMemory(parts.api)
  try {
    const rows = await createRows(client, org, options.rows)
    options.print(`the api uses ${memory.highest()} MB before the upload`)
    const dryRunMs = await dryRun(client, org, rows)
    const batchId = await createBatch(client, org, rows)
    options.print(`the api used ${memory.highest()} MB at most during the upload`)
    await approve(client, org, batchId)
    const longestStandstillMs = await sendUnderKills(installation, options, [
      parts.worker,
      parts.api,
      installation.engine,
    ])
    await untilEnded(installation, batchId)
    const { accepted, problems } = await compare(installation, options.rows)
    return {
      rows: options.rows,
      kills: options.kills,
      dryRunMs: Math.round(dryRunMs),
      accepted,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      longestStandstillMs: Math.round(longestStandstillMs),
      apiMemory: memory.highest(),
      problems: [...problems, ...client.unexpectedAnswers, ...memoryProblems(memory.highest())],
    }
  } finally {
    memory.stop()
    await client.stop()
    await installation.stop()
  }
}

/** The api is the production program, whose memory is measured; one worker, so that killing it stops the batch. */
async function startParts(
  installation: Installation<People>,
): Promise<{ api: ManagedProcess; worker: ManagedProcess }> {
  return {
    api: await installation.startApi(),
    worker: await installation.startWorker({ file: join(programs, 'worker.ts') }),
  }
}

const created = z.object({ data: z.looseObject({ batch_id: z.string(), status: z.string() }) })
const beneficiary = z.object({ data: z.object({ beneficiary_id: z.string() }) })

async function createRows(client: ApiClient, org: CrashOrg, count: number): Promise<Row[]> {
  const ids: string[] = []
  for (let index = 0; index < beneficiaries; index += 1) {
    const body = {
      account_type: 'bank',
      country: 'NG',
      currency: 'NGN',
      fname: 'Ngozi',
      lname: `Eze ${index}`,
      bank_details: { account_number: '0690000049', bank_code: '044', bank_name: 'Access Bank' },
    }
    ids.push(
      beneficiary.parse(await post(client, org.initiator, '/v1/beneficiaries', body)).data.beneficiary_id,
    )
  }
  return Array.from({ length: count }, (_, index) => ({
    client_reference: `row-${index + 1}`,
    beneficiary_id: ids[index % ids.length] ?? '',
    amount: rowAmount,
    currency: 'NGN',
  }))
}

const checked = z.object({ data: z.looseObject({ error_count: z.int() }) })

/** With as many wrong rows added as fit into 10,000, at most 300; each of them has to be counted. */
async function dryRun(client: ApiClient, org: CrashOrg, rows: readonly Row[]): Promise<number> {
  const wrong = Array.from({ length: Math.min(300, 10_000 - rows.length) }, (_, index) => ({
    client_reference: `wrong-${index}`,
    beneficiary_id: crypto.randomUUID(),
    amount: rowAmount,
    currency: 'NGN',
  }))
  const startedAt = performance.now()
  const body = { rows: [...rows, ...wrong] }
  const { error_count: found } = checked.parse(
    await post(client, org.initiator, '/v1/payouts/batches?dry_run=true', body),
  ).data
  if (found !== wrong.length) throw new Error(`${found} of ${wrong.length} errors are reported`)
  return performance.now() - startedAt
}

const createBatch = async (client: ApiClient, org: CrashOrg, rows: readonly Row[]): Promise<string> =>
  created.parse(await post(client, org.initiator, '/v1/payouts/batches', { rows })).data.batch_id

/** A small batch stays below the policy and needs no approval. */
async function approve(client: ApiClient, org: CrashOrg, batchId: string): Promise<void> {
  const path = `/v1/payouts/batches/${batchId}`
  const answer = await client.call({ key: org.approver, method: 'GET', path })
  if (created.parse(answer?.body).data.status !== 'awaiting_approval') return
  for (const key of [org.approver, org.confirmer]) await post(client, key, `${path}/approve`, {})
}

async function post(client: ApiClient, key: string, path: string, body: object): Promise<unknown> {
  const call = {
    key,
    method: 'POST',
    path,
    body: JSON.stringify(body),
    idempotencyKey: crypto.randomUUID(),
  } as const
  const answer = await client.call(call)
  if (!answer || answer.status >= 300) throw new Error(`POST ${path}: ${answer?.text ?? 'no answer'}`)
  return answer.body
}

/** Returns the longest time from a kill to the next row that was sent. */
async function sendUnderKills(
  installation: Installation<People>,
  { rows, kills, print }: CrashOptions,
  targets: readonly (ManagedProcess | EngineNode)[],
): Promise<number> {
  let longestMs = 0
  for (let kill = 1; kill <= kills; kill += 1) {
    await untilSent(installation, Math.floor((rows * kill) / (kills + 1)))
    const target = targets[(kill - 1) % targets.length]
    if (!target) throw new Error('there is nothing to kill')
    const killedAt = performance.now()
    await target.kill()
    await target.start()
    const sent = await countSent(installation)
    await untilSent(installation, Math.min(sent + 1, rows))
    longestMs = Math.max(longestMs, performance.now() - killedAt)
    print(`kill ${kill}: ${await countSent(installation)} of ${rows} rows are sent`)
  }
  return longestMs
}

const untilSent = (installation: Installation<People>, count: number): Promise<boolean> =>
  waitUntil(async () => (await countSent(installation)) >= count, {
    timeoutMs: recoveryLimitMs,
    what: `${count} sent rows`,
    intervalMs: 50,
  })

async function countSent({ owner }: Installation<People>): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::integer as count from payout_batch_rows where state <> 'pending'`,
  )
  return rows[0]?.count ?? 0
}

const untilEnded = ({ owner }: Installation<People>, batchId: string): Promise<boolean> =>
  waitUntil(
    async () => {
      const { rows } = await owner.query('select status from payout_batches where batch_id = $1', [batchId])
      return rows[0]?.status === 'completed'
    },
    { timeoutMs: recoveryLimitMs, what: 'the batch to complete', intervalMs: 500 },
  )

const acceptance = z.looseObject({ kind: z.string(), reference: z.string() })

/** Every row has one payment, every payment was accepted once, and the books balance. */
async function compare(
  installation: Installation<People>,
  expected: number,
): Promise<{ accepted: number; problems: string[] }> {
  const { owner, simulator } = installation
  const { rows: sent } = await owner.query<{ row_no: number; status: string; references: string[] }>(
    `select r.row_no, p.status, array_agg(a.reference) as references
     from payout_batch_rows r
     join payments p on p.org_id = r.org_id and p.payment_id = r.payment_id
     left join attempts a on a.org_id = p.org_id and a.payment_id = p.payment_id
     group by r.row_no, p.status order by r.row_no`,
  )
  const { rows: all } = await owner.query<{ count: number }>(
    'select count(*)::integer as count from payments',
  )
  const { rows: events } = await owner.query(`select from events where event_type = 'payout_batch.completed'`)
  const payouts = [...readJournal(join(simulator.stateDir, 'acceptances.jsonl'))]
    .map((line) => acceptance.parse(line))
    .filter(({ kind }) => kind === 'payout')
  const counts = Map.groupBy(payouts, ({ reference }) => reference)
  const wrong = sent.flatMap(({ row_no, status, references }) => {
    const times = references.reduce((sum, reference) => sum + (counts.get(reference)?.length ?? 0), 0)
    return times === 1 && status === 'completed' ? [] : [`row ${row_no}: ${status}, accepted ${times} times`]
  })
  const audit = await installation.run('audit').then(
    () => [],
    (error: unknown) => [String(error)],
  )
  return {
    accepted: payouts.length,
    problems: [
      ...wrong,
      ...(sent.length === expected ? [] : [`${sent.length} rows have a payment`]),
      ...(all[0]?.count === expected ? [] : [`there are ${all[0]?.count} payments`]),
      ...(payouts.length === expected ? [] : [`providers accepted ${payouts.length} payouts`]),
      ...(events.length === 1 ? [] : [`${events.length} events say that the batch has completed`]),
      ...audit,
    ],
  }
}

const memoryProblems = (highestMb: number): string[] =>
  highestMb < memoryLimitMb ? [] : [`the api used ${highestMb} MB, and ${memoryLimitMb} MB are the limit`]

/** The resident memory, as Linux tells it, sampled often. */
function watchMemory(api: ManagedProcess): { highest(): number; stop(): void } {
  let highest = 0
  const timer = setInterval(() => {
    if (!api.isRunning()) return
    highest = Math.max(highest, residentMb(api.program.pid))
  }, memoryEveryMs)
  return { highest: () => highest, stop: () => clearInterval(timer) }
}

function residentMb(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kb ?? 0) / 1024)
  } catch {
    // It was killed in the meantime, or the system has no /proc.
    return 0
  }
}
