import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, type CommandResult } from './run-command.ts'
import { readTestReport, type TestReport } from './test-report.ts'

type StepResult = {
  readonly passed: number
  readonly failed: number
  /** What failed in a few words, or why the step was skipped. */
  readonly note: string
  readonly output: string
}

export type Step = { readonly name: string; readonly run: () => Promise<StepResult> }

const secondMs = 1000
const stepTimeoutMs = 300 * secondMs
const crashTimeoutMs = 900 * secondMs
const testsTimeoutMs = 1800 * secondMs
const namedFailures = 3
/** More than that is no accident of timing. */
const repeatedFilesLimit = 5
const generatedPaths = [':(glob)**/generated/**', 'docs/endpoints.md', 'docs/connectors.md']
const root = join(import.meta.dirname, '../..')

/** Runs every step, tells about each in one line, and returns how many things failed. */
export async function runSteps(steps: readonly Step[], print: (line: string) => void): Promise<number> {
  const total = { passed: 0, failed: 0 }
  const failures: string[] = []
  for (const step of steps) {
    const startedAt = performance.now()
    const result = await step.run()
    const seconds = ((performance.now() - startedAt) / secondMs).toFixed(1)
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

function verdict(result: StepResult): string {
  if (result.failed > 0) return 'FAILED'
  return result.passed > 0 ? 'ok' : 'skipped'
}

function stepsOf(signal: AbortSignal): Step[] {
  const npmRun = (script: string, ...args: string[]): Promise<CommandResult> =>
    command(signal, 'npm', ['run', '--silent', script, ...args])
  return [
    { name: 'lint', run: async () => plainResult(await npmRun('lint')) },
    { name: 'types', run: async () => plainResult(await npmRun('types')) },
    { name: 'generated code', run: () => checkGenerated(signal) },
    { name: 'tests', run: () => runTests(signal) },
    // Not among the tests: they would share the two cores with it, and its own limits are in seconds.
    {
      name: 'crash',
      run: async () => plainResult(await crash(signal, '--payments', '1000', '--kills', '40')),
    },
    { name: 'planted bugs', run: async () => plainResult(await crash(signal, '--prove')) },
  ]
}

const crash = (signal: AbortSignal, ...args: string[]): Promise<CommandResult> =>
  command(signal, 'npm', ['run', '--silent', 'crash', '--', '--seed', '1', ...args], crashTimeoutMs)

async function checkGenerated(signal: AbortSignal): Promise<StepResult> {
  if (!existsSync(join(root, 'tools/src/gen.ts'))) {
    return { passed: 0, failed: 0, note: 'tools/src/gen.ts does not exist yet', output: '' }
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
        note: 'npm run gen writes files that git does not know',
        output: untracked.output,
      }
}

type TestRun = { readonly result: CommandResult; readonly report: TestReport }

/** What failed beside everything else runs once more by itself; what passes then is named as unsteady. */
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
  if (failed > 0) return { passed, failed, note: named(failures), output: result.output }
  const isEmpty = passed === 0
  if (result.isSuccess && !isEmpty) return { passed, failed, note: `${passed} tests`, output: '' }
  const note = isEmpty ? `no test ran, ${result.ending}` : `every test passed, yet ${result.ending}`
  return { passed, failed: 1, note, output: result.output }
}

export function repeatedResult(first: TestRun, second: TestRun): StepResult {
  const again = testsResult(second)
  if (again.failed > 0)
    return { ...again, passed: first.report.passed, output: first.result.output + again.output }
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
  const failed = await runSteps(stepsOf(stopped.signal), console.log)
  process.exitCode = failed > 0 ? 1 : 0
}
