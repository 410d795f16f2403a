import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createVault, installationOrgId } from '../../../kernel/db/vault.ts'
import { auditAcrossOrgs, formatFindings } from '../../../kernel/ledger/audit.ts'
import { balancesOf } from '../../../kernel/ledger/balances.ts'
import { newId } from '../../../lib/ids.ts'
import { createLog } from '../../../lib/log.ts'
import { explore, keyOf, viewOfModel, type PaymentView } from '../testing/explore-model.ts'
import { startModel, type Model } from '../testing/model.ts'
import { callOf, initiate } from '../testing/model-steps.ts'
import { exchange, orgCount, scenario, type Scenario } from '../testing/scenarios.ts'
import { openDoors } from '../testing/open-doors.ts'
import { startPlayer } from '../testing/play-scenario.ts'
import type { Stage } from '../testing/stage-settings.ts'
import { readPaymentViews } from '../testing/read-payments.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import { keyServiceOf, ringOf } from '../../../../test/app/test-keys.ts'
import { transitions } from './rules.ts'

/** A failure names the run and the payment; both can be given again. */
const seed = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31))
const only = process.env['MODEL_PAYMENT']
const payments = Number(process.env['MODEL_PAYMENTS'] ?? 1_000)
const atOnce = 24
/** A second for each payment, which takes some ten milliseconds on an idle machine. */
const timeLimitMs = 60_000 + payments * 1_000

const providers = ['pawapay', 'paystack', 'stripe', 'flutterwave', 'mpesa', 'manual']

const t = useDatabase()
let stage: Stage
beforeAll(async () => {
  const key = Buffer.alloc(32, 7)
  stage = {
    db: t.db,
    vault: createVault(t.db, keyServiceOf(key)),
    log: createLog('silent'),
    key: ringOf(key),
    orgs: await Promise.all(Array.from({ length: orgCount }, openOrg)),
    configIds: new Map(await Promise.all(providers.map(openRoute))),
    accountIds: new Map(await Promise.all(providers.map(openProvider))),
    doors: openDoors(t.owner),
  }
})

async function openRoute(provider: string): Promise<[string, string]> {
  const configId = newId()
  await t.owner.query(
    `insert into provider_configs (org_id, config_id, provider, country, payment_method, direction)
     values ($1, $2, $3, 'GB', 'card', 'inbound')`,
    [installationOrgId, configId, provider],
  )
  return [provider, configId]
}

async function openProvider(provider: string): Promise<[string, string]> {
  const accountId = newId()
  await t.owner.query(
    `insert into provider_accounts (org_id, account_id, provider, label) values ($1, $2, $3, $3)`,
    [installationOrgId, accountId, provider],
  )
  return [provider, accountId]
}

/** With a locked rate that outlasts the run, and credit for every payout, so that balances are those of the model. */
async function openOrg(): Promise<Stage['orgs'][number]> {
  const org = { orgId: newId(), orgRateId: newId() }
  await t.owner.query(
    `insert into organizations (org_id, name, country, payouts_require_kyb) values ($1, 'Model', 'GB', false)`,
    [org.orgId],
  )
  await t.owner.query(
    `insert into credit_limits (org_id, currency, limit_minor)
     select $1, currency, 1e30 from unnest($2::text[]) currency`,
    [org.orgId, ['UGX', exchange.from, exchange.to]],
  )
  await t.owner.query(
    `insert into rate_quotes (org_id, org_rate_id, from_currency, to_currency, rate, source, expires_at)
     values ($1, $2, $3, $4, $5, 'model', now() + interval '1 year')`,
    [org.orgId, org.orgRateId, exchange.from, exchange.to, String(exchange.rate)],
  )
  return org
}

interface PlayedScenario {
  paymentId: string
  orgId: string
  /** All that the model allows; more than one where calls at the same moment may come in either order. */
  scenario: Scenario
  candidates: Model[]
  problem: string | undefined
}

async function play(one: Scenario): Promise<PlayedScenario> {
  const player = startPlayer(stage, one)
  const at = { scenario: one, nowMs: player.nowMs() }
  const start = startModel(one, one.needsReview)
  const history = [await player.initiate()]
  let candidates = explore(start, [(model) => initiate(model, at)])
    .filter(({ answers }) => answers[0] === history[0])
    .map(({ model }) => model)
  for (const { passMs, steps } of one.turns) {
    player.pass(passMs)
    const now = { scenario: one, nowMs: player.nowMs() }
    const answers = await Promise.all(steps.map((step) => player.call(step)))
    history.push(answers.join(' and '))
    const allowed = candidates.flatMap((model) =>
      explore(
        model,
        steps.map((step) => (copy: Model) => callOf(copy, now, step)),
      ),
    )
    const fitting = allowed.filter((reached) => keyOf(reached.answers) === keyOf(answers))
    candidates = [...new Map(fitting.map(({ model }) => [keyOf(model), model])).values()]
  }
  const sentTwice = player.books.sent.filter((reference, index, all) => all.indexOf(reference) !== index)
  const problems = [
    ...(candidates.length === 0 ? ['the model answers otherwise'] : []),
    ...(sentTwice.length > 0 ? ['an attempt was sent twice'] : []),
  ]
  return {
    paymentId: player.paymentId(),
    orgId: stage.orgs[one.org]?.orgId ?? '',
    scenario: one,
    candidates,
    problem:
      problems.length > 0 ? `${problems.join(', ')}; it was answered ${history.join(', ')}` : undefined,
  }
}

