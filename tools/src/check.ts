import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChanges, type Changes } from './changed-files.ts'
import { runCommand, type CommandResult } from './run-command.ts'
import { readTestReport, type TestReport } from './test-report.ts'

type StepResult = {
  readonly passed: number
  readonly failed: number
  /** A summary of the failures, or the reason why the step was skipped. */
  readonly note: string
  readonly output: string
}

export type Step = {
  readonly name: string
  readonly run: () => Promise<StepResult>
  /** A long proof is left out when the steps before it have taken longer than this, as on a slow machine. */
  readonly startsWithinMs?: number
}

const secondMs = 1000
const stepTimeoutMs = 300 * secondMs
const crashTimeoutMs = 900 * secondMs
const testsTimeoutMs = 3600 * secondMs
const namedFailures = 3
const lastLogLines = 60
/** CI has 90 minutes, also for what it does before and after this check. */
const proofsStartWithinMs = 2700 * secondMs
/** More failures than this are not a matter of timing, so they are not repeated. */
const repeatedFilesLimit = 5
const changedOption = '--changed'
const lintedFile = /\.ts$/
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
  const startedAt = performance.now()
  for (const group of groups)
    for (const { step, result, seconds } of await Promise.all(group.map((one) => runStep(one, startedAt)))) {
      total.passed += result.passed
      total.failed += result.failed
      print(
        `${verdict(result).padEnd(8)}${step.name.padEnd(16)}${`${seconds} s`.padStart(8)}  ${result.note}`.trimEnd(),
      )
      if (result.failed === 0) continue
      failures.push(result.note === '' ? step.name : `${step.name} (${result.note})`)
      print(result.output.trimEnd())
    }
  if (failures.length > 0) print(`check failed: ${failures.join('; ')}`)
  print(`${total.passed} passed, ${total.failed} failed`)
  return total.failed
}

async function runStep(
  step: Step,
  checkStartedAt: number,
): Promise<{ step: Step; result: StepResult; seconds: string }> {
  const startedAt = performance.now()
  const isTooLate = startedAt - checkStartedAt > (step.startsWithinMs ?? Infinity)
  const result = isTooLate
    ? skipped('the machine is slow, so this is left to be run by hand')
    : await step.run()
  return { step, result, seconds: ((performance.now() - startedAt) / secondMs).toFixed(1) }
}

function verdict(result: StepResult): string {
  if (result.failed > 0) return 'FAILED'
  return result.passed > 0 ? 'ok' : 'skipped'
}

function allSteps(signal: AbortSignal): Step[][] {
  const npmRun = (script: string, ...args: string[]): Promise<CommandResult> =>
    command(signal, 'npm', ['run', '--silent', script, ...args])
  return [
    [
      { name: 'lint', run: async () => plainResult(await npmRun('lint')) },
      { name: 'types', run: async () => plainResult(await npmRun('types')) },
    ],
    [{ name: 'generated code', run: () => checkGenerated(signal) }],
    [
      { name: 'api breaks', run: async () => plainResult(await npmRun('api:breaks')) },
      { name: 'api lint', run: async () => plainResult(await npmRun('api:lint')) },
      { name: 'python', run: async () => plainResult(await npmRun('test:python')) },
    ],
    [{ name: 'tests', run: () => runTests(signal) }],
    // The crash runs have time limits in seconds, so they do not share the two cores with the tests.
    [
      {
        name: 'crash',
        startsWithinMs: proofsStartWithinMs,
        run: async () => plainResult(await crash(signal, '--payments', '500', '--kills', '25')),
      },
    ],
    [
      {
        name: 'planted bugs',
        startsWithinMs: proofsStartWithinMs,
        run: async () => plainResult(await crash(signal, '--prove')),
      },
    ],
    // The tests play the thieves; this shows that their judges find a theft. All of them take a quarter of an hour.
    [
      {
        name: 'planted robbery',
        startsWithinMs: proofsStartWithinMs,
        run: async () => plainResult(await npmRun('robbery', '--', ...oneRobbery)),
      },
    ],
  ]
}

