import { configureGlobal } from 'fast-check'
import { afterEach, beforeEach, describe, inject, vi, type RunnerTask } from 'vitest'
import { switchName } from './instrument.ts'
import { repeatTests, type Tried } from './repeat-tests.ts'

/** What a worker is told about a trial: the tests to run, and the mutant that is active meanwhile. */
export interface Trial {
  /** Without one, the trial records which tests come by which mutants. */
  mutant: string | undefined
  testFiles: readonly string[]
  /** The full names of the tests that come by the mutant; all of them where it was met outside of a test. */
  testNames: readonly string[] | undefined
  /** Loads the tests anew and leaves the modules that they import: loading the whole server takes seconds. */
  keepsModules: boolean
  /** The mutants under which each test is repeated; setting up its file takes longer than most tests. */
  repeats?: Record<string, readonly string[]>
}

declare module 'vitest' {
  interface ProvidedContext {
    trials: Record<string, Trial>
  }
  interface TaskMeta {
    /** The mutants that this test came by, those that hooks met before it, and those that modules met on loading. */
    met?: string[]
    metByHooks?: string[]
    metOnLoad?: string[]
    /** Of the whole module: what became of the mutants under which its tests were repeated. */
    tried?: Tried
  }
}

/** A mutant may turn a loop into an endless one. Without a mutant no test asks nearly as often. */
const questionsLimit = 3_000_000
/** Property tests draw the same examples for every mutant, so that a report can be repeated. */
const seed = 20_260_101

const suiteOf = (task: RunnerTask): RunnerTask | undefined => task.suite ?? undefined

/** The names of the suites and of the test, from the outside in; the module of the trial itself has none. */
const fullName = (task: RunnerTask): string => {
  const suite = suiteOf(task)
  return suite ? `${fullName(suite)} > ${task.name}` : task.name
}

/** Registers the tests of a trial in the module that is collected. */
export function runTrial(name: string): void {
  const trial = inject('trials')[name]
  if (!trial) throw new Error(`there is no trial ${name}`)
  const { testFiles, testNames, keepsModules, repeats } = trial
  let { mutant } = trial
  let met = new Set<string>()
  let metByHooks: string[] = []
  const metOnLoad = new Map<string, string[]>()
  let questions = 0
  let hasFailed = false

  const isActive = (asked: string): boolean => {
    if (!repeats && mutant === undefined) met.add(asked)
    questions += 1
    if (questions > questionsLimit) throw new Error('the mutant does not end')
    return asked === mutant
  }
  Object.assign(globalThis, { [switchName]: isActive })

  const repeated = repeats && repeatTests(repeats, fullName)
  beforeEach(({ task, skip }) => {
    skip(hasFailed || (testNames !== undefined && !testNames.includes(fullName(task))))
    skip(repeated?.isNeeded(task) === false)
    mutant = repeated ? repeated.mutantOf(task) : mutant
    questions = repeated ? 0 : questions
    metByHooks = [...met]
    met = new Set()
  })
  afterEach(({ task }) => {
    if (repeated) mutant = undefined
    else if (task.result?.state === 'fail') hasFailed = true
    const testFile = testFiles.find((path) => fullName(task).startsWith(`${path} > `)) ?? ''
    Object.assign(task.meta, { met: [...met], metByHooks, metOnLoad: metOnLoad.get(testFile) })
    met = new Set()
  })

  configureGlobal({ seed })
  if (!keepsModules) vi.resetModules()
  for (const testFile of testFiles)
    describe(testFile, async () => {
      await import(/* @vite-ignore */ keepsModules ? `${testFile}?trial=${name}` : testFile)
      metOnLoad.set(testFile, [...met])
      met = new Set()
    })
}
