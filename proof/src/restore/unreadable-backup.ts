import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import type { BackupTools } from './backup-tools.ts'

const run = promisify(execFile)
const verifyBackup = join(repositoryDir, 'deploy/backup/verify-backup')

/** Verifies the backups, damages one file, and verifies again: only the second run may raise the alert. */
export async function provesUnreadable(tools: BackupTools): Promise<string[]> {
  const metricsFile = join(tools.directory, 'backup.prom')
  await tools.pgbackrest('check').catch(() => undefined)
  const before = await verify(tools, metricsFile)
  const [victim] = globSync('backup/*/*F/pg_data/base/*/*.zst', { cwd: tools.repository })
  if (victim === undefined) return ['the backup has no file that could be damaged']
  const path = join(tools.repository, victim)
  const intact = await readFile(path)
  await truncate(path, Math.floor(intact.length / 2))
  const after = await verify(tools, metricsFile)
  await writeFile(path, intact)
  await rm(metricsFile, { force: true })
  return [
    ...(before.isAlert ? [`verify-backup raises the alert for an intact backup: ${before.output}`] : []),
    ...(after.isAlert ? [] : [`verify-backup does not notice a damaged file: ${after.output}`]),
  ]
}

/** Whether the metrics are such that the alert SwitchyardBackupUnreadable fires. */
async function verify(
  { command }: BackupTools,
  metricsFile: string,
): Promise<{ isAlert: boolean; output: string }> {
  const { output, isSuccess } = await run(verifyBackup, [metricsFile, ...command]).then(
    ({ stdout }) => ({ output: stdout, isSuccess: true }),
    (error: unknown) => ({ output: String(error), isSuccess: false }),
  )
  const text = await readFile(metricsFile, 'utf8')
  const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  const isOverdue =
    valueOf('switchyard_backup_last_run_timestamp_seconds') >
    valueOf('switchyard_backup_last_success_timestamp_seconds')
  return { isAlert: isOverdue && !isSuccess, output }
}
