import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { MutantResult, MutatedFile } from './run-trials.ts'

/** The results of one file, and the hash of everything that they depend on directly. */
interface StoredResults {
  hash: string
  results: MutantResult[]
}

const root = join(import.meta.dirname, '../../..')
const runnerFiles = ['find-mutants.ts', 'instrument.ts', 'run-trials.ts', 'trial.ts'].map(
  (name) => `tools/src/mutants/${name}`,
)

const placeOf = ({ path }: MutatedFile): string =>
  join(root, '.cache/mutants', `${path.replaceAll('/', '-')}.json`)

/** Results stay valid while the file, its tests and the mutators are the same; what these import is not looked at. */
export function readResults(file: MutatedFile): MutantResult[] | undefined {
  if (!existsSync(placeOf(file))) return undefined
  // The file is written below and nowhere else.
  const stored = JSON.parse(readFileSync(placeOf(file), 'utf8')) as StoredResults
  return stored.hash === hashOf(file) ? stored.results : undefined
}

export function storeResults(file: MutatedFile, results: readonly MutantResult[]): void {
  mkdirSync(dirname(placeOf(file)), { recursive: true })
  writeFileSync(placeOf(file), JSON.stringify({ hash: hashOf(file), results }))
}

function hashOf({ path, testFiles }: MutatedFile): string {
  const hash = createHash('sha256')
  for (const name of [path, ...testFiles, ...runnerFiles]) hash.update(readFileSync(join(root, name)))
  return hash.digest('hex')
}
