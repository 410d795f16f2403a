import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMissing } from './json-subset.ts'
import { readBlocks, type ReadmeBlock } from './readme-blocks.ts'
import { runCommand, startCommand, type RunningCommand } from './run-command.ts'

type ReadmeRun = {
  readonly markdown: string
  /** The name of the page in the printed lines. */
  readonly name?: string
  readonly cwd: string
  /** Starts the development stack in the given directory, where dev.json appears once it is up. */
  readonly devCommand: (dataDirectory: string) => { program: string; args: readonly string[] }
  readonly signal: AbortSignal
  readonly print: (line: string) => void
}

type Session = {
  readonly run: ReadmeRun
  readonly directory: string
  readonly devFile: string
  environment: NodeJS.ProcessEnv
  dev: RunningCommand | undefined
  devFailure: string | undefined
  readonly background: RunningCommand[]
  /** How the programs of blocks in the background ended, if they did. */
  readonly ended: string[]
}

const readmeName = 'README.md'
const secondMs = 1000
const blockTimeoutMs = 300 * secondMs
const devTimeoutMs = 3600 * secondMs
const devStartTimeoutMs = 240 * secondMs
const devPollMs = 100
const shownOutputChars = 8000

/** Runs a page's commands in order, as a reader would in one shell, and returns how many failed. */
export async function runReadme(run: ReadmeRun): Promise<number> {
  const blocks = readBlocks(run.markdown)
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-readme-'))
  chmodSync(directory, 0o711) // PostgreSQL runs as another user when this process is root, and needs access
  const devFile = join(directory, 'data', 'dev.json')
  // What a page makes with mktemp is removed with everything else.
  const environment = { ...process.env, SWITCHYARD_DEV_FILE: devFile, TMPDIR: directory }
  const session: Session = {
    run,
    directory,
    devFile,
    environment,
    dev: undefined,
    devFailure: undefined,
    background: [],
    ended: [],
  }
  const startedAt = performance.now()
  let passed = 0
  try {
    for (const block of blocks) passed += (await hasPassed(session, block)) ? 1 : 0
  } finally {
    // The last one first, as they may need each other.
    for (const command of session.background.toReversed()) await command.stop()
    await session.dev?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  if (blocks.length === 0) run.print(`FAILED  ${run.name ?? readmeName} has no block marked sh ci`)
  const failed = blocks.length === 0 ? 1 : blocks.length - passed
  run.print(`${((performance.now() - startedAt) / secondMs).toFixed(0)} s in all`)
  run.print(`${passed} passed, ${failed} failed`)
  return failed
}

async function hasPassed(session: Session, block: ReadmeBlock): Promise<boolean> {
  const startedAt = performance.now()
  const failure = await blockFailure(session, block)
  const seconds = ((performance.now() - startedAt) / secondMs).toFixed(1)
  const title = block.script.trim().split('\n')[0] ?? ''
  session.run.print(
    `${failure === undefined ? 'ok' : 'FAILED'}  ${session.run.name ?? readmeName}:${block.line}  ${seconds} s  ${title}`,
  )
  if (failure !== undefined) session.run.print(failure)
  return failure === undefined
}

async function blockFailure(session: Session, block: ReadmeBlock): Promise<string | undefined> {
  if (block.script.includes('SWITCHYARD_DEV_FILE')) {
    await ensureDev(session)
    if (session.devFailure !== undefined) return session.devFailure
  }
  if (block.isBackground) {
    startInBackground(session, block)
    return undefined
  }
  const environmentFile = join(session.directory, 'environment')
  const result = await runCommand({
    program: 'bash',
    args: ['-c', shellScript(block.script)],
    cwd: session.run.cwd,
    env: { ...session.environment, SWITCHYARD_README_ENVIRONMENT: environmentFile },
    timeoutMs: blockTimeoutMs,
    signal: session.run.signal,
  })
  if (existsSync(environmentFile)) session.environment = readEnvironment(environmentFile)
  if (!result.isSuccess)
    return [result.ending, result.output.slice(-shownOutputChars), ...session.ended].join('\n')
  const missing = block.expected === undefined ? undefined : findMissing(block.expected, result.stdout)
  return missing === undefined ? undefined : `${missing}\n${result.output.slice(-shownOutputChars)}`
}

function startInBackground(session: Session, { line, script }: ReadmeBlock): void {
  const { run, environment: env } = session
  const args = ['-c', `set -aeuo pipefail\n${script}\n`]
  const command = startCommand({
    program: 'bash',
    args,
    cwd: run.cwd,
    env,
    signal: run.signal,
    timeoutMs: devTimeoutMs,
  })
  session.background.push(command)
  command.finished.then(
    ({ ending, output }) =>
      session.ended.push(`the block at line ${line} ended: ${ending}\n${output.slice(-shownOutputChars)}`),
    (error: unknown) => session.ended.push(String(error)),
  )
}

/** Saves the variables that the block sets, because a reader's shell keeps them for the next one. */
function shellScript(script: string): string {
  return `set -aeuo pipefail\ntrap 'umask 077 && env -0 > "$SWITCHYARD_README_ENVIRONMENT"' EXIT\n${script}\n`
}

function readEnvironment(file: string): NodeJS.ProcessEnv {
  const entries = readFileSync(file, 'utf8').split('\0')
  return Object.fromEntries(
    entries.filter((entry) => entry.includes('=')).map((entry) => entry.split(/=(.*)/s).slice(0, 2)),
  )
}

async function ensureDev(session: Session): Promise<void> {
  if (session.dev !== undefined) return
  const { program, args } = session.run.devCommand(join(session.directory, 'data'))
  const { cwd, signal } = session.run
  session.dev = startCommand({ program, args, cwd, signal, timeoutMs: devTimeoutMs })
  let ending: string | undefined
  const ended = session.dev.finished.then((result) => {
    ending = `${result.ending}\n${result.output.slice(-shownOutputChars)}`
  })
  const deadline = performance.now() + devStartTimeoutMs
  while (ending === undefined && performance.now() < deadline) {
    if (isJsonFile(session.devFile)) return
    await Promise.race([ended, sleep(devPollMs)])
  }
  session.devFailure = `npm run dev did not start: ${ending ?? `no ${session.devFile} in time`}`
}

function isJsonFile(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}

async function main(): Promise<number> {
  const root = join(import.meta.dirname, '../..')
  const name = process.argv[2] ?? readmeName
  const readme = resolve(root, name)
  if (!existsSync(readme)) {
    console.log(`skipped  ${readme} does not exist yet\n0 passed, 0 failed`)
    return 0
  }
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort()).once('SIGTERM', () => stopped.abort())
  return await runReadme({
    markdown: readFileSync(readme, 'utf8'),
    name,
    cwd: root,
    devCommand: (dataDirectory) => ({
      program: 'npm',
      args: ['run', 'dev', '--', '--ports', 'random', '--data-dir', dataDirectory],
    }),
    signal: stopped.signal,
    print: console.log,
  })
}

if (import.meta.main) {
  const failed = await main().catch((error: unknown) => {
    console.log(`FAILED  ${String(error)}\n0 passed, 1 failed`)
    return 1
  })
  process.exitCode = failed > 0 ? 1 : 0
}
