import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { connectDatabase } from '../kernel/db/database.ts'
import { exportHeadsAcrossOrgs, readExportedHeads } from '../domains/records/audit-log/blocks/export-heads.ts'
import { verifyLogAcrossOrgs } from '../domains/records/audit-log/blocks/verify-log.ts'
import { transitions } from '../domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../kernel/ledger/audit.ts'
import { readDatabaseConfig } from './config.ts'
import { startProcess } from './process-start.ts'

/**
 * `npm run audit [-- --metrics-file PATH] [--export-root PATH] [--check-root PATH]`. The metrics file is in the directory
 * of node_exporter's textfile collector. `--export-root` writes the newest blocks of the audit log, for somebody else to
 * keep, if everything was found sound; `--check-root` compares the log with such a file.
 */
const { values } = parseArgs({
  options: {
    'metrics-file': { type: 'string' },
    'export-root': { type: 'string' },
    'check-root': { type: 'string' },
  },
})

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
  const kept = values['check-root']
  const findings = [
    ...(await auditAcrossOrgs(db.readAcrossOrgs, transitions)),
    ...(await verifyLogAcrossOrgs(
      db.readAcrossOrgs,
      kept === undefined ? [] : readExportedHeads(readFileSync(kept, 'utf8')),
    )),
  ]
  const verdict = isClean(findings) ? 'Every invariant holds.' : 'Some invariants are broken.'
  process.stdout.write(`${formatFindings(findings)}\n\n${verdict}\n`)
  process.exitCode = isClean(findings) ? 0 : 1
  const exportPath = values['export-root']
  if (exportPath !== undefined && isClean(findings)) {
    const exported = {
      exported_at: new Date().toISOString(),
      heads: await exportHeadsAcrossOrgs(db.readAcrossOrgs),
    }
    writeFileSync(exportPath, `${JSON.stringify(exported, null, 2)}\n`)
  }
  if (values['metrics-file'] !== undefined) writeMetrics(values['metrics-file'], isClean(findings))
} finally {
  await db.close()
}

const lastSuccessLine = /^switchyard_audit_last_success_timestamp_seconds (\d+)$/m

/** The collector must never read half a file, and a failed audit must not erase when the last one succeeded. */
function writeMetrics(path: string, hasSucceeded: boolean): void {
  const name = 'switchyard_audit_last_success_timestamp_seconds'
  const now = (Date.now() / 1000).toFixed(0)
  const lastSuccess = hasSucceeded ? now : (lastSuccessLine.exec(readIfPresent(path))?.[1] ?? '0')
  const lines = [
    `# HELP ${name} When the audit last found that every invariant holds`,
    `# TYPE ${name} gauge`,
    `${name} ${lastSuccess}`,
    '# HELP switchyard_audit_last_run_timestamp_seconds When the audit last ended',
    '# TYPE switchyard_audit_last_run_timestamp_seconds gauge',
    `switchyard_audit_last_run_timestamp_seconds ${now}`,
  ]
  writeFileSync(`${path}.tmp`, `${lines.join('\n')}\n`)
  renameSync(`${path}.tmp`, path)
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
