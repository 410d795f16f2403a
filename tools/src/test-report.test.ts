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
      failedFiles: ['dev/src/a.test.ts'],
    })
  })

  it('includes the first line of the reason', () => {
    const failureMessages = ['AssertionError: expected 4 to be 5\n    at a.test.ts:1']
    const assertionResults = [{ fullName: 'adds', status: 'failed', failureMessages }]
    const text = JSON.stringify({ testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] })
    expect(readTestReport(text, '/repository').failures).toEqual([
      'a.test.ts > adds (AssertionError: expected 4 to be 5)',
    ])
  })

  it('counts a file that could not be loaded as one failure', () => {
    expect(readTestReport(report('failed'), '/repository')).toEqual({
      passed: 0,
      failed: 1,
      failures: ['dev/src/a.test.ts (the file itself)'],
      failedFiles: ['dev/src/a.test.ts'],
    })
  })

  it('finds nothing in an empty report', () => {
    expect(readTestReport('{}', '/repository')).toEqual({
      passed: 0,
      failed: 0,
      failures: [],
      failedFiles: [],
    })
  })
})
