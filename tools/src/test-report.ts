const reasonChars = 160

export type TestReport = {
  readonly passed: number
  readonly failed: number
  /** One line for each failed test with its reason, and for each file that could not be loaded. */
  readonly failures: readonly string[]
  readonly failedFiles: readonly string[]
}

/** Reads the output of vitest's JSON reporter. */
export function readTestReport(text: string, root: string): TestReport {
  const report: unknown = JSON.parse(text)
  const files = list(field(report, 'testResults')).map((file) => readTestFile(file, root))
  const failures = files.flatMap((file) => file.failures)
  const passed = files.reduce((sum, file) => sum + file.passed, 0)
  const failedFiles = files.filter((file) => file.failures.length > 0).map((file) => file.name)
  return { passed, failed: failures.length, failures, failedFiles }
}

type TestFile = { readonly name: string; readonly passed: number; readonly failures: readonly string[] }

function readTestFile(file: unknown, root: string): TestFile {
  const name = String(field(file, 'name')).replace(`${root}/`, '')
  const tests = list(field(file, 'assertionResults'))
  const passed = tests.filter((test) => field(test, 'status') === 'passed').length
  const failures = tests
    .filter((test) => field(test, 'status') === 'failed')
    .map((test) => `${name} > ${String(field(test, 'fullName'))}${reasonOf(test)}`)
  const isFileFailed = field(file, 'status') === 'failed' && failures.length === 0
  return { name, passed, failures: isFileFailed ? [`${name} (the file itself)`] : failures }
}

/** The first line of vitest's message; for an unsteady test it is the only trace. */
function reasonOf(test: unknown): string {
  const [message] = list(field(test, 'failureMessages'))
  const [line] = typeof message === 'string' ? message.split('\n') : []
  return line ? ` (${line.slice(0, reasonChars)})` : ''
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
