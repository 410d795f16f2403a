import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { areas } from './mutants/areas.ts'
import { countOf, isSurvivor, reportOf, requiredScore, scoreOf, type ReportedFile } from './mutants/report.ts'
import { tryFile, type MutantResult, type MutatedFile } from './mutants/run-trials.ts'
import { readResults, storeResults } from './mutants/stored-results.ts'
import { expectedSurvivors, isExpected } from './mutants/survivors.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/mutants.md')

interface Chosen extends MutatedFile {
  area: string
}

/** `npm run mutants -- --only TEXT --again`: see docs/mutants.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, again: { type: 'boolean', default: false } },
  })
  const all: Chosen[] = areas.flatMap(({ name, files }) => files.map((file) => ({ ...file, area: name })))
  const chosen = all.filter(({ path, area }) => `${area} ${path}`.includes(values.only))
  if (chosen.length === 0) throw new Error(`no file or area contains ${values.only}`)
  const waiting = values.again ? chosen : chosen.filter((file) => readResults(file) === undefined)
  // Those that need no database take seconds, so an interrupted run has most of the results.
  for (const file of waiting.toSorted((a, b) => Number(a.needsDatabase) - Number(b.needsDatabase)))
    await tryAndStore(file)
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
    chosen.some((file) => file.path === path)

async function tryAndStore(file: MutatedFile): Promise<void> {
  const startedAt = performance.now()
  const results = await tryFile(file)
  storeResults(file, results)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  const survived = results.filter(isSurvivor).length
  console.log(`${file.path}: ${results.length} mutants, ${survived} survived, ${seconds} s`)
}

function reportedFile(file: Chosen): ReportedFile[] {
  const results = readResults(file)
  if (!results) return []
  const lines = readFileSync(join(root, file.path), 'utf8').split('\n')
  const reasonOf = (mutant: MutantResult): string | undefined => {
    const lineText = lines[mutant.line - 1] ?? ''
    return expectedSurvivors.find((one) => isExpected(one, file.path, { ...mutant, lineText }))?.reason
  }
  return [
    {
      area: file.area,
      path: file.path,
      results: results.map((mutant) => ({ ...mutant, reason: reasonOf(mutant) })),
    },
  ]
}

function printSurvivors({ path, results }: ReportedFile): void {
  for (const { line, original, replacement, outcome, reason } of results.filter((one) => isSurvivor(one)))
    console.log(`${path}:${line} ${outcome}: ${original} => ${replacement}${reason ? ` (${reason})` : ''}`)
}

async function writePage(reported: readonly ReportedFile[]): Promise<void> {
  const options = await resolveConfig(page)
  writeFileSync(page, await format(reportOf(reported), { ...options, parser: 'markdown' }))
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
