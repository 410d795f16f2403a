import { describe, expect, it } from 'vitest'
import { readTestReport } from './test-report.ts'

function report(status: string, ...tests: [string, string][]): string {
  const assertionResults = tests.map(([fullName, testStatus]) => ({ fullName, status: testStatus }))
  return JSON.stringify({
    testResults: [{ name: '/repository/dev/src/a.test.ts', status, assertionResults }],
  })
}

describe('readTestReport', () => {
  it('counts passed tests and names failed ones; a skipped test is neither', () => {
    const text = report('failed', ['adds', 'passed'], ['divides', 'failed'], ['waits', 'skipped'])
    expect(readTestReport(text, '/repository')).toEqual({
      passed: 1,
      failed: 1,
      failures: ['dev/src/a.test.ts > divides'],
      details: ['dev/src/a.test.ts > divides\n'],
      failedFiles: ['dev/src/a.test.ts'],
      times: [{ name: 'dev/src/a.test.ts', seconds: 0 }],
    })
  })

  it('includes the first line of the reason, and in the details all of it', () => {
    const failureMessages = ['AssertionError: expected 4 to be 5\n    at a.test.ts:1']
    const assertionResults = [{ fullName: 'adds', status: 'failed', failureMessages }]
    const text = JSON.stringify({ testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] })
    const { failures, details } = readTestReport(text, '/repository')
    expect(failures).toEqual(['a.test.ts > adds (AssertionError: expected 4 to be 5)'])
    expect(details).toEqual(['a.test.ts > adds\nAssertionError: expected 4 to be 5\n    at a.test.ts:1'])
  })

  it('counts a file that failed as a whole as one failure, with its reason', () => {
    const message = 'Hook timed out in 60000ms.\nIf this is a long-running hook, …'
    const assertionResults = [{ fullName: 'adds', status: 'passed' }]
    const text = JSON.stringify({
      testResults: [{ name: '/repository/dev/src/a.test.ts', status: 'failed', message, assertionResults }],
    })
    expect(readTestReport(text, '/repository')).toEqual({
      passed: 1,
      failed: 1,
      failures: ['dev/src/a.test.ts (the file itself) (Hook timed out in 60000ms.)'],
      details: [`dev/src/a.test.ts (the file itself)\n${message}`],
      failedFiles: ['dev/src/a.test.ts'],
      times: [{ name: 'dev/src/a.test.ts', seconds: 0 }],
    })
  })

  it('tells how long the tests of a file took', () => {
    const file = {
      name: 'a.test.ts',
      status: 'passed',
      startTime: 1_000,
      endTime: 3_500,
      assertionResults: [],
    }
    const { times } = readTestReport(JSON.stringify({ testResults: [file] }), '/repository')
    expect(times).toEqual([{ name: 'a.test.ts', seconds: 2.5 }])
  })

  it('finds nothing in an empty report', () => {
    expect(readTestReport('{}', '/repository')).toEqual({
      passed: 0,
      failed: 0,
      failures: [],
      details: [],
      failedFiles: [],
      times: [],
    })
  })
})
