import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'
import { accountChecks } from './audit-accounts.ts'
import { escrowChecks } from './audit-escrow.ts'
import { postingChecks } from './audit-postings.ts'
import { rampChecks } from './audit-ramps.ts'
import { recordChecks } from './audit-records.ts'

/** What must hold for every row of the database, and the question that finds those for which it does not. */
export interface Check {
  promise: string
  /** The table whose rows the promise is about. */
  about:
    | 'ledger_transfers'
    | 'guarded_balances'
    | 'virtual_transactions'
    | 'suspended_deposits'
    | 'payments'
    | 'attempts'
    | 'events'
    | 'refunds'
    | 'ramps'
    | 'ramp_legs'
    | 'escrows'
    | 'escrow_milestones'
    | 'escrow_shares'
  violations: RawBuilder<Violation>
}

export interface Violation {
  subject: string
  problem: string
}

export interface Finding {
  promise: string
  examined: number
  violations: number
  examples: Violation[]
}

/** From each status, those that may follow. */
export type StatusTable = Readonly<Record<string, readonly string[]>>

const examplesLimit = 5

/** Asks every question of the whole database. Each is one statement, so work that goes on meanwhile does no harm. */
export async function auditAcrossOrgs(db: Tx['db'], table: StatusTable): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of [
    ...postingChecks,
    ...accountChecks,
    ...escrowChecks,
    ...recordChecks(table),
    ...rampChecks,
  ])
    findings.push(await ask(db, check))
  return findings
}

async function ask(db: Tx['db'], { promise, about, violations }: Check): Promise<Finding> {
  const counted = await sql<{ examined: number }>`
    select count(*)::integer as examined from ${sql.table(about)}`.execute(db)
  const found = await sql<Violation & { total: number }>`
    select subject, problem, (count(*) over ())::integer as total
    from (${violations}) as violation order by subject, problem limit ${examplesLimit}`.execute(db)
  return {
    promise,
    examined: counted.rows[0]?.examined ?? 0,
    violations: found.rows[0]?.total ?? 0,
    examples: found.rows.map(({ subject, problem }) => ({ subject, problem })),
  }
}

export const isClean = (findings: readonly Finding[]): boolean =>
  findings.every((finding) => finding.violations === 0)

/** One line for each promise, and under a broken one the first of what breaks it. */
export function formatFindings(findings: readonly Finding[]): string {
  const widest = Math.max(...findings.map(({ promise }) => promise.length))
  const line = (promise: string, examined: string, violations: string): string =>
    `${promise.padEnd(widest)}  ${examined.padStart(9)}  ${violations.padStart(10)}`
  return [
    line('promise', 'examined', 'violations'),
    ...findings.flatMap((finding) => [
      line(finding.promise, String(finding.examined), String(finding.violations)),
      ...finding.examples.map(({ subject, problem }) => `  ${subject}: ${problem}`),
    ]),
  ].join('\n')
}
