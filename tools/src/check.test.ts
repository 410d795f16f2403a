import { describe, expect, it } from 'vitest'
import { runSteps, testsResult, type Step } from './check.ts'
import { readTestReport } from './test-report.ts'

const ended = { isSuccess: true, ending: 'exit code 0', stdout: '', output: 'all the output', durationMs: 1 }

function step(name: string, passed: number, failed: number, note = ''): Step {
  return { name, run: async () => ({ passed, failed, note, output: `output of ${name}\n` }) }
}

async function linesOf(...steps: Step[]): Promise<{ failed: number; lines: string[] }> {
  const lines: string[] = []
  const failed = await runSteps(
    steps.map((one) => [one]),
    (line) => lines.push(line.replace(/\s+[\d.]+ s/, ' … s')),
  )
  return { failed, lines }
}

describe('runSteps', () => {
  it('prints one line for each step and ends with the sum', async () => {
    expect(
      await linesOf(step('lint', 1, 0), step('generated code', 0, 0, 'not yet'), step('tests', 7, 0)),
    ).toEqual({
      failed: 0,
      lines: [
        'ok      lint … s',
        'skipped generated code … s  not yet',
        'ok      tests … s',
        '8 passed, 0 failed',
      ],
    })
  })

  it('prints the output of a failed step, continues, and names the failures in one line', async () => {
    expect(await linesOf(step('lint', 0, 1), step('tests', 7, 2, 'adds, divides'))).toEqual({
      failed: 3,
      lines: [
        'FAILED  lint … s',
        'output of lint',
        'FAILED  tests … s  adds, divides',
        'output of tests',
        'check failed: lint; tests (adds, divides)',
        '7 passed, 3 failed',
      ],
    })
  })
})

it('lists the longest parts before the sum: test files, and steps that have none', async () => {
  const result = { passed: 1, failed: 0, note: '', output: '' }
  const files = [
    { name: 'short.test.ts', seconds: 2 },
    { name: 'long.test.ts', seconds: 30 },
  ]
  const lines: string[] = []
  await runSteps([[{ name: 'tests', run: async () => ({ ...result, parts: files }) }]], (line) =>
    lines.push(line),
  )
  expect(lines.slice(1)).toEqual([
    'longest parts:',
    '    30.0 s  long.test.ts',
    '     2.0 s  short.test.ts',
    '1 passed, 0 failed',
  ])
})

describe('a group of steps', () => {
  it('runs at once, prints in its own order, and ends before the next group starts', async () => {
    const started: string[] = []
    const first = Promise.withResolvers<void>()
    const steps = [
      [
        { name: 'slow', run: async () => (started.push('slow'), await first.promise, result) },
        { name: 'fast', run: async () => (started.push('fast'), first.resolve(), result) },
      ],
      [{ name: 'next', run: async () => (started.push('next'), result) }],
    ]
    const lines: string[] = []
    expect(await runSteps(steps, (line) => lines.push(line.split(/\s+/)[1] ?? ''))).toBe(0)
    expect(started).toEqual(['slow', 'fast', 'next'])
    expect(lines.slice(0, 3)).toEqual(['slow', 'fast', 'next'])
  })

  const result = { passed: 1, failed: 0, note: '', output: '' }
})

const run = (result: typeof ended, ...statuses: string[]) => ({
  result,
  report: readTestReport(
    JSON.stringify({
      testResults: [
        { name: 'a', assertionResults: statuses.map((status) => ({ status, fullName: status })) },
      ],
    }),
    '/',
  ),
})
const endedBadly = { ...ended, isSuccess: false, ending: 'exit code 1' }

describe('testsResult', () => {
  it('counts passed tests', () => {
    expect(testsResult(run(ended, 'passed', 'passed'))).toMatchObject({
      passed: 2,
      failed: 0,
      note: '2 tests',
    })
  })

  it('names the first three failures and counts the rest', () => {
    const result = testsResult(run(endedBadly, 'failed', 'failed', 'failed', 'failed', 'passed'))
    expect(result).toMatchObject({ passed: 1, failed: 4 })
    expect(result.note).toBe('a > failed, a > failed, a > failed, and 1 more')
  })

  it('a run with a bad exit code fails even if every test in its report passed', () => {
    const result = testsResult(run(endedBadly, 'passed'))
    expect(result).toMatchObject({ passed: 1, failed: 1, note: 'every test passed, but exit code 1' })
  })

  it('a run without a single test fails', () => {
    expect(testsResult(run(ended))).toMatchObject({ failed: 1, note: 'no test ran, exit code 0' })
  })

  it('a run without an end prints the last lines of its log', () => {
    const output = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n')
    const printed = testsResult(run({ ...endedBadly, output })).output.split('\n')
    expect([printed.length, printed[0], printed.at(-1)]).toEqual([60, 'line 140', 'line 199'])
  })
})
