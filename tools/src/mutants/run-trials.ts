import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  BaseSequencer,
  createVitest,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node'
import { instrument, mutantId } from './instrument.ts'
import { findMutants, type Mutant } from './find-mutants.ts'
import type { Trial } from './trial.ts'

const root = join(import.meta.dirname, '../../..')
const trialModule = join(import.meta.dirname, 'trial.ts')
const trialQuery = '?trial='
/** A trial without a mutant: if it fails, one trial has disturbed the next, and none of them counts. */
const control = 'none'
const testTimeoutMs = 30_000
const hookTimeoutMs = 60_000

export interface MutatedFile {
  path: string
  testFiles: readonly string[]
  needsDatabase: boolean
}

type Outcome = 'killed' | 'survived' | 'not covered' | 'timed out'

export interface MutantResult extends Mutant {
  outcome: Outcome
  /** The first test that failed. */
  killedBy?: string | undefined
}

/**
 * Tries every mutant of the file; throws when its tests fail without any. One Vitest runs all trials: it transforms each
 * file once, and its worker keeps the packages that it has loaded.
 */
export async function tryFile(file: MutatedFile): Promise<MutantResult[]> {
  const mutants = findMutants(file.path, readFileSync(join(root, file.path), 'utf8'))
  const vitest = await startVitest(file, mutants)
  try {
    return await tryMutants(vitest, file, mutants)
  } finally {
    await vitest.close()
  }
}

/** Vitest would run what failed last time first. */
class GivenOrder extends BaseSequencer {
  override sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(specifications)
  }
}

async function startVitest(file: MutatedFile, mutants: readonly Mutant[]): Promise<Vitest> {
  const vitest = await createVitest(
    {
      config: false,
      root,
      watch: false,
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      // The cache on disk knows nothing of mutants: it would return a file as it was transformed without them.
      fsModuleCache: false,
      sequence: { sequencer: GivenOrder },
      include: [],
      reporters: [{}],
      testTimeout: testTimeoutMs,
      hookTimeout: hookTimeoutMs,
      globalSetup: file.needsDatabase ? ['server/test/app/global-setup.ts'] : [],
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          load(id) {
            const [path, name] = id.split(trialQuery)
            if (path !== trialModule || name === undefined) return undefined
            return `import { runTrial } from ${JSON.stringify(trialModule)}; runTrial(${JSON.stringify(name)})`
          },
          transform(code, id) {
            if (relative(root, id) !== file.path) return undefined
            return { code: instrument(code, file.path, mutants), map: null }
          },
        },
      ],
    },
  )
  await vitest.standalone()
  return vitest
}

async function tryMutants(
  vitest: Vitest,
  file: MutatedFile,
  mutants: readonly Mutant[],
): Promise<MutantResult[]> {
  const testFiles = file.testFiles.map((path) => join(root, path))
  const [unmutated] = await runTrials(vitest, [
    { mutant: undefined, testFiles, testNames: undefined, keepsModules: false },
  ])
  assertPassed(unmutated, file)
  const coverage = coverageOf(unmutated, file)
  const trials = mutants.flatMap((mutant) => {
    const id = mutantId(file.path, mutant)
    const testNames = coverage.testsOf(id)
    // What a module computes while it is loaded, a mutant changes only in a module that is loaded anew.
    const keepsModules = file.needsDatabase && testNames !== undefined
    return testNames?.length === 0 ? [] : [{ mutant: id, testFiles, testNames, keepsModules }]
  })
  // A module that was loaded under a mutant keeps its effect, so these trials come last.
  const [kept, loaded] = [true, false].map((keepsModules) => [
    ...trials.filter((trial) => trial.keepsModules === keepsModules),
    { mutant: control, testFiles, testNames: undefined, keepsModules },
  ])
  const ordered = [...(file.needsDatabase ? (kept ?? []) : []), ...(loaded ?? [])]
  const modules = await runTrials(vitest, ordered)
  for (const [index, { mutant }] of ordered.entries())
    if (mutant === control) assertPassed(modules[index], file)
  const results = new Map(ordered.map(({ mutant }, index) => [mutant, modules[index]]))
  return mutants.map((mutant) => ({ ...mutant, ...outcomeOf(results.get(mutantId(file.path, mutant))) }))
}

/** Runs the trials one after another in one worker, and returns their modules in the same order. */
async function runTrials(vitest: Vitest, trials: readonly Trial[]): Promise<(TestModule | undefined)[]> {
  if (trials.length === 0) return []
  const project = vitest.getRootProject()
  const names = trials.map((_, index) => String(index))
  project.provide('trials', Object.fromEntries(trials.map((trial, index) => [names[index] ?? '', trial])))
  const ids = names.map((name) => `${trialModule}${trialQuery}${name}`)
  const { testModules } = await vitest.runTestSpecifications(ids.map((id) => project.createSpecification(id)))
  return ids.map((id) => testModules.find(({ moduleId }) => moduleId === id))
}

/** Which tests come by a mutant; undefined for all, because modules or hooks came by it. */
interface Coverage {
  testsOf(mutant: string): readonly string[] | undefined
}

function assertPassed(module: TestModule | undefined, { path }: MutatedFile): asserts module is TestModule {
  if (!module?.ok()) throw new Error(`the tests of ${path} fail without a mutant: ${failureOf(module)}`)
}

function coverageOf(unmutated: TestModule, { path }: MutatedFile): Coverage {
  const cases = [...unmutated.children.allTests()]
  const isMet = cases.some(
    (test) => [...(test.meta().met ?? []), ...(test.meta().metBefore ?? [])].length > 0,
  )
  if (!isMet) throw new Error(`no test comes by a mutant of ${path}`)
  const metOutside = new Set(cases.flatMap((test) => test.meta().metBefore ?? []))
  const testsOf = (mutant: string): string[] =>
    cases.filter((test) => test.meta().met?.includes(mutant)).map(nameOf)
  return { testsOf: (mutant) => (metOutside.has(mutant) ? undefined : testsOf(mutant)) }
}

const nameOf = (test: TestCase): string => test.fullName

function outcomeOf(module: TestModule | undefined): Pick<MutantResult, 'outcome' | 'killedBy'> {
  if (!module) return { outcome: 'not covered' }
  if (module.ok()) return { outcome: 'survived' }
  const killedBy = [...module.children.allTests('failed')].map(({ fullName }) => fullName)[0]
  const isEndless = /does not end|timed out in/.test(failureOf(module))
  return { outcome: isEndless ? 'timed out' : 'killed', killedBy }
}

const failureOf = (module: TestModule | undefined): string =>
  [
    ...(module?.errors() ?? []),
    ...[...(module?.children.allTests('failed') ?? [])].flatMap((test) => test.result().errors ?? []),
  ]
    .map(({ message }) => message)
    .join('; ')
