import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { runCommand, startCommand, type Command } from './run-command.ts'

function shell(script: string, timeoutMs = 20_000): Command {
  return { program: 'bash', args: ['-c', script], cwd: tmpdir(), timeoutMs }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}

describe('runCommand', () => {
  it('collects stdout by itself and with stderr', async () => {
    const result = await runCommand(shell('echo out; echo err >&2'))
    expect(result).toMatchObject({ isSuccess: true, ending: 'exit code 0', stdout: 'out\n' })
    expect(result.output.split('\n').toSorted()).toEqual(['', 'err', 'out'])
  })

  it('reports an exit code and a missing program', async () => {
    expect(await runCommand(shell('exit 3'))).toMatchObject({ isSuccess: false, ending: 'exit code 3' })
    const missing = await runCommand({ ...shell(''), program: 'no-such-program' })
    expect(missing.isSuccess).toBe(false)
    expect(missing.ending).toContain('no-such-program')
  })

  it('ends the whole process group when the time is up', async () => {
    const result = await runCommand(shell('sleep 60 & echo $!; wait', 2_000))
    expect(result).toMatchObject({ isSuccess: false, ending: 'no end after 2 s' })
    expect(isAlive(Number(result.stdout))).toBe(false)
  })

  it('ends the processes that a finished command left running', async () => {
    const result = await runCommand(shell('sleep 60 & echo $!'))
    expect(result.isSuccess).toBe(true)
    expect(isAlive(Number(result.stdout))).toBe(false)
  })

  it('stops on an abort signal', async () => {
    const result = await runCommand({ ...shell('sleep 60'), signal: AbortSignal.timeout(100) })
    expect(result).toMatchObject({ isSuccess: false, ending: 'stopped' })
  })

  it('gives a stopped command time to clean up', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'run-command-'))
    const ready = join(directory, 'ready')
    const running = startCommand(
      shell(`trap "echo cleaned; exit 0" TERM; touch ${ready}; while true; do sleep 0.1; done`),
    )
    await waitUntil(() => existsSync(ready), { what: 'the command to run' })
    rmSync(directory, { recursive: true })
    await running.stop()
    expect((await running.finished).stdout).toContain('cleaned')
  })
})
