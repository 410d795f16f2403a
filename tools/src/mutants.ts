import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatText } from './format-text.ts'
import { areas, type Area } from './mutants/areas.ts'
import { drawSample } from './mutants/draw-sample.ts'
import type { Mutant } from './mutants/find-mutants.ts'
import {
  countOf,
  isSurvivor,
  reportOf,
  requiredScore,
  scoreOf,
  type ReportedFile,
  type UntriedFile,
} from './mutants/report.ts'
import { allMutants, tryMutants, type ChosenMutants, type MutantResult } from './mutants/run-trials.ts'
import { hashesOf, leftOf, readResults, readStored, storeResults } from './mutants/stored-results.ts'
import { expectedSurvivors, isExpected } from './mutants/survivors.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/mutants.md')

interface Chosen extends ChosenMutants {
  area: Area
}

/** `npm run mutants -- --only TEXT --again --report`: see docs/mutants.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      again: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  })
  const all = areas.flatMap(chosenIn)
  const chosen = all.filter(({ file, area }) => `${area.name} ${file.path}`.includes(values.only))
  if (chosen.length === 0) throw new Error(`no file or area contains ${values.only}`)
  const waiting = values.again ? chosen : chosen.filter((one) => readResults(one) === undefined)
  if (!values.report) for (const group of groupsOf(waiting)) await tryAndStore(group, values.again)
  const reported = all.flatMap(reportedFile)
  const untried = all.filter(({ file }) => !reported.some(({ path }) => path === file.path))
  if (values.only !== '') for (const file of reported.filter(isIn(chosen))) printSurvivors(file)
  if (untried.length > 0)
    console.log(`${untried.length} files have no results yet; npm run mutants tries them`)
  if (untried.length > 0 && !values.report) return
  await writePage(
    reported,
    untried.map(({ area, file }) => ({ area: area.name, path: file.path })),
  )
  process.exitCode = verdict(reported) && untried.length === 0 ? 0 : 1
}

const isIn =
  (chosen: readonly Chosen[]) =>
  ({ path }: ReportedFile): boolean =>
    chosen.some(({ file }) => file.path === path)

/** All mutants of the files that need no database, and a sample of the others together. */
function chosenIn(area: Area): Chosen[] {
  const found = area.files.map((file) => ({ file, mutants: allMutants(file) }))
  const onDatabase = found.filter(({ file }) => file.needsDatabase)
  const drawn = area.sampleSize === undefined ? onDatabase : drawSample(onDatabase, area.sampleSize)
  return found
    .map((one) => drawn.find(({ file }) => file === one.file) ?? one)
    .filter(({ mutants }) => mutants.length > 0)
    .map((one) => ({ ...one, area }))
}

/**
 * The files of an area that need a database share one. The others come first and one by one: they take seconds, so an
 * interrupted run has most of the results.
 */
const groupsOf = (waiting: readonly Chosen[]): Chosen[][] => [
  ...waiting.filter(({ file }) => !file.needsDatabase).map((one) => [one]),
  ...Map.groupBy(
    waiting.filter(({ file }) => file.needsDatabase),
    ({ area }) => area,
  ).values(),
]

/**
 * What no known result tells: first against the tests that are new or have changed, and what these do not kill against
 * the others, unless it has survived those before.
 */
