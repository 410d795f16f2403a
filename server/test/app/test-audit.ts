import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../src/kernel/db/generated/schema.ts'
import { transitions } from '../../src/domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs } from '../../src/kernel/ledger/audit.ts'

/** Runs the statement, audits the database and rolls back; returns the promises that the audit found broken. */
export async function brokenAfter(owner: Kysely<DB>, statement: string): Promise<string[]> {
  const transaction = await owner.startTransaction().execute()
  try {
    await sql.raw(statement).execute(transaction)
    const findings = await auditAcrossOrgs(transaction, transitions)
    return findings.filter(({ violations }) => violations > 0).map(({ promise }) => promise)
  } finally {
    await transaction.rollback().execute()
  }
}

/** Throws unless the audit finds every promise kept. */
export async function assertAuditClean(pool: pg.Pool): Promise<void> {
  const broken = await brokenAfter(new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), 'select 1')
  if (broken.length > 0) throw new Error(`the audit found: ${broken.join(', ')}`)
}
