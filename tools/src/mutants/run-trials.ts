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
import { control, instrument, mutantId } from './instrument.ts'
import { findMutants, type Mutant, type Mutates } from './find-mutants.ts'
import type { Tried } from './repeat-tests.ts'
import type { Trial } from './trial.ts'

const root = join(import.meta.dirname, '../../..')
const trialModule = join(import.meta.dirname, 'trial.ts')
const trialQuery = '?trial='
const testTimeoutMs = 30_000
const hookTimeoutMs = 60_000

export interface MutatedFile {
  path: string
  testFiles: readonly string[]
  needsDatabase: boolean
  mutates: Mutates
}

type Outcome = 'killed' | 'survived' | 'not covered' | 'timed out'

export interface MutantResult extends Mutant {
  outcome: Outcome
  /** The first test that failed. */
  killedBy?: string | undefined
}

/** A file and those of its mutants that are tried: all of them, or the ones that were drawn. */
export interface ChosenMutants {
  file: MutatedFile
  mutants: readonly Mutant[]
}

export const allMutants = (file: MutatedFile): Mutant[] =>
  findMutants(file.path, readFileSync(join(root, file.path), 'utf8'), file.mutates)

/**
 * Tries the mutants of the files, and returns their results file by file; throws when the tests fail without any. One
 * Vitest runs all trials: it transforms each file once, and its worker keeps the packages that it has loaded.
 */
export async function tryMutants(
  chosen: readonly ChosenMutants[],
  isRepeated = chosen.some(({ file }) => file.needsDatabase),
): Promise<MutantResult[][]> {
  const vitest = await startVitest(chosen)
  try {
    const outcomes = await runAll(vitest, chosen, isRepeated)
    const outcomeFor = (id: string) => outcomes.get(id) ?? { outcome: 'not covered' as const }
    return chosen.map(({ file, mutants }) =>
      mutants.map((mutant) => ({ ...mutant, ...outcomeFor(mutantId(file.path, mutant)) })),
    )
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

async function startVitest(chosen: readonly ChosenMutants[]): Promise<Vitest> {
  const needsDatabase = chosen.some(({ file }) => file.needsDatabase)
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
      globalSetup: needsDatabase ? ['server/test/app/global-setup.ts'] : [],
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
            const one = chosen.find(({ file }) => file.path === relative(root, id))
            return one && { code: instrument(code, one.file.path, one.mutants), map: null }
          },
        },
      ],
    },
  )
  await vitest.standalone()
  return vitest
}

/** Runs the tests once without a mutant, then under every mutant that they come by, until one of them fails. */
async function runAll(
  vitest: Vitest,
  chosen: readonly ChosenMutants[],
  isRepeated: boolean,
): Promise<Map<string, Tried[string]>> {
  const testFiles = [...new Set(chosen.flatMap(({ file }) => file.testFiles))].map((path) => join(root, path))
  const whole = { testFiles, testNames: undefined, keepsModules: false }
  const [unmutated] = await runTrials(vitest, [{ ...whole, mutant: undefined }])
  assertPassed(unmutated)
  const coverage = coverageOf(unmutated, testFiles)
  const plans = chosen.flatMap(({ file, mutants }) =>
    mutants.map((mutant) => planOf(coverage, file, mutantId(file.path, mutant))),
  )
  const outcomes = new Map<string, Tried[string]>()
  if (isRepeated) await runRounds(vitest, await repeatInFiles(vitest, plans, outcomes), outcomes)
  // What a module computes while it is loaded, a mutant changes only in a module that is loaded anew.
  const loaded = isRepeated ? plans.filter(({ isMetOnLoad }) => isMetOnLoad) : plans
  await runRounds(vitest, loaded, outcomes)
  if (isRepeated) return outcomes
  const [disturbed] = await runTrials(vitest, [{ ...whole, mutant: control }])
  assertPassed(disturbed)
  return outcomes
}

/**
 * Sets up each test file once and repeats its tests under the mutants that are still alive. Some of them leave a
 * database behind in which a test fails without a mutant, too: what such a test finds is not known. Returns the plans
 * by which it is tried again, with a database of its own for each mutant.
 */
