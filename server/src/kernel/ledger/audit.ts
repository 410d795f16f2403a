import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { accountChecks } from './audit-accounts.ts'
import { adjustmentChecks } from './audit-adjustments.ts'
import { balanceChecks } from './audit-balances.ts'
import { conservationChecks } from './audit-conservation.ts'
import type { Check, StatusTable, Violation } from './audit-check.ts'
import { disputeChecks } from './audit-disputes.ts'
import { escrowChecks } from './audit-escrow.ts'
import { postingChecks } from './audit-postings.ts'
import { rampChecks } from './audit-ramps.ts'
import { recordChecks } from './audit-records.ts'
import { resolutionChecks } from './audit-resolutions.ts'
import { returnChecks } from './audit-returns.ts'

export interface Finding {
  promise: string
  examined: number
  violations: number
  examples: Violation[]
}

const examplesLimit = 5

/** Runs every check over the whole database. Each check is one statement, so it is safe while payments are running. */
export async function auditAcrossOrgs(db: Tx['db'], table: StatusTable): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of [
    ...postingChecks,
    ...accountChecks,
    ...balanceChecks,
    ...escrowChecks,
    ...disputeChecks,
    ...recordChecks(table),
    ...rampChecks,
    ...resolutionChecks,
    ...adjustmentChecks,
    ...returnChecks,
    ...conservationChecks,
  ])
    findings.push(await runCheck(db, check))
  return findings
}

async function runCheck(db: Tx['db'], { promise, about, violations }: Check): Promise<Finding> {
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

/** One line for each promise, followed by the first few violations of a broken one. */
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
