import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readRepository } from './architecture.ts'
import { checkCommits } from './commit-messages.ts'
import { findChanges, type Changes } from './changed-files.ts'
import { longestParts, type Part } from './longest-parts.ts'
import { runCommand, type CommandResult } from './run-command.ts'
import { selectTests } from './select-tests.ts'
import type { TestProject } from './test-projects.ts'
import { readTestReport, type TestReport } from './test-report.ts'

type StepResult = {
  readonly passed: number
  readonly failed: number
  /** A summary of the failures, or the reason why the step was skipped. */
  readonly note: string
  readonly output: string
  /** What its time went into, if it is more than one. */
  readonly parts?: readonly Part[]
}

export type Step = {
  readonly name: string
  readonly run: () => Promise<StepResult>
}

/** Parts of the check that CI can run on machines of their own. */
const lanes = ['static', 'api', 'browser', 'proof'] as const
type Lane = (typeof lanes)[number]

const secondMs = 1000
const stepTimeoutMs = 600 * secondMs
const proofTimeoutMs = 900 * secondMs
const testsTimeoutMs = 2400 * secondMs
const namedFailures = 3
const lastLogLines = 60
const laneOption = '--lane'
const lintedFile = /\.ts$/
/** Small sizes that are the same for every machine; `docs/proof.md` has the figures of the long runs. */
const crashSize = ['--payments', '200', '--kills', '10']
const plantedParts = 3
const generatedPaths = [
  ':(glob)**/generated/**',
  ':(glob)**/_generated/**',
  'docs/endpoints.md',
  'docs/connectors.md',
  'docs/settings.md',
  'deploy/grafana',
  'deploy/systemd/switchyard.env.example',
  'deploy/helm/switchyard/values.schema.json',
  'deploy/helm/switchyard/Chart.yaml',
  'docs/openapi.json',
]
const oneRobbery = ['--prove', '--only', 'a message of any account']
const root = join(import.meta.dirname, '../..')

/** Runs the groups in order and the steps of a group at once, prints one line for each, and returns the failures. */
export async function runSteps(
  groups: readonly (readonly Step[])[],
  print: (line: string) => void,
): Promise<number> {
  const total = { passed: 0, failed: 0 }
  const failures: string[] = []
  const parts: Part[] = []
  for (const group of groups)
    for (const { step, result, seconds } of await Promise.all(group.map(runStep))) {
      total.passed += result.passed
      total.failed += result.failed
      parts.push(...(result.parts ?? [{ name: step.name, seconds }]))
      print(
        `${verdict(result).padEnd(8)}${step.name.padEnd(16)}${`${seconds.toFixed(1)} s`.padStart(8)}  ${result.note}`.trimEnd(),
      )
      if (result.failed === 0) continue
      failures.push(result.note === '' ? step.name : `${step.name} (${result.note})`)
      print(result.output.trimEnd())
    }
  for (const line of longestParts(parts)) print(line)
  if (failures.length > 0) print(`check failed: ${failures.join('; ')}`)
  print(`${total.passed} passed, ${total.failed} failed`)
  return total.failed
}

async function runStep(step: Step): Promise<{ step: Step; result: StepResult; seconds: number }> {
  const startedAt = performance.now()
  const result = await step.run()
  return { step, result, seconds: (performance.now() - startedAt) / secondMs }
}

function verdict(result: StepResult): string {
  if (result.failed > 0) return 'FAILED'
  return result.passed > 0 ? 'ok' : 'skipped'
}

function allSteps(signal: AbortSignal, turn: number): Record<Lane, Step[][]> {
  const npmRun = (script: string, ...args: string[]): Promise<CommandResult> =>
    command(signal, 'npm', ['run', '--silent', script, ...args], proofTimeoutMs)
  const plain = (name: string, script: string, ...args: string[]): Step => ({
    name,
    run: async () => plainResult(await npmRun(script, ...args)),
  })
  const tests = (name: string, ...projects: TestProject[]): Step => ({
    name,
    run: async () =>
      testsResult(
        await runTestFiles(
          signal,
          projects.flatMap((one) => ['--project', one]),
        ),
      ),
  })
  const part = `${(turn % plantedParts) + 1}/${plantedParts}`
  return {
    static: [
      [plain('lint', 'lint:code'), plain('format', 'lint:format'), plain('types', 'types')],
      [{ name: 'generated code', run: () => checkGenerated(signal) }, plain('python', 'test:python')],
      [plain('api breaks', 'api:breaks'), plain('api lint', 'api:lint')],
      [{ name: 'commits', run: checkMessages }],
    ],
    api: [[tests('tests', 'unit', 'dashboard', 'api')]],
    browser: [[tests('browser', 'browser')]],
    // Their limits are in seconds, so they do not share the cores with anything else.
    proof: [
      [tests('proofs', 'proof')],
      [plain('crash', 'crash', '--', '--seed', '1', ...crashSize)],
      [plain('planted bugs', 'crash', '--', '--seed', '1', '--prove', '--part', part)],
      // The proofs play the thieves; this shows that their judges find a theft.
      [plain('planted robbery', 'robbery', '--', ...oneRobbery)],
    ],
  }
}

/** For the time between two edits: leaves out generated code, crash runs and tests that no changed file can affect. */
function changedSteps(signal: AbortSignal, { files }: Changes): Step[][] {
  const linted = files.filter((file) => lintedFile.test(file))
  return [
    [
      { name: 'lint', run: () => runOn(signal, linted, ['oxlint', '--type-aware', '--deny-warnings']) },
      {
        name: 'format',
        run: () => runOn(signal, files, ['oxfmt', '--check', '--no-error-on-unmatched-pattern']),
      },
      {
        name: 'types',
        run: async () => plainResult(await command(signal, 'npm', ['run', '--silent', 'types'])),
      },
    ],
    [{ name: 'architecture', run: () => runArchitecture(signal) }],
    [{ name: 'tests', run: () => runChangedTests(signal, files) }],
  ]
}

