import type { Part } from './longest-parts.ts'

const reasonChars = 160
/** Enough for an assertion with its difference and the frames of the test. */
const detailLines = 40
const secondMs = 1000

export type TestReport = {
  readonly passed: number
  readonly failed: number
  /** One line with its reason for each failed test, and for each file that failed as a whole, such as by a hook. */
  readonly failures: readonly string[]
  /** The same with whole messages. */
  readonly details: readonly string[]
  readonly failedFiles: readonly string[]
  /** How long the tests of each file took, without its hooks. */
  readonly times: readonly Part[]
}

/** Reads the output of vitest's JSON reporter. */
export function readTestReport(text: string, root: string): TestReport {
  const report: unknown = JSON.parse(text)
  const files = list(field(report, 'testResults')).map((file) => readTestFile(file, root))
  const failures = files.flatMap((file) => file.failures)
  const passed = files.reduce((sum, file) => sum + file.passed, 0)
  const failedFiles = files.filter((file) => file.failures.length > 0).map((file) => file.name)
  const details = files.flatMap((file) => file.details)
  const times = files.map(({ name, seconds }) => ({ name, seconds }))
  return { passed, failed: failures.length, failures, details, failedFiles, times }
}

type TestFile = {
  readonly name: string
  readonly seconds: number
  readonly passed: number
  readonly failures: readonly string[]
  readonly details: readonly string[]
}

function readTestFile(file: unknown, root: string): TestFile {
  const name = String(field(file, 'name')).replace(`${root}/`, '')
  const tests = list(field(file, 'assertionResults'))
  const passed = tests.filter((test) => field(test, 'status') === 'passed').length
  const failed = tests
    .filter((test) => field(test, 'status') === 'failed')
    .map((test) => ({ title: `${name} > ${String(field(test, 'fullName'))}`, message: messageOf(test) }))
  const isFileFailed = field(file, 'status') === 'failed' && failed.length === 0
  const failures = isFileFailed
    ? [{ title: `${name} (the file itself)`, message: textOf(field(file, 'message')) }]
    : failed
  return {
    name,
    seconds: (numberOf(field(file, 'endTime')) - numberOf(field(file, 'startTime'))) / secondMs,
    passed,
    failures: failures.map(({ title, message }) => title + firstLine(message)),
    details: failures.map(({ title, message }) => `${title}\n${firstLines(message)}`),
  }
}

function messageOf(test: unknown): string {
  const [message] = list(field(test, 'failureMessages'))
  return textOf(message)
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** For an unsteady test it is the only trace. */
function firstLine(message: string): string {
  const [line] = message.split('\n')
  return line ? ` (${line.slice(0, reasonChars)})` : ''
}

const firstLines = (message: string): string => message.split('\n').slice(0, detailLines).join('\n')

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