async function repeatInFiles(
  vitest: Vitest,
  plans: readonly Plan[],
  outcomes: Map<string, Tried[string]>,
): Promise<Plan[]> {
  const disturbed = new Set<string>()
  const rounds = plans.flatMap((plan) => plan.rounds.map((round) => ({ ...round, mutant: plan.mutant })))
  for (const [testFile, ofFile] of Map.groupBy(rounds, (round) => round.testFile)) {
    const repeats: Record<string, string[]> = {}
    for (const { mutant, metBy } of ofFile)
      if (isAlive(outcomes.get(mutant))) for (const name of metBy) (repeats[name] ??= []).push(mutant)
    const trial = { testFiles: [testFile], testNames: Object.keys(repeats), repeats }
    if (trial.testNames.length === 0) continue
    const [module] = await runTrials(vitest, [{ ...trial, mutant: undefined, keepsModules: true }])
    const { tried: triedHere } = module?.meta() ?? {}
    if (!triedHere) throw new Error(`the tests of ${testFile} were not repeated: ${failureOf(module)}`)
    for (const [mutant, tried] of Object.entries(triedHere))
      if (mutant.startsWith(`${control} `)) disturbed.add(mutant.slice(control.length + 1))
      else outcomes.set(mutant, tried)
  }
  return plans.map((plan) => ({
    ...plan,
    keepsModules: true,
    rounds: plan.rounds.flatMap((round) => {
      const metBy = round.metBy.filter((name) => disturbed.has(name))
      return metBy.length > 0 ? [{ ...round, metBy, testNames: metBy }] : []
    }),
  }))
}

const isAlive = (tried: Tried[string] | undefined): boolean => (tried?.outcome ?? 'survived') === 'survived'

/** Each round runs one more test file for each of the mutants that are still alive, which is set up anew for it. */
async function runRounds(
  vitest: Vitest,
  plans: readonly Plan[],
  outcomes: Map<string, Tried[string]>,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const trials = plans
      .filter(({ mutant }) => isAlive(outcomes.get(mutant)))
      .flatMap((plan) => trialsOf(plan, round))
    if (trials.length === 0) return
    const modules = await runTrials(vitest, trials)
    for (const [index, { mutant }] of trials.entries())
      if (mutant !== undefined) outcomes.set(mutant, outcomeOf(modules[index]))
  }
}

/** The tests that come by a mutant, test file by test file, the quickest first. */
interface Plan {
  mutant: string
  isMetOnLoad: boolean
  keepsModules: boolean
  rounds: Round[]
}

interface Round {
  testFile: string
  /** All of them where a hook or a module came by the mutant. */
  testNames: readonly string[] | undefined
  metBy: readonly string[]
  ms: number
}

const planOf = ({ files }: Coverage, file: MutatedFile, mutant: string): Plan => {
  const own = files.filter(({ path }) => file.testFiles.includes(relative(root, path)))
  // A module is loaded once, by whichever test file imports it first.
  const isMetOnLoad = files.some(({ metOnLoad }) => metOnLoad.has(mutant))
  const rounds = own.flatMap(({ path, metByHooks, tests }): Round[] => {
    const met = tests.filter((test) => test.met.has(mutant))
    const metBy = met.map(({ name }) => name)
    const ms = met.reduce((sum, test) => sum + test.ms, 0)
    if (isMetOnLoad || metByHooks.has(mutant)) return [{ testFile: path, testNames: undefined, metBy, ms }]
    return met.length === 0 ? [] : [{ testFile: path, testNames: metBy, metBy, ms }]
  })
  return { mutant, isMetOnLoad, keepsModules: false, rounds: rounds.toSorted((a, b) => a.ms - b.ms) }
}

const trialsOf = ({ mutant, keepsModules, rounds }: Plan, round: number): Trial[] =>
  rounds
    .slice(round, round + 1)
    .map(({ testFile, testNames }) => ({ mutant, testFiles: [testFile], testNames, keepsModules }))

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

/** What the tests of each file came by while they ran without a mutant. */
interface Coverage {
  files: {
    path: string
    metOnLoad: ReadonlySet<string>
    metByHooks: ReadonlySet<string>
    tests: { name: string; ms: number; met: ReadonlySet<string> }[]
  }[]
}

function assertPassed(module: TestModule | undefined): asserts module is TestModule {
  if (!module?.ok()) throw new Error(`the tests fail without a mutant: ${failureOf(module)}`)
}

function coverageOf(unmutated: TestModule, testFiles: readonly string[]): Coverage {
  const cases = [...unmutated.children.allTests()]
  const metOf = (tests: readonly TestCase[], where: 'metOnLoad' | 'metByHooks'): Set<string> =>
    new Set(tests.flatMap((test) => test.meta()[where] ?? []))
  return {
    files: testFiles.map((path) => {
      const tests = cases.filter(({ fullName }) => fullName.startsWith(`${path} > `))
      return {
        path,
        metOnLoad: metOf(tests, 'metOnLoad'),
        metByHooks: metOf(tests, 'metByHooks'),
        tests: tests.map((test) => ({
          name: test.fullName,
          ms: test.diagnostic()?.duration ?? 0,
          met: new Set(test.meta().met),
        })),
      }
    }),
  }
}

function outcomeOf(module: TestModule | undefined): Tried[string] {
  if (module?.ok() === true) return { outcome: 'survived' }
  const killedBy = [...(module?.children.allTests('failed') ?? [])].map(({ fullName }) => fullName)[0]
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