/** For the time between two edits: leaves out generated code, crash runs and tests that no changed file can affect. */
function changedSteps(signal: AbortSignal, { base, files }: Changes): Step[][] {
  const linted = files.filter((file) => lintedFile.test(file))
  return [
    [
      { name: 'lint', run: () => runOn(signal, linted, ['oxlint', '--type-aware', '--deny-warnings']) },
      { name: 'format', run: () => runOn(signal, files, ['prettier', '--check', '--ignore-unknown']) },
      {
        name: 'types',
        run: async () => plainResult(await command(signal, 'npm', ['run', '--silent', 'types'])),
      },
    ],
    [{ name: 'architecture', run: () => runArchitecture(signal) }],
    [{ name: 'tests', run: () => runChangedTests(signal, base) }],
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

async function runChangedTests(signal: AbortSignal, base: string): Promise<StepResult> {
  const run = await runTestFiles(signal, [changedOption, base, '--passWithNoTests'])
  const isEmpty = run.result.isSuccess && run.report.passed === 0
  return isEmpty ? skipped('no test imports a changed file') : testsResult(run)
}

const skipped = (note: string): StepResult => ({ passed: 0, failed: 0, note, output: '' })

const crash = (signal: AbortSignal, ...args: string[]): Promise<CommandResult> =>
  command(signal, 'npm', ['run', '--silent', 'crash', '--', '--seed', '1', ...args], crashTimeoutMs)

async function checkGenerated(signal: AbortSignal): Promise<StepResult> {
  if (!existsSync(join(root, 'tools/src/gen.ts'))) {
    return skipped('tools/src/gen.ts does not exist yet')
  }
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

/** Failed files are repeated one at a time; tests that pass then are reported as unsteady. */
async function runTests(signal: AbortSignal): Promise<StepResult> {
  const first = await runTestFiles(signal, [])
  const { failedFiles } = first.report
  if (failedFiles.length === 0 || failedFiles.length > repeatedFilesLimit) return testsResult(first)
  return repeatedResult(first, await runTestFiles(signal, ['--maxWorkers=1', ...failedFiles]))
}

async function runTestFiles(signal: AbortSignal, args: readonly string[]): Promise<TestRun> {
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-check-'))
  const reportFile = join(directory, 'tests.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const testArgs = ['run', '--silent', 'test', '--', ...reporters, ...args]
  const result = await command(signal, 'npm', testArgs, testsTimeoutMs)
  const text = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : '{}'
  rmSync(directory, { recursive: true, force: true })
  return { result, report: readTestReport(text, root) }
}

export function testsResult({ result, report }: TestRun): StepResult {
  const { passed, failed, failures } = report
  // The log of all files is too long to find a failure in.
  if (failed > 0) return { passed, failed, note: named(failures), output: report.details.join('\n\n') }
  const isEmpty = passed === 0
  if (result.isSuccess && !isEmpty) return { passed, failed, note: `${passed} tests`, output: '' }
  const note = isEmpty ? `no test ran, ${result.ending}` : `every test passed, but ${result.ending}`
  // The beginning of the log says nothing about its end.
  return { passed, failed: 1, note, output: result.output.split('\n').slice(-lastLogLines).join('\n') }
}

export function repeatedResult(first: TestRun, second: TestRun): StepResult {
  const again = testsResult(second)
  if (again.failed > 0)
    return {
      ...again,
      passed: first.report.passed,
      output: `${again.output}\n\nThe first time:\n${first.report.details.join('\n\n')}`,
    }
  const passed = first.report.passed + first.report.failed
  return { passed, failed: 0, note: `${passed} tests; unsteady: ${named(first.report.failures)}`, output: '' }
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

if (import.meta.main) {
  const stopped = new AbortController()
  process.once('SIGINT', () => stopped.abort()).once('SIGTERM', () => stopped.abort())
  const steps = process.argv.includes(changedOption)
    ? changedSteps(stopped.signal, await findChanges(root))
    : allSteps(stopped.signal)
  const failed = await runSteps(steps, console.log)
  process.exitCode = failed > 0 ? 1 : 0
}
