import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChosenMutants, MutantResult, MutatedFile } from './run-trials.ts'

/** The results of one file, and the hash of everything that they depend on directly. */
interface StoredResults {
  hash: string
  results: MutantResult[]
}

const root = join(import.meta.dirname, '../../..')
const runnerFiles = [
  'find-mutants.ts',
  'sql-mutants.ts',
  'instrument.ts',
  'run-trials.ts',
  'trial.ts',
  'repeat-tests.ts',
].map((name) => `tools/src/mutants/${name}`)

const placeOf = ({ path }: MutatedFile): string =>
  join(root, '.cache/mutants', `${path.replaceAll('/', '-')}.json`)

/** Results stay valid while the file, its tests and the mutators are the same; what these import is not looked at. */
export function readResults(chosen: ChosenMutants): MutantResult[] | undefined {
  const place = placeOf(chosen.file)
  if (!existsSync(place)) return undefined
  // The file is written below and nowhere else.
  const stored = JSON.parse(readFileSync(place, 'utf8')) as StoredResults
  return stored.hash === hashOf(chosen) ? stored.results : undefined
}

export function storeResults(chosen: ChosenMutants, results: readonly MutantResult[]): void {
  const place = placeOf(chosen.file)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, JSON.stringify({ hash: hashOf(chosen), results }))
}

function hashOf({ file: { path, testFiles }, mutants }: ChosenMutants): string {
  const hash = createHash('sha256').update(mutants.map(({ number }) => number).join(' '))
  for (const name of [path, ...testFiles, ...runnerFiles]) hash.update(readFileSync(join(root, name)))
  return hash.digest('hex')
}
