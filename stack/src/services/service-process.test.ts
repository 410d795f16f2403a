import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findProcess, sendSignal } from './process-table.ts'
import { waitUntil } from './wait-until.ts'

const runnerScript = `
  const { spawn } = await import('node:child_process')
  const { guard } = await import(${JSON.stringify(new URL('service-process.ts', import.meta.url).href)})
  const { pid } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  guard(pid, [{ signal: 'SIGTERM', waitMs: 0 }])
  process.stdout.write(String(pid))`

test('a paused process is also ended when its runner exits', async () => {
  const runner = spawn(process.execPath, ['--input-type=module', '-e', runnerScript], { stdio: 'pipe' })
  const [output] = await once(runner.stdout, 'data')
  const pid = Number(output)
  sendSignal(pid, 'SIGSTOP')
  expect(await findProcess(pid)).toBeDefined()
  runner.kill('SIGKILL')
  await waitUntil(async () => !(await findProcess(pid)), { what: 'the process to end' })
})
