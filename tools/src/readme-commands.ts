import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMissing } from './json-subset.ts'
import { readBlocks, type ReadmeBlock } from './readme-blocks.ts'
import { runCommand, startCommand, type RunningCommand } from './run-command.ts'

type Page = { readonly name: string; readonly markdown: string }

type ReadmeRun = {
  /** In the order in which a reader would follow them; they share one running stack. */
  readonly pages: readonly Page[]
  readonly cwd: string
  /** Starts the development stack in the given directory, where dev.json appears once it is up. */
  readonly devCommand: (dataDirectory: string) => { program: string; args: readonly string[] }
  readonly signal: AbortSignal
  readonly print: (line: string) => void
}

/** The stack is started by the first block that needs it. */
type Stack = { readonly directory: string; running: RunningCommand | undefined; failure: string | undefined }

type Session = {
  readonly run: ReadmeRun
  readonly page: Page
  readonly stack: Stack
  readonly directory: string
  environment: NodeJS.ProcessEnv
  readonly background: RunningCommand[]
  /** How the programs of blocks in the background ended, if they did. */
  readonly ended: string[]
}

const secondMs = 1000
const blockTimeoutMs = 300 * secondMs
const devTimeoutMs = 3600 * secondMs
const devStartTimeoutMs = 240 * secondMs
const devPollMs = 100
const shownOutputChars = 8000

/** Runs the commands of each page in order, as a reader would in one shell, and returns how many failed. */
export async function runReadme(run: ReadmeRun): Promise<number> {
  const stack: Stack = { directory: makeDirectory(), running: undefined, failure: undefined }
  const startedAt = performance.now()
  const total = { passed: 0, failed: 0 }
  try {
    for (const page of run.pages) {
      const { passed, failed } = await runPage(run, page, stack)
      total.passed += passed
      total.failed += failed
    }
  } finally {
    await stack.running?.stop()
    rmSync(stack.directory, { recursive: true, force: true })
  }
  run.print(`${((performance.now() - startedAt) / secondMs).toFixed(0)} s in all`)
  run.print(`${total.passed} passed, ${total.failed} failed`)
  return total.failed
}

async function runPage(
  run: ReadmeRun,
  page: Page,
  stack: Stack,
): Promise<{ passed: number; failed: number }> {
  const blocks = readBlocks(page.markdown)
  const directory = makeDirectory()
  // What a page makes with mktemp is removed with everything else.
  const environment = { ...process.env, SWITCHYARD_DEV_FILE: devFileOf(stack), TMPDIR: directory }
  const session: Session = { run, page, stack, directory, environment, background: [], ended: [] }
  let passed = 0
  try {
    for (const block of blocks) passed += (await hasPassed(session, block)) ? 1 : 0
  } finally {
    // The last one first, as they may need each other.
    for (const command of session.background.toReversed()) await command.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  if (blocks.length === 0) run.print(`FAILED  ${page.name} has no block marked sh ci`)
  return { passed, failed: blocks.length === 0 ? 1 : blocks.length - passed }
}

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-readme-'))
  chmodSync(directory, 0o711) // PostgreSQL runs as another user when this process is root, and needs access
  return directory
}

const devFileOf = (stack: Stack): string => join(stack.directory, 'data', 'dev.json')

async function hasPassed(session: Session, block: ReadmeBlock): Promise<boolean> {
  const startedAt = performance.now()
  const failure = await blockFailure(session, block)
  const seconds = ((performance.now() - startedAt) / secondMs).toFixed(1)
  const title = block.script.trim().split('\n')[0] ?? ''
  session.run.print(
    `${failure === undefined ? 'ok' : 'FAILED'}  ${session.page.name}:${block.line}  ${seconds} s  ${title}`,
  )
  if (failure !== undefined) session.run.print(failure)
  return failure === undefined
}

async function blockFailure(session: Session, block: ReadmeBlock): Promise<string | undefined> {
  if (block.script.includes('SWITCHYARD_DEV_FILE')) {
    await ensureDev(session)
    if (session.stack.failure !== undefined) return session.stack.failure
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

async function ensureDev({ run, stack }: Session): Promise<void> {
  if (stack.running !== undefined) return
  const { program, args } = run.devCommand(join(stack.directory, 'data'))
  const { cwd, signal } = run
  stack.running = startCommand({ program, args, cwd, signal, timeoutMs: devTimeoutMs })
  let ending: string | undefined
  const ended = stack.running.finished.then((result) => {
    ending = `${result.ending}\n${result.output.slice(-shownOutputChars)}`
  })
  const deadline = performance.now() + devStartTimeoutMs
  while (ending === undefined && performance.now() < deadline) {
    if (isJsonFile(devFileOf(stack))) return
    await Promise.race([ended, sleep(devPollMs)])
  }
  stack.failure = `npm run dev did not start: ${ending ?? `no ${devFileOf(stack)} in time`}`
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
  const names = process.argv.length > 2 ? process.argv.slice(2) : ['README.md']
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort()).once('SIGTERM', () => stopped.abort())
  return await runReadme({
    pages: names.map((name) => ({ name, markdown: readFileSync(resolve(root, name), 'utf8') })),
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
