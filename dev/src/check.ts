import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, type CommandResult } from './run-command.ts'
import { readTestReport } from './test-report.ts'

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
const generatedPaths = [':(glob)**/generated/**', 'docs/endpoints.md']
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
  if (!existsSync(join(root, 'dev/src/gen.ts'))) {
    return { passed: 0, failed: 0, note: 'dev/src/gen.ts does not exist yet', output: '' }
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

async function runTests(signal: AbortSignal): Promise<StepResult> {
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-check-'))
  const reportFile = join(directory, 'tests.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const result = await command(signal, 'npm', ['run', '--silent', 'test', '--', ...reporters], testsTimeoutMs)
  const text = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : '{}'
  rmSync(directory, { recursive: true, force: true })
  return testsResult(result, text)
}

export function testsResult(result: CommandResult, reportText: string): StepResult {
  const report = readTestReport(reportText, root)
  if (report.failed > 0) {
    const named = report.failures.slice(0, namedFailures).join(', ')
    const more = report.failed > namedFailures ? `, and ${report.failed - namedFailures} more` : ''
    return { ...report, note: `${named}${more}`, output: result.output }
  }
  const isEmpty = report.passed === 0
  if (result.isSuccess && !isEmpty) return { ...report, note: `${report.passed} tests`, output: '' }
  const note = isEmpty ? `no test ran, ${result.ending}` : `every test passed, yet ${result.ending}`
  return { passed: report.passed, failed: 1, note, output: result.output }
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
