import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { customerCodes } from '../signals/rules.ts'
import type { Simulation, SimulationIds, SimulationResult, SimulationStatus } from './record.ts'

const columns = [
  'org_id as orgId',
  'simulation_id as simulationId',
  'policy',
  'from_time as from',
  'to_time as to',
  'status',
  'payments_read as paymentsRead',
  'payments_total as paymentsTotal',
  'result',
  'failure',
  'created_by as createdBy',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const

interface Row {
  status: string
  policy: unknown
  result: unknown
}

const toSimulation = <Found extends Row>(row: Found) => ({
  ...row,
  status: row.status as SimulationStatus, // check constraint
  policy: row.policy as Simulation['policy'], // parsed by the schema of the request before it was written
  result: row.result as SimulationResult | null, // written by finishSimulation
})

export async function insertSimulation(
  tx: Tx,
  orgId: string,
  simulation: Pick<Simulation, 'simulationId' | 'policy' | 'from' | 'to' | 'createdBy'>,
): Promise<Simulation> {
  const row = await tx.db
    .insertInto('routing_simulations')
    .values({
      org_id: orgId,
      simulation_id: simulation.simulationId,
      policy: JSON.stringify(simulation.policy),
      from_time: simulation.from,
      to_time: simulation.to,
      status: 'queued',
      created_by: simulation.createdBy,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toSimulation(row)
}

export async function findSimulation(
  tx: Tx,
  orgId: string,
  simulationId: string,
): Promise<Simulation | undefined> {
  const row = await tx.db
    .selectFrom('routing_simulations')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('simulation_id', '=', simulationId)
    .executeTakeFirst()
  return row && toSimulation(row)
}

/** Serialises the starts of one organisation. */
export async function countOpenSimulations(tx: Tx, orgId: string, since: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${orgId}::text || ' routing simulations', 0))`.execute(
    tx.db,
  )
  const { count } = await tx.db
    .selectFrom('routing_simulations')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('org_id', '=', orgId)
    .where('status', 'in', ['queued', 'running'])
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function updateProgress(
  tx: Tx,
  orgId: string,
  simulationId: string,
  progress: { paymentsRead: number; paymentsTotal: number },
): Promise<void> {
  await tx.db
    .updateTable('routing_simulations')
    .set({
      status: 'running',
      payments_read: progress.paymentsRead,
      payments_total: progress.paymentsTotal,
    })
    .where('org_id', '=', orgId)
    .where('simulation_id', '=', simulationId)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

export async function finishSimulation(
  tx: Tx,
  orgId: string,
  simulationId: string,
  end: { result: SimulationResult; paymentsRead: number; at: Date } | { failure: string; at: Date },
): Promise<void> {
  await tx.db
    .updateTable('routing_simulations')
    .set(
      'result' in end
        ? {
            status: 'completed',
            result: JSON.stringify(end.result),
            payments_read: end.paymentsRead,
            finished_at: end.at,
          }
        : { status: 'failed', failure: end.failure, finished_at: end.at },
    )
    .where('org_id', '=', orgId)
    .where('simulation_id', '=', simulationId)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

export async function selectOpenSimulationsAcrossOrgs(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<SimulationIds[]> {
  return tx.db
    .selectFrom('routing_simulations')
    .select(['org_id as orgId', 'simulation_id as simulationId'])
    .where('status', 'in', ['queued', 'running'])
    .$if(after !== undefined, (query) => query.where('simulation_id', '>', after ?? ''))
    .orderBy('simulation_id')
    .limit(limit)
    .execute()
}

export async function deleteSimulations(tx: Tx, orgId: string, until: Date): Promise<void> {
  await tx.db
    .deleteFrom('routing_simulations')
    .where('org_id', '=', orgId)
    .where('created_at', '<', until)
    .execute()
}

interface ReplaySpan {
  from: Date
  to: Date
}

export interface ReplayPosition {
  createdAt: Date
  paymentId: string
}

/** As stored; the pages of a replay are parsed by load-payments.ts. */
export interface ReplayRow {
  paymentId: string
  seed: string
  at: Date
  direction: string
  method: string
  country: string
  currency: string
  amountMinor: string
  targetCurrency: string
  targetMinor: string
  cardBrand: string | null
  first6: string | null
  metadata: Record<string, unknown> | null
  considered: string | null
  accountId: string | null
  state: string | null
  isCustomers: boolean | null
  endedAt: Date | null
  costMinor: string | null
  costCurrency: string | null
}

export async function countPayments(tx: Tx, orgId: string, { from, to }: ReplaySpan): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from payments
    where org_id = ${orgId} and created_at >= ${from} and created_at < ${to}`.execute(tx.db)
  return rows[0]?.count ?? 0
}

/** A page in the order of time, by the index of organisation and age. */
export async function selectReplayPage(
  tx: Tx,
  orgId: string,
  {
    to,
    after,
    limit,
    withMetadata,
  }: { to: Date; after: ReplayPosition; limit: number; withMetadata: boolean },
): Promise<ReplayRow[]> {
  const { rows } = await sql<ReplayRow>`
    select p.payment_id as "paymentId", coalesce(p.client_reference, p.payment_id::text) as seed, p.created_at as at,
           p.direction, p.payment_method as method, p.country, p.currency, p.amount_minor as "amountMinor",
           p.target_currency as "targetCurrency", p.target_amount_minor as "targetMinor",
           p.card ->> 'brand' as "cardBrand", p.card ->> 'first6' as "first6",
           ${withMetadata ? sql`p.metadata` : sql`null`} as metadata, (p.routing -> 'considered')::text as considered,
           a.account_id as "accountId", a.state,
           a.outcome_code is null or a.outcome_code = any(${customerCodes}::text[]) as "isCustomers",
           case when not a.is_open then coalesce(a.ended_at, a.updated_at) end as "endedAt",
           a.cost_minor as "costMinor", a.cost_currency as "costCurrency"
    from payments p
    left join attempts a on a.org_id = p.org_id and a.payment_id = p.payment_id and a.attempt_no = 1
    where p.org_id = ${orgId} and (p.created_at, p.payment_id) > (${after.createdAt}, ${after.paymentId})
      and p.created_at < ${to}
    order by p.created_at, p.payment_id limit ${limit}`.execute(tx.db)
  return rows
}
