import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcess } from '../services/process-table.ts'

export type RunLock = {
  /** The previous runner was killed, and its services may still be shutting down. */
  readonly formerRunnerDied: boolean
  release(): Promise<void>
}

type LockFile = { pid: number; command: string }

/** Ensures that only one runner uses a data directory. */
export async function takeRunLock(dataDir: string): Promise<RunLock> {
  const file = join(dataDir, 'runner.json')
  const former = await readLock(file)
  const running = former && (await findProcess(former.pid))
  if (former && former.pid !== process.pid && running?.command === former.command) {
    throw new Error(`process ${former.pid} already runs Switchyard in ${dataDir}`)
  }
  const command = (await findProcess(process.pid))?.command ?? ''
  await writeFile(file, JSON.stringify({ pid: process.pid, command } satisfies LockFile))
  return { formerRunnerDied: former !== undefined, release: () => rm(file, { force: true }) }
}

async function readLock(file: string): Promise<LockFile | undefined> {
  try {
    const { pid, command }: Partial<LockFile> = JSON.parse(await readFile(file, 'utf8'))
    return typeof pid === 'number' && typeof command === 'string' ? { pid, command } : undefined
  } catch {
    return undefined
  }
}
