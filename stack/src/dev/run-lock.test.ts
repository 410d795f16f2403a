import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeRunLock } from './run-lock.ts'
import { findProcess } from '../services/process-table.ts'
import { scratchDir } from '../testing/scratch-dir.ts'

let scratch: Awaited<ReturnType<typeof scratchDir>>

beforeEach(async () => {
  scratch = await scratchDir()
})

afterEach(() => scratch.remove())

async function writeLock(lock: { pid: number; command: string }): Promise<void> {
  await writeFile(join(scratch.path, 'runner.json'), JSON.stringify(lock))
}

test('a released lock leaves no file behind', async () => {
  await (await takeRunLock(scratch.path)).release()
  expect((await takeRunLock(scratch.path)).formerRunnerDied).toBe(false)
})

test('a directory is locked while another runner uses it, and free once that runner was killed', async () => {
  const runner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(runner, 'spawn')
  const pid = runner.pid!
  await writeLock({ pid, command: (await findProcess(pid))!.command })
  await expect(takeRunLock(scratch.path)).rejects.toThrow(`process ${pid} already runs Switchyard`)
  runner.kill('SIGKILL')
  await once(runner, 'exit')
  expect((await takeRunLock(scratch.path)).formerRunnerDied).toBe(true)
})

test('a lock whose pid was reused by another program is stale', async () => {
  await writeLock({ pid: process.ppid, command: 'node stack/src/dev/main.ts' })
  expect((await takeRunLock(scratch.path)).formerRunnerDied).toBe(true)
})
