import { sql, type Kysely } from 'kysely'
import type { DB } from '../db/generated/schema.ts'
import { transitions } from '../domains/payments/rules.ts'
import { auditAcrossOrgs } from '../ledger/audit.ts'

/** The promises that an audit finds broken after the statement, of which nothing is left afterwards. */
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
