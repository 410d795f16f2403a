import { describe, expect, it } from 'vitest'
import { runSteps, testsResult, type Step } from './check.ts'

const ended = { isSuccess: true, ending: 'exit code 0', stdout: '', output: 'all the output', durationMs: 1 }

function step(name: string, passed: number, failed: number, note = ''): Step {
  return { name, run: async () => ({ passed, failed, note, output: `output of ${name}\n` }) }
}

async function linesOf(...steps: Step[]): Promise<{ failed: number; lines: string[] }> {
  const lines: string[] = []
  const failed = await runSteps(steps, (line) => lines.push(line.replace(/\s+[\d.]+ s/, ' … s')))
  return { failed, lines }
}

describe('runSteps', () => {
  it('says one line for each step and ends with the sum', async () => {
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

  it('shows the output of what failed, goes on, and names it in one line', async () => {
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

describe('testsResult', () => {
  const report = (...statuses: string[]): string =>
    JSON.stringify({
      testResults: [
        { name: 'a', assertionResults: statuses.map((status) => ({ status, fullName: status })) },
      ],
    })

  it('counts passed tests', () => {
    expect(testsResult(ended, report('passed', 'passed'))).toMatchObject({
      passed: 2,
      failed: 0,
      note: '2 tests',
    })
  })

  it('names the first three failures and counts the rest', () => {
    const result = testsResult(ended, report('failed', 'failed', 'failed', 'failed', 'passed'))
    expect(result).toMatchObject({ passed: 1, failed: 4, output: 'all the output' })
    expect(result.note).toBe('a > failed, a > failed, a > failed, and 1 more')
  })

  it('a run that ends badly fails even when every test in its report passed', () => {
    const result = testsResult({ ...ended, isSuccess: false, ending: 'exit code 1' }, report('passed'))
    expect(result).toMatchObject({ passed: 1, failed: 1, note: 'every test passed, yet exit code 1' })
  })

  it('a run without a single test fails', () => {
    expect(testsResult(ended, '{}')).toMatchObject({ passed: 0, failed: 1, note: 'no test ran, exit code 0' })
  })
})
