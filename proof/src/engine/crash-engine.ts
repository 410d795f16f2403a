import { chanceFrom, type Chance } from '../shared/chance.ts'
import { startEngineInstallation, type EngineInstallation } from './installation.ts'
import { countMails, type Mails, type ScenarioResult } from './report.ts'
import { scenarios, setStage, type Scenario, type Stage } from './scenarios.ts'

type CrashOptions = {
  runs: number
  seed: number
  /** How long the claim of a crashed relay lasts; by default as long as the relay decides. */
  leaseSeconds?: number
  print: (line: string) => void
}

type CrashReport = { results: ScenarioResult[]; idsInEngine: number; addressesInEngine: number }

/** Kills workers, relays and the engine at the worst moments, and counts the mails that arrive. */
export async function crashEngine(options: CrashOptions): Promise<CrashReport> {
  const installation = await startEngineInstallation(options.leaseSeconds)
  try {
    const stage = await setStage(installation)
    const chance = chanceFrom(options.seed)
    const outcomes: ScenarioOutcome[] = []
    for (const scenario of scenarios)
      outcomes.push(await runScenario(scenario, { installation, stage, chance, options }))
    const counts = installation.mailbox.counts()
    const results = outcomes.map(({ result, mails }) => ({ ...result, ...countMails(mails, counts) }))
    return { results, ...(await searchEngine(installation)) }
  } finally {
    await installation.stop()
  }
}

type ScenarioOutcome = { result: ScenarioResult; mails: Mails }

type Run = { installation: EngineInstallation; stage: Stage; chance: Chance; options: CrashOptions }

async function runScenario(
  scenario: Scenario,
  { installation, stage, chance, options }: Run,
): Promise<ScenarioOutcome> {
  const runs = scenario.runs(options.runs)
  const mails: Mails = { expected: [], missing: [] }
  const problems: string[] = []
  let longestRecoveryMs = 0
  const startedAt = performance.now()
  for (let run = 1; run <= runs; run += 1) {
    const result = await scenario.run(installation, stage, chance)
    mails.expected.push(...result.emails)
    mails.missing.push(...result.missing)
    longestRecoveryMs = Math.max(longestRecoveryMs, result.recoveryMs)
    if (result.problem !== undefined) problems.push(`run ${run}: ${result.problem}`)
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  options.print(`${scenario.name}: ${runs} runs in ${seconds} s`)
  return { result: { name: scenario.name, runs, lost: 0, doubled: 0, longestRecoveryMs, problems }, mails }
}

/** The ids of notifications must be found, or the search proves nothing; the recipients' addresses must not. */
async function searchEngine(
  installation: EngineInstallation,
): Promise<Pick<CrashReport, 'idsInEngine' | 'addressesInEngine'>> {
  const text = await installation.engineText()
  const ids = await installation.notificationIds()
  return {
    idsInEngine: ids.filter((id) => text.includes(id)).length,
    addressesInEngine: text.split('@crash.test').length - 1,
  }
}