/** A few at a time, as requests come; the first trouble of the code itself ends the run. */
async function playAll(scenarios: readonly Scenario[]): Promise<PlayedScenario[]> {
  const played: PlayedScenario[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < scenarios.length; index = next++) {
      const one = scenarios[index]
      if (!one) return
      played[index] = await play(one).catch((error: unknown) => {
        throw new Error(`payment ${index} of seed ${seed}`, { cause: error })
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return played
}

const problemOf = (one: PlayedScenario, seen: PaymentView | undefined): string | undefined => {
  if (one.problem !== undefined) return one.problem
  const allowed = one.candidates.map((candidate) => viewOfModel(candidate, one.scenario))
  if (allowed.some((candidate) => keyOf(candidate) === keyOf(inOrder(seen)))) return undefined
  return `is ${keyOf(seen)}\nallowed ${allowed.map(keyOf).join('\n     or ')}`
}

/** The same order of fields on both sides. */
const inOrder = (seen: PaymentView | undefined): PaymentView | undefined =>
  seen && {
    status: seen.status,
    tries: seen.tries,
    action: seen.action,
    refunds: seen.refunds,
    refunded: seen.refunded,
    disputes: seen.disputes,
    final: seen.final,
    held: seen.held,
    events: seen.events,
    exceptions: seen.exceptions,
  }

function sumBooks(seen: Iterable<PaymentView>): { final: Map<string, bigint>; held: Map<string, bigint> } {
  const sums = { final: new Map<string, bigint>(), held: new Map<string, bigint>() }
  for (const one of seen)
    for (const book of ['final', 'held'] as const)
      for (const [key, minor] of Object.entries(one[book]))
        sums[book].set(key, (sums[book].get(key) ?? 0n) + BigInt(minor))
  return sums
}

describe('random payments, with everything that providers and people may do to them', () => {
  let scenarios: Scenario[]
  let played: PlayedScenario[]
  let seen: Map<string, PaymentView>

  it(
    `${payments} of them end as the model of the design says`,
    async () => {
      const all = fc.sample(scenario, { seed, numRuns: payments })
      scenarios = only === undefined ? all : all.slice(Number(only), Number(only) + 1)
      const startedAt = performance.now()
      played = await playAll(scenarios)
      const seconds = (performance.now() - startedAt) / 1_000
      seen = await readPaymentViews(t.owner)
      const problems = played.flatMap((one, index) => {
        const problem = problemOf(one, seen.get(one.paymentId))
        if (problem === undefined) return []
        const replay = `MODEL_SEED=${seed} MODEL_PAYMENT=${only ?? index}`
        return [`${replay}: ${problem}\n${keyOf(scenarios[index])}`]
      })
      if (problems.length > 0) expect.fail(problems.slice(0, 3).join('\n\n'))
      expect(seen.size).toBe(played.length)
      expect(played).toHaveLength(scenarios.length)
      process.stdout.write(`${summary(seconds)}\n`)
    },
    timeLimitMs,
  )

  const summary = (seconds: number): string => {
    const statuses = new Map<string, number>()
    for (const { status } of seen.values()) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const counts = [...statuses].map(([status, count]) => `${status} ${count}`).join(', ')
    const disputes = [...seen.values()].flatMap((one) => one.disputes).length
    return `model: seed ${seed}, ${played.length} payments in ${seconds.toFixed(1)} s: ${counts}, ${disputes} disputes`
  }

  it('the balances of each organisation are the sum of what the model says of its payments', async () => {
    for (const { orgId } of stage.orgs) {
      const ofOrg = played.filter((one) => one.orgId === orgId)
      const sums = sumBooks(ofOrg.flatMap((one) => seen.get(one.paymentId) ?? []))
      const balances = await t.db.inOrg(orgId, (tx) => balancesOf(tx, orgId))
      // A provider may have several accounts.
      const byName = Map.groupBy(
        balances,
        ({ account, currency }) => `${account.replace(/^(provider:[^:]+):.*/, '$1')} ${currency}`,
      )
      for (const [name, parts] of byName) {
        const sumOf = (part: 'postedMinor' | 'heldMinor') => parts.reduce((sum, one) => sum + one[part], 0n)
        expect([name, sumOf('postedMinor')]).toEqual([name, sums.final.get(name) ?? 0n])
        expect([name, sumOf('heldMinor')]).toEqual([name, sums.held.get(name) ?? 0n])
      }
      const perCurrency = new Map<string, bigint>()
      for (const { currency, postedMinor } of balances)
        perCurrency.set(currency, (perCurrency.get(currency) ?? 0n) + postedMinor)
      expect([...perCurrency.values()].filter((sum) => sum !== 0n)).toEqual([])
    }
  })

  it('the audit finds nothing', async () => {
    const findings = await auditAcrossOrgs(t.db.readAcrossOrgs, transitions)
    expect(formatFindings(findings.filter((finding) => finding.violations > 0))).not.toContain(':')
  })
})
