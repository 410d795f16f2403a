import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readRepository } from './architecture.ts'
import { copyRepository } from './changed-proof/copy-repository.ts'
import { faults, type Fault } from './changed-proof/faults.ts'
import { runCommand } from './run-command.ts'
import { selectTests } from './select-tests.ts'
import { readTestReport, type TestReport } from './test-report.ts'

const root = join(import.meta.dirname, '../..')
const testsTimeoutMs = 900_000
const secondMs = 1_000
const nearest = 3

type Verdict = {
  readonly fault: Fault
  readonly files: number
  readonly seconds: number
  /** The first file that failed. */
  readonly foundBy: string | undefined
}

/**
 * `npm run changed:proof -- --only TEXT --from NUMBER`: whether the tests that `check -- --changed` selects find planted
 * faults. It works on a copy of the last commit.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, from: { type: 'string', default: '1' } },
  })
  const chosen = faults
    .slice(Number(values.from) - 1)
    .filter(({ path, effect }) => `${path} ${effect}`.includes(values.only))
  const copy = mkdtempSync(join(tmpdir(), 'switchyard-changed-'))
  try {
    await copyRepository(root, copy)
    const verdicts: Verdict[] = []
    for (const fault of chosen) {
      const verdict = await tryFault(copy, fault)
      console.log(lineOf(verdict))
      verdicts.push(verdict)
    }
    const missed = await findMissed(copy, verdicts)
    for (const effect of missed) console.log(`not proven: ${effect}`)
    console.log(`${chosen.length - missed.length} passed, ${missed.length} failed`)
    process.exitCode = missed.length === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Plants the fault, runs the selected tests until one fails, and takes it back. */
async function tryFault(copy: string, fault: Fault): Promise<Verdict> {
  const { selected } = selectTests(readRepository(copy), [fault.path])
  const path = join(copy, fault.path)
  const text = readFileSync(path, 'utf8')
  if (text.split(fault.original).length !== 2) throw new Error(`${fault.path} has no such line any more`)
  const startedAt = performance.now()
  writeFileSync(
    path,
    text.replace(fault.original, () => fault.replacement),
  )
  const foundBy = await firstFailing(copy, selected)
  writeFileSync(path, text)
  const seconds = (performance.now() - startedAt) / secondMs
  return { fault, files: selected.length, seconds, foundBy }
}

/** The nearest ones first, which often need no database. */
async function firstFailing(copy: string, selected: readonly string[]): Promise<string | undefined> {
  for (const files of [selected.slice(0, nearest), selected.slice(nearest)]) {
    if (files.length === 0) continue
    const { failedFiles } = await runTests(copy, ['--bail=1', ...files])
    if (failedFiles[0] !== undefined) return failedFiles[0]
  }
  return undefined
}

/** The faults that no test found, or only a test that fails without them too. */
async function findMissed(copy: string, verdicts: readonly Verdict[]): Promise<string[]> {
  const finders = new Set(verdicts.flatMap(({ foundBy }) => foundBy ?? []))
  const failedFiles = finders.size === 0 ? [] : (await runTests(copy, [...finders])).failedFiles
  return verdicts
    .filter(({ foundBy }) => foundBy === undefined || failedFiles.includes(foundBy))
    .map(({ fault }) => fault.effect)
}

async function runTests(copy: string, args: readonly string[]): Promise<TestReport> {
  const reportFile = join(copy, '.cache/changed-proof.json')
  rmSync(reportFile, { force: true })
  const reporters = ['--reporter=json', `--outputFile.json=${reportFile}`]
  await runCommand({
    program: process.execPath,
    args: [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args],
    cwd: copy,
    timeoutMs: testsTimeoutMs,
  })
  return readTestReport(existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : '{}', copy)
}

const lineOf = ({ fault, files, seconds, foundBy }: Verdict): string =>
  `${foundBy === undefined ? 'MISSED' : 'found'}\t${fault.path}\t${fault.effect}\t${files} files\t${seconds.toFixed(0)} s\t${foundBy ?? ''}`

if (import.meta.main) await main()
