import { connectDatabase } from '../db/database.ts'
import { transitions } from '../domains/payments/rules.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../ledger/audit.ts'
import { readDatabaseConfig } from './config.ts'
import { startProcess } from './process-start.ts'

/** The audit scans whole tables, which takes long, and no request waits for it. */
const statementTimeoutMs = 60 * 60_000

const config = await startProcess(async () => readDatabaseConfig())
const db = connectDatabase({
  appUrl: config.DATABASE_APP_URL,
  systemUrl: config.DATABASE_SYSTEM_URL,
  poolSize: 1,
  statementTimeoutMs,
})
try {
  const findings = await auditAcrossOrgs(db.readAcrossOrgs, transitions)
  const verdict = isClean(findings) ? 'Every invariant holds.' : 'Some invariants are broken.'
  process.stdout.write(`${formatFindings(findings)}\n\n${verdict}\n`)
  process.exitCode = isClean(findings) ? 0 : 1
} finally {
  await db.close()
}
