import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { waitUntil } from './wait-until.ts'

type RunningProcess = { parentPid: number; command: string }

export type EndStep = { signal: NodeJS.Signals; waitMs: number }

const run = promisify(execFile)

/** The process that has this pid now, or undefined if there is none. A zombie counts as none. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  try {
    if (process.platform !== 'linux') return await askPs(pid)
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in parentheses, which may contain spaces.
    const [state, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim()
    return { parentPid: Number(parentPid), command }
  } catch {
    return undefined
  }
}

async function askPs(pid: number): Promise<RunningProcess | undefined> {
  const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)])
  const [parentPid = '', ...command] = stdout.trim().split(' ')
  return parentPid === '' ? undefined : { parentPid: Number(parentPid), command: command.join(' ').trim() }
}

/** Sends the signals in turn until the process has exited. */
export async function endProcess(pid: number, steps: EndStep[]): Promise<void> {
  for (const { signal, waitMs } of steps) {
    sendSignal(pid, signal)
    const gone = await waitUntil(async () => (await findProcess(pid)) === undefined, {
      timeoutMs: waitMs,
      what: `process ${pid} to end`,
    }).catch(() => false)
    if (gone) return
  }
  throw new Error(`process ${pid} does not exit`)
}

/** A negative pid means the whole process group. A process that has already exited is not an error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
