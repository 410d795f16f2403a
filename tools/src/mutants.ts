import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatText } from './format-text.ts'
import { areas, type Area } from './mutants/areas.ts'
import { drawSample } from './mutants/draw-sample.ts'
import { countOf, isSurvivor, reportOf, requiredScore, scoreOf, type ReportedFile } from './mutants/report.ts'
import { allMutants, tryMutants, type ChosenMutants, type MutantResult } from './mutants/run-trials.ts'
import { readResults, storeResults } from './mutants/stored-results.ts'
import { expectedSurvivors, isExpected } from './mutants/survivors.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/mutants.md')

interface Chosen extends ChosenMutants {
  area: Area
}

/** `npm run mutants -- --only TEXT --again`: see docs/mutants.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, again: { type: 'boolean', default: false } },
  })
  const all = areas.flatMap(chosenIn)
  const chosen = all.filter(({ file, area }) => `${area.name} ${file.path}`.includes(values.only))
  if (chosen.length === 0) throw new Error(`no file or area contains ${values.only}`)
  const waiting = values.again ? chosen : chosen.filter((one) => readResults(one) === undefined)
  for (const group of groupsOf(waiting)) await tryAndStore(group)
  const reported = all.flatMap(reportedFile)
  if (values.only !== '') for (const file of reported.filter(isIn(chosen))) printSurvivors(file)
  if (reported.length < all.length) {
    console.log(`${all.length - reported.length} files have no results yet; npm run mutants tries them`)
    return
  }
  await writePage(reported)
  process.exitCode = verdict(reported) ? 0 : 1
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

async function tryAndStore(group: readonly Chosen[]): Promise<void> {
  const startedAt = performance.now()
  const results = await tryMutants(group)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  for (const [index, one] of group.entries()) {
    const ofFile = results[index] ?? []
    storeResults(one, ofFile)
    const survived = ofFile.filter(isSurvivor).length
    console.log(`${one.file.path}: ${ofFile.length} mutants, ${survived} survived`)
  }
  console.log(`${group.length === 1 ? 'it' : 'together they'} took ${seconds} s`)
}

function reportedFile(chosen: Chosen): ReportedFile[] {
  const results = readResults(chosen)
  if (!results) return []
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
      results: results.map((mutant) => ({ ...mutant, reason: reasonOf(mutant) })),
    },
  ]
}

function printSurvivors({ path, results }: ReportedFile): void {
  for (const { line, original, replacement, outcome, reason } of results.filter((one) => isSurvivor(one)))
    console.log(`${path}:${line} ${outcome}: ${original} => ${replacement}${reason ? ` (${reason})` : ''}`)
}

async function writePage(reported: readonly ReportedFile[]): Promise<void> {
  writeFileSync(page, await formatText(page, reportOf(reported)))
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
