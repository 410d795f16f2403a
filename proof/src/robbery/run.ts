import { chanceFrom, pick, type Chance } from '../shared/chance.ts'
import type { Gangs } from './attacks/attack.ts'
import { foundOrganization } from './attacks/identities.ts'
import { attacks } from './attacks/thieves.ts'
import { createGang } from './gang.ts'
import { startHonestBusiness, type HonestBusiness } from './honest.ts'
import type { RobberyInstallation } from './installation.ts'
import { judgeAnswer, judgeAnswers, judgeAudit, judgeStanding } from './judges/judge-all.ts'
import type { JudgeName, Violation } from './judges/judge.ts'
import { accountMoves } from './moves/accounts.ts'
import { controlMoves } from './moves/control.ts'
import { holdingMoves } from './moves/holdings.ts'
import { moneyMoves } from './moves/money.ts'
import { offerMoves } from './moves/offers.ts'
import { operatorMoves } from './moves/operator.ts'
import { openOwnAccounts, pointOwnWebhooks } from './own-keys.ts'
import { attackText, violationText, type AttackResult, type RobberyReport } from './report.ts'
import { guardedPolicies } from './rules.ts'
import { createClient, type Client } from './thief.ts'
import { untilQuiet } from './until-quiet.ts'

type RobberyOptions = {
  readonly steps: number
  readonly seed: number
  readonly timeLimitMs: number
  readonly print: (line: string) => void
  /** Only those attacks are played that one of these judges would notice; by default all. */
  readonly onlyFor?: readonly JudgeName[]
}

const moves = [...moneyMoves, ...accountMoves, ...holdingMoves, ...controlMoves, ...offerMoves]

const lanes = 3
const judgedEvery = 500
const tradeEvery = 150

type Game = {
  installation: RobberyInstallation
  client: Client
  gangs: Gangs
  business: HonestBusiness
  options: RobberyOptions
  /** By judge and subject, so that a growing sum is one violation. */
  violations: Map<string, Violation>
}

/** Plays the known attacks, then random steps, and judges in between and at the end. */
export async function rob(
  installation: RobberyInstallation,
  options: RobberyOptions,
): Promise<RobberyReport> {
  const startedAtMs = performance.now()
  const [client, honestClient] = [createClient(installation.url), createClient(installation.url)]
  try {
    const game = await prepare(installation, { client, honestClient, options })
    const played = await playAttacks(game)
    await playMoves(game)
    await judgeEnd(game)
    return {
      steps: client.steps,
      attacks: played,
      violations: [...game.violations.values()],
      seconds: (performance.now() - startedAtMs) / 1_000,
    }
  } finally {
    await Promise.all([client.stop(), honestClient.stop()])
  }
}

type Clients = { client: Client; honestClient: Client; options: RobberyOptions }

async function prepare(
  installation: RobberyInstallation,
  { client, honestClient, options }: Clients,
): Promise<Game> {
  const { people, simulatorUrl } = installation
  await openOwnAccounts(simulatorUrl)
  for (const url of people.installationAddresses) await pointOwnWebhooks(simulatorUrl, url)
  const gangs = {
    hostile: createGang(installation, client, people.hostile),
    unverified: createGang(installation, client, people.unverified),
    guarded: createGang(installation, client, people.guarded),
    founded: createGang(installation, client, people.founded),
    trader: createGang(installation, client, people.trader),
    clerk: createGang(installation, client, people.clerk),
    honest: createGang(installation, honestClient, people.honest),
  }
  gangs.guarded.notebook.add('user_id', people.guarded.absent)
  const path = `/v1/organizations/${people.guarded.orgId}/approval-policies`
  await gangs.guarded.ask({ method: 'PUT', path, body: { policies: guardedPolicies } })
  await foundOrganization(gangs.founded)
  const business = await startHonestBusiness(gangs.honest, people.canary)
  return { installation, client, gangs, business, options, violations: new Map() }
}

const keyOf = ({ judge, subject }: Violation): string => `${judge} ${subject}`

/** Files what was found; returns what is new or has grown. */
function file({ violations, options }: Game, found: readonly Violation[]): Violation[] {
  const fresh = found.filter((one) => violations.get(keyOf(one))?.problem !== one.problem)
  for (const violation of fresh) {
    if (!violations.has(keyOf(violation))) options.print(`violation  ${violationText(violation)}`)
    violations.set(keyOf(violation), violation)
  }
  return fresh
}

async function playAttacks(game: Game): Promise<AttackResult[]> {
  const played: AttackResult[] = []
  const { onlyFor } = game.options
  for (const attack of attacks.filter(({ caughtBy }) => onlyFor?.includes(caughtBy) ?? true)) {
    const startedAtMs = performance.now()
    const heard = await attack.run(game.gangs)
    const found = file(game, [...judgeAnswer(attack, heard), ...(await judgeStanding(game.installation))])
    const seconds = (performance.now() - startedAtMs) / 1_000
    const result = { name: attack.name, heard, seconds, found }
    game.options.print(attackText(result))
    played.push(result)
  }
  return played
}

/** All lanes draw from one sequence; which lane draws next depends on the answers. */
async function playMoves(game: Game): Promise<void> {
  const { client, options } = game
  const chance = chanceFrom(options.seed)
  const begun = client.steps.length
  const deadline = performance.now() + options.timeLimitMs
  const isOver = (): boolean => client.steps.length - begun >= options.steps || performance.now() > deadline
  let [judgedAt, tradedAt] = [begun, begun]
  const play = async (): Promise<void> => {
    while (!isOver()) {
      await playOne(game.gangs, chance)
      const now = client.steps.length
      if (now - tradedAt >= tradeEvery) {
        tradedAt = now
        await game.business.trade(chance)
      }
      if (now - judgedAt >= judgedEvery) {
        judgedAt = now
        file(game, await judgeStanding(game.installation))
        options.print(`${now - begun} of ${options.steps} steps, ${game.violations.size} violations`)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, play))
}

async function playOne(gangs: Gangs, chance: Chance): Promise<void> {
  const { hostile, guarded, founded, unverified, trader, clerk } = gangs
  const gang = pick(chance, [
    [hostile, 12],
    [guarded, 5],
    [founded, 4],
    [trader, 3],
    [clerk, 2],
    [unverified, 1],
  ])
  await pick(chance, gang === clerk ? operatorMoves : moves)(gang, chance)
}

async function judgeEnd(game: Game): Promise<void> {
  const { installation, business, client } = game
  await untilQuiet(installation)
  file(game, await judgeStanding(installation))
  file(game, await business.problems())
  file(game, judgeAnswers(client.steps, installation.people.canary))
  file(game, await judgeAudit(installation))
}
