import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import {
  countMails,
  formatTable,
  isViolation,
  type Mails,
  type ScenarioResult,
} from './crash-engine/report.ts'
import { chanceFrom, highestSeed, type Chance } from './crash/chance.ts'
import { scenarios, setStage, type Scenario, type Stage } from './crash-engine/scenarios.ts'
import { startWorld, type World } from './crash-engine/world.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'

export type CrashOptions = {
  runs: number
  seed: number
  /** How long a crashed relay's claim lasts; the relay's own value unless told. */
  leaseSeconds?: number
  print: (line: string) => void
}

export type CrashReport = { results: ScenarioResult[]; idsInEngine: number; addressesInEngine: number }

const defaultRuns = 50

/** Ends workers, relays and the engine at their worst moments, and counts the mails that arrive. */
export async function crashEngine(options: CrashOptions): Promise<CrashReport> {
  const scratch = await scratchDir()
  const world = await startWorld({
    dataDir: scratch.path,
    ...(options.leaseSeconds !== undefined && { leaseSeconds: options.leaseSeconds }),
  })
  let stage: Stage = {}
  try {
    stage = await setStage(world)
    const chance = chanceFrom(options.seed)
    const outcomes: ScenarioOutcome[] = []
    for (const scenario of scenarios)
      outcomes.push(await runScenario(scenario, { world, stage, chance, options }))
    const counts = world.mailbox.counts()
    const results = outcomes.map(({ result, mails }) => ({ ...result, ...countMails(mails, counts) }))
    return { results, ...(await searchEngine(world)) }
  } finally {
    await stage.worker?.stop()
    await world.stop()
    await scratch.remove()
  }
}

type ScenarioOutcome = { result: ScenarioResult; mails: Mails }

type Run = { world: World; stage: Stage; chance: Chance; options: CrashOptions }

async function runScenario(
  scenario: Scenario,
  { world, stage, chance, options }: Run,
): Promise<ScenarioOutcome> {
  const runs = scenario.runs(options.runs)
  const mails: Mails = { expected: [], missing: [] }
  const problems: string[] = []
  let longestRecoveryMs = 0
  const startedAt = performance.now()
  for (let run = 1; run <= runs; run += 1) {
    const result = await scenario.run(world, stage, chance)
    mails.expected.push(...result.emails)
    mails.missing.push(...result.missing)
    longestRecoveryMs = Math.max(longestRecoveryMs, result.recoveryMs)
    if (result.problem !== undefined) problems.push(`run ${run}: ${result.problem}`)
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  options.print(`${scenario.name}: ${runs} runs in ${seconds} s`)
  return { result: { name: scenario.name, runs, lost: 0, doubled: 0, longestRecoveryMs, problems }, mails }
}

/** Ids of notices must be found, or the search proves nothing; the addresses of their readers must not. */
async function searchEngine(world: World): Promise<Pick<CrashReport, 'idsInEngine' | 'addressesInEngine'>> {
  const text = await world.engineText()
  const ids = await world.notificationIds()
  return {
    idsInEngine: ids.filter((id) => text.includes(id)).length,
    addressesInEngine: text.split('@crash.test').length - 1,
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } })
  const runs = Number(values.runs ?? defaultRuns)
  const seed = Number(values.seed ?? randomInt(highestSeed))
  if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed))
    throw new Error('--runs and --seed are whole numbers')
  console.log(`npm run crash:engine -- --runs ${runs} --seed ${seed}`)
  const report = await crashEngine({ runs, seed, print: console.log })
  console.log(`\n${formatTable(report.results)}\n`)
  console.log(`in the engine: ${report.idsInEngine} ids of notices, ${report.addressesInEngine} addresses`)
  const problems = report.results.flatMap((result) => result.problems)
  for (const problem of problems) console.error(problem)
  const isClean = report.addressesInEngine === 0 && report.idsInEngine > 0
  process.exitCode = isClean && !report.results.some(isViolation) ? 0 : 1
}

if (import.meta.main) await main()
