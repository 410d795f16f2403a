export type TestReport = {
  readonly passed: number
  readonly failed: number
  /** One line for each failed test, and for each file that could not be loaded. */
  readonly failures: readonly string[]
}

/** Reads what vitest's JSON reporter wrote. */
export function readTestReport(text: string, root: string): TestReport {
  const report: unknown = JSON.parse(text)
  const files = list(field(report, 'testResults')).map((file) => readTestFile(file, root))
  const failures = files.flatMap((file) => file.failures)
  const passed = files.reduce((sum, file) => sum + file.passed, 0)
  return { passed, failed: failures.length, failures }
}

function readTestFile(file: unknown, root: string): { passed: number; failures: string[] } {
  const name = String(field(file, 'name')).replace(`${root}/`, '')
  const tests = list(field(file, 'assertionResults'))
  const passed = tests.filter((test) => field(test, 'status') === 'passed').length
  const failures = tests
    .filter((test) => field(test, 'status') === 'failed')
    .map((test) => `${name} > ${String(field(test, 'fullName'))}`)
  const isFileFailed = field(file, 'status') === 'failed' && failures.length === 0
  return { passed, failures: isFileFailed ? [`${name} (the file itself)`] : failures }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