async function runOn(
  signal: AbortSignal,
  files: readonly string[],
  [program = '', ...args]: readonly string[],
): Promise<StepResult> {
  if (files.length === 0) return skipped('no such file changed')
  return plainResult(await command(signal, join(root, 'node_modules/.bin', program), [...args, ...files]))
}

/** The rules read every file through git, so no import tells that a change affects them. */
const runArchitecture = async (signal: AbortSignal): Promise<StepResult> =>
  testsResult(await runTestFiles(signal, ['tools/src/architecture.test.ts']))

async function runChangedTests(signal: AbortSignal, files: readonly string[]): Promise<StepResult> {
  const { selected, left } = selectTests(readRepository(root), files)
  if (selected.length === 0) return skipped('no test belongs to a changed file')
  const result = testsResult(await runTestFiles(signal, selected))
  const note =
    left === 0 ? result.note : `${result.note}; the whole check has ${left} more that may be affected`
  return { ...result, note }
}

const skipped = (note: string): StepResult => ({ passed: 0, failed: 0, note, output: '' })

async function checkMessages(): Promise<StepResult> {
  const { problems, note } = await checkCommits(root)
  const failed = problems.length
  return { passed: failed === 0 ? 1 : 0, failed, note, output: problems.join('\n') }
}

async function checkGenerated(signal: AbortSignal): Promise<StepResult> {
  const generated = await command(signal, 'npm', ['run', '--silent', 'gen'])
  if (!generated.isSuccess) return plainResult(generated)
  const changed = await command(signal, 'git', ['diff', '--exit-code', '--', ...generatedPaths])
  if (!changed.isSuccess) return { ...plainResult(changed), note: 'npm run gen changes committed files' }
  const others = ['ls-files', '--others', '--exclude-standard', '--', ...generatedPaths]
  const untracked = await command(signal, 'git', others)
  return untracked.isSuccess && untracked.stdout === ''
    ? plainResult(untracked)
    : {
        passed: 0,
        failed: 1,
        note: 'npm run gen writes files that are not committed',
        output: untracked.output,
      }
}

type TestRun = { readonly result: CommandResult; readonly report: TestReport }

/** The report stays in .cache, for whoever looks for the longest files. */
async function runTestFiles(signal: AbortSignal, args: readonly string[]): Promise<TestRun> {
  const reportFile = join(root, '.cache', `tests-${reports++}.json`)
  rmSync(reportFile, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const testArgs = ['run', '--silent', 'test', '--', ...reporters, ...args]
  const result = await command(signal, 'npm', testArgs, testsTimeoutMs)
  const text = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : '{}'
  return { result, report: readTestReport(text, root) }
}
let reports = 0

export const testsResult = (run: TestRun): StepResult => ({ ...judge(run), parts: run.report.times })

function judge({ result, report }: TestRun): StepResult {
  const { passed, failed, failures } = report
  // The log of all files is too long to find a failure in.
  if (failed > 0) return { passed, failed, note: named(failures), output: report.details.join('\n\n') }
  const isEmpty = passed === 0
  if (result.isSuccess && !isEmpty) return { passed, failed, note: `${passed} tests`, output: '' }
  const note = isEmpty ? `no test ran, ${result.ending}` : `every test passed, but ${result.ending}`
  // The beginning of the log says nothing about its end.
  return { passed, failed: 1, note, output: result.output.split('\n').slice(-lastLogLines).join('\n') }
}

function named(failures: readonly string[]): string {
  const rest = failures.length - namedFailures
  return failures.slice(0, namedFailures).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
}

function plainResult(result: CommandResult): StepResult {
  return result.isSuccess
    ? { passed: 1, failed: 0, note: '', output: '' }
    : { passed: 0, failed: 1, note: result.ending, output: result.output }
}

async function command(
  signal: AbortSignal,
  program: string,
  args: string[],
  timeoutMs = stepTimeoutMs,
): Promise<CommandResult> {
  return await runCommand({ program, args, cwd: root, timeoutMs, signal })
}

/** The commit's number picks the part of long lists that this check runs. */
async function readTurn(signal: AbortSignal): Promise<number> {
  const { stdout, isSuccess } = await command(signal, 'git', ['rev-parse', '--short=8', 'HEAD'])
  return isSuccess ? Number.parseInt(stdout, 16) : 0
}

function laneOf(name: string): Lane {
  const lane = lanes.find((one) => one === name)
  if (lane === undefined) throw new Error(`${laneOption} is one of ${lanes.join(', ')}`)
  return lane
}

async function stepsOf(signal: AbortSignal): Promise<Step[][]> {
  const { values } = parseArgs({
    options: { changed: { type: 'boolean', default: false }, lane: { type: 'string' } },
  })
  if (values.changed) return changedSteps(signal, await findChanges(root))
  const turn = await readTurn(signal)
  process.env['TURN'] ??= String(turn)
  const steps = allSteps(signal, turn)
  return values.lane === undefined ? lanes.flatMap((lane) => steps[lane]) : steps[laneOf(values.lane)]
}

if (import.meta.main) {
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort()).once('SIGTERM', () => stopped.abort())
  // Every step starts processes with the same modules.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, '.cache/compile')
  const failed = await runSteps(await stepsOf(stopped.signal), console.log)
  process.exitCode = failed > 0 ? 1 : 0
}
