import type { Pool } from 'pg'
import { formatTable } from './table.ts'

/** The settings of Postgres with which it counts statements, those of functions included. */
export const statementSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_planning': 'on',
} as const

const shownStatements = 12
const shownLength = 90

export async function resetStatements(owner: Pool): Promise<void> {
  await owner.query('create extension if not exists pg_stat_statements')
  await owner.query('select pg_stat_statements_reset()')
}

/** The statements that took the most time since the reset. A function includes its own statements. */
export async function statementsText(owner: Pool): Promise<string> {
  const { rows } = await owner.query<{
    query: string
    calls: number
    planMs: number
    runMs: number
    rows: number
  }>(
    `select query, calls::float8, total_plan_time as "planMs", total_exec_time as "runMs", rows::float8
     from pg_stat_statements where query !~ 'pg_stat_statements'
     order by total_plan_time + total_exec_time desc limit $1`,
    [shownStatements],
  )
  return formatTable([
    ['statement', 'calls', 'rows', 'plan ms', 'run ms', 'µs each'],
    ...rows.map(({ query, calls, planMs, runMs, rows: count }) => [
      query.replaceAll(/\s+/g, ' ').slice(0, shownLength),
      String(calls),
      String(count),
      planMs.toFixed(0),
      runMs.toFixed(0),
      ((1_000 * (planMs + runMs)) / calls).toFixed(0),
    ]),
  ])
}
