import { afterAll, beforeAll, type RunnerTask, type RunnerTestCase, type RunnerTestSuite } from 'vitest'
import { control } from './instrument.ts'

/** What became of each mutant that was tried, and each test that fails without one. */
export type Tried = Record<
  string,
  { outcome: 'killed' | 'timed out' | 'survived'; killedBy?: string | undefined }
>

interface Repeated {
  /** Whether every mutant of the test has been killed by an earlier one. */
  isNeeded(task: RunnerTask): boolean
  /** The mutant of the current repetition; none in the last one, which shows whether the others disturbed the test. */
  mutantOf(task: RunnerTask): string | undefined
}

interface Repetitions {
  test: RunnerTestCase
  name: string
  mutants: readonly string[]
}

/**
 * Repeats each test of the module under each of its mutants that no earlier test has killed, with its hooks and without
 * setting up its file again.
 */
export function repeatTests(
  repeats: Record<string, readonly string[]>,
  fullName: (task: RunnerTask) => string,
): Repeated {
  const begun = new Map<string, Repetitions>()

  const begin = (test: RunnerTestCase): Repetitions => {
    const name = fullName(test)
    const tried = outcomesOf([...begun.values()])
    const mutants = (repeats[name] ?? []).filter(
      (mutant) => (tried[mutant]?.outcome ?? 'survived') === 'survived',
    )
    const repetitions = { test, name, mutants }
    begun.set(test.id, repetitions)
    return repetitions
  }

  // oxlint-disable-next-line eslint/no-empty-pattern -- Vitest demands a pattern as the first argument of a hook
  beforeAll(({}, suite) => {
    for (const test of testsIn(suite))
      // Vitest reads it when the test begins; by then it is known which mutants are still alive.
      Object.defineProperty(test, 'repeats', {
        get: () => (test.result ? (begun.get(test.id) ?? begin(test)).mutants.length : 0),
      })
  })
  // oxlint-disable-next-line eslint/no-empty-pattern -- Vitest demands a pattern as the first argument of a hook
  afterAll(({}, suite) => {
    suite.meta.tried = outcomesOf([...begun.values()])
  })
  return {
    isNeeded: ({ id }) => (begun.get(id)?.mutants.length ?? 0) > 0,
    mutantOf: ({ id, result }) => begun.get(id)?.mutants[result?.repeatCount ?? 0],
  }
}

const testsIn = (suite: Readonly<RunnerTestSuite>): RunnerTestCase[] =>
  suite.tasks.flatMap((task) => (task.type === 'test' ? [task] : testsIn(task)))

function outcomesOf(repetitions: readonly Repetitions[]): Tried {
  const tried: Tried = {}
  for (const { test, name, mutants } of repetitions) {
    const attempts = test.result?.attempts ?? []
    const failedAt = (index: number) =>
      attempts.find(({ repeatIndex, state }) => repeatIndex === index && state === 'fail')
    // A test that fails without a mutant as well has killed none.
    const disturbance = failedAt(mutants.length)
    const isDisturbed = disturbance !== undefined
    for (const [index, mutant] of mutants.entries()) {
      const failed = isDisturbed ? undefined : failedAt(index)
      if (failed)
        tried[mutant] = { outcome: isEndless(failed.errors ?? []) ? 'timed out' : 'killed', killedBy: name }
      else tried[mutant] ??= { outcome: 'survived' }
    }
    if (disturbance)
      tried[`${control} ${name}`] = { outcome: 'killed', killedBy: disturbance.errors?.[0]?.message }
  }
  return tried
}

const isEndless = (errors: readonly { message: string }[]): boolean =>
  errors.some(({ message }) => /does not end|timed out in/.test(message))