async function tryAndStore(group: readonly Chosen[], isAgain: boolean): Promise<void> {
  const startedAt = performance.now()
  // Somebody may change a test meanwhile, and the results are not about that change.
  const begun = group.map((one) => {
    const hashes = hashesOf(one.file)
    return { ...one, hashes, left: leftOf(one, hashes, isAgain ? undefined : readStored(one.file)) }
  })
  const found = new Map<Mutant, MutantResult>()
  await tryAgainst(
    begun.map(({ left, ...one }) => ({
      ...narrowed(one, left.changedTests),
      mutants: one.mutants.filter(({ number }) => !left.killed.some((killed) => killed.number === number)),
    })),
    found,
  )
  const isOpen = (mutant: Mutant): boolean => {
    const result = found.get(mutant)
    return result === undefined || isSurvivor(result)
  }
  await tryAgainst(
    begun.map(({ left: { killed, changedTests, survivors }, ...one }) => ({
      ...narrowed(
        one,
        one.file.testFiles.filter((path) => !changedTests.includes(path)),
      ),
      mutants: one.mutants.filter(
        (mutant) =>
          isOpen(mutant) &&
          !survivors.has(mutant.number) &&
          !killed.some(({ number }) => number === mutant.number),
      ),
    })),
    found,
  )
  for (const { file, mutants, hashes, left } of begun) {
    const results = mutants.map(
      (mutant) =>
        left.killed.find(({ number }) => number === mutant.number) ??
        found.get(mutant) ?? { ...mutant, outcome: 'not covered' as const },
    )
    storeResults(file, { ...hashes, day: today(), results })
    console.log(`${file.path}: ${mutants.length} mutants, ${results.filter(isSurvivor).length} survived`)
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  console.log(`${group.length === 1 ? 'it' : 'together they'} took ${seconds} s`)
}

const narrowed = ({ file }: ChosenMutants, testFiles: readonly string[]) => ({ file: { ...file, testFiles } })

async function tryAgainst(chosen: readonly ChosenMutants[], found: Map<Mutant, MutantResult>): Promise<void> {
  const tried = chosen.filter(({ file, mutants }) => file.testFiles.length > 0 && mutants.length > 0)
  if (tried.length === 0) return
  const results = await tryMutants(tried)
  for (const [index, { mutants }] of tried.entries())
    for (const mutant of mutants) {
      const result = results[index]?.find(({ number }) => number === mutant.number)
      if (result) found.set(mutant, result)
    }
}

const today = (): string => new Date().toISOString().slice(0, 10)

function reportedFile(chosen: Chosen): ReportedFile[] {
  const stored = readResults(chosen)
  if (!stored) return []
  const { path } = chosen.file
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const reasonOf = (mutant: MutantResult): string | undefined => {
    const lineText = lines[mutant.line - 1] ?? ''
    return expectedSurvivors.find((one) => isExpected(one, path, { ...mutant, lineText }))?.reason
  }
  return [
    {
      area: chosen.area.name,
      path,
      isSample: chosen.file.needsDatabase && chosen.area.sampleSize !== undefined,
      day: stored.day,
      results: stored.results.map((mutant) => ({ ...mutant, reason: reasonOf(mutant) })),
    },
  ]
}

function printSurvivors({ path, results }: ReportedFile): void {
  for (const { line, original, replacement, outcome, reason } of results.filter((one) => isSurvivor(one)))
    console.log(`${path}:${line} ${outcome}: ${original} => ${replacement}${reason ? ` (${reason})` : ''}`)
}

async function writePage(reported: readonly ReportedFile[], untried: readonly UntriedFile[]): Promise<void> {
  writeFileSync(page, await formatText(page, reportOf(reported, untried)))
}

/** Prints what falls short, and returns whether nothing does. */
function verdict(reported: readonly ReportedFile[]): boolean {
  const names = [...new Set(reported.map(({ area }) => area))]
  const scores = names.map((name) => ({
    name,
    score: scoreOf(countOf(reported.filter(({ area }) => area === name))),
  }))
  const low = scores.filter(({ score }) => score < requiredScore)
  for (const { name, score } of low) console.log(`${name}: ${score.toFixed(1)} % killed`)
  const unexplained = reported.flatMap(({ results }) =>
    results.filter((mutant) => isSurvivor(mutant) && mutant.reason === undefined),
  )
  if (unexplained.length > 0) console.log(`${unexplained.length} survivors have no reason`)
  console.log(`${scoreOf(countOf(reported)).toFixed(1)} % of ${countOf(reported).mutants} mutants killed`)
  return low.length === 0 && unexplained.length === 0
}

if (import.meta.main) await main()
