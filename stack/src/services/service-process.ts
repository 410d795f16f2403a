import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { endProcess, findProcess, type EndStep } from './process-table.ts'

type ServiceCommand = {
  command: string
  /** The first two name the data directory (`-D DIR`), which identifies an orphaned process. */
  args: [flag: string, dataDir: string, ...rest: string[]]
  env: NodeJS.ProcessEnv
  user?: { uid: number; gid: number } | undefined
  logFile: string
  /** Stores the pid, so that the next runner can end the process if this runner is killed. */
  recordFile: string
  endSteps: EndStep[]
}

export type ServiceProcess = {
  readonly pid: number
  /** How it exited ("code 0", "signal SIGKILL"), or undefined while it is running. */
  endedBy(): string | undefined
  readonly exited: Promise<string>
  end(steps?: EndStep[]): Promise<void>
}

type ServiceRecord = { pid: number; runnerPid: number }

/** Starts a service in its own process group (Ctrl-C reaches only the runner, which stops services in order). */
export async function spawnService(service: ServiceCommand): Promise<ServiceProcess> {
  await endOrphan(service)
  await mkdir(dirname(service.logFile), { recursive: true })
  const log = await open(service.logFile, 'a')
  const child = spawn(service.command, service.args, {
    ...service.user,
    cwd: '/',
    env: service.env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  let ending: string | undefined
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve((ending = signal ? `signal ${signal}` : `code ${code}`)))
  })
  try {
    await once(child, 'spawn')
  } finally {
    await log.close()
  }
  const pid = pidOf(child)
  child.once('exit', guard(pid, service.endSteps))
  await writeFile(service.recordFile, JSON.stringify({ pid, runnerPid: process.pid } satisfies ServiceRecord))

  return {
    pid,
    exited,
    endedBy: () => ending,
    async end(steps = service.endSteps) {
      if (ending === undefined) await endProcess(pid, steps)
      await exited
      await rm(service.recordFile, { force: true })
    },
  }
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} has no pid`)
  return child.pid
}

/**
 * Ends the process when this runner dies, even by SIGKILL: the guard then reads end-of-file. The SIGCONT is for a paused
 * process, which would not handle the signal otherwise.
 */
export function guard(pid: number, [firstStep]: EndStep[]): () => void {
  const signal = (firstStep?.signal ?? 'SIGTERM').slice('SIG'.length)
  const watcher = spawn('/bin/sh', ['-c', `read line; kill -${signal} ${pid}; kill -CONT ${pid}`], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => {})
  watcher.unref()
  return () => watcher.kill('SIGKILL')
}

async function endOrphan({ recordFile, args, endSteps }: ServiceCommand): Promise<void> {
  const record = await readRecord(recordFile)
  const found = record && (await findProcess(record.pid))
  const servesThisData = found?.command.includes(` ${args[0]} ${args[1]} `)
  if (!record || !found || !servesThisData) return
  if (found.parentPid === record.runnerPid) {
    throw new Error(`${args[1]} is in use by process ${record.pid}, started by process ${record.runnerPid}`)
  }
  await endProcess(record.pid, endSteps)
}

async function readRecord(recordFile: string): Promise<ServiceRecord | undefined> {
  try {
    const record: Partial<ServiceRecord> = JSON.parse(await readFile(recordFile, 'utf8'))
    const { pid, runnerPid } = record
    return typeof pid === 'number' && typeof runnerPid === 'number' ? { pid, runnerPid } : undefined
  } catch {
    return undefined
  }
}

export async function lastLines(logFile: string, count = 12): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-count).join('\n')
}
