import { createClient, type ApiClient } from '../crash/client.ts'
import { auditViolations } from '../crash/audit-check.ts'
import { limits } from '../crash/limits.ts'
import { startSaboteur, type Fault, type Saboteur } from '../crash/saboteur.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import {
  gatherRamps,
  isQuiet,
  rampViolations,
  type RampEvidence,
  type RampViolation,
} from './provider-checks.ts'
import { bodyOf, paymentsToCircle, planRamps, type PlannedRamp, type PlanOptions } from './provider-plan.ts'
import { startProviderWorld, type ProviderWorld } from './provider-world.ts'

export type ProviderReport = {
  ramps: number
  acknowledged: number
  kills: number
  /** Of these, where the named point was passed. */
  atPoints: number
  completed: number
  refunded: number
  failed: number
  /** In front of a person, by kind. */
  exceptions: Record<string, number>
  legs: number
  /** Legs of which nobody knew for a while what had become of them. */
  ambiguous: number
  violations: number
}

const lanes = 6
const endLimitMs = 420_000
/** Delayed webhooks are on nobody's list for as long as this. */
const quietLooks = 5

/** Ramps at random through providers that do both sides, while api and worker are killed with -9. */
export async function crashProviders(
  options: PlanOptions & { print: (line: string) => void },
): Promise<ProviderReport> {
  const plan = planRamps(options)
  const scratch = await scratchDir()
  const world = await startProviderWorld(scratch.path, plan.settleMs)
  const client = createClient([world.apiUrl], () => undefined)
  try {
    world.simulator.configure('circle', { options: paymentsToCircle(plan.ramps) })
    const saboteur = startSaboteur(world, plan.steps, options.print)
    const acknowledged = await startAll({ world, client, saboteur }, plan.ramps)
    await saboteur.finished
    options.print(`${acknowledged} of ${plan.ramps.length} ramps acknowledged, waiting until all is quiet`)
    for (const provider of ['yellowcard', 'circle']) world.simulator.setFaults(provider, [])
    const evidence = await untilQuiet(world)
    const violations = await checkAll(world, client, evidence)
    for (const violation of violations)
      options.print(await explain({ world, client, saboteur }, evidence, violation))
    return { ...count(evidence, saboteur.faults), acknowledged, violations: violations.length }
  } finally {
    await client.stop()
    await world.stop()
    await scratch.remove()
  }
}

type Run = { world: ProviderWorld; client: ApiClient; saboteur: Saboteur }

/** Gives how many were answered; of the others nobody but us knows, which must not matter. */
async function startAll(run: Run, ramps: readonly PlannedRamp[]): Promise<number> {
  const left = [...ramps]
  let acknowledged = 0
  const lane = async (): Promise<void> => {
    for (let ramp = left.shift(); ramp; ramp = left.shift()) {
      await run.saboteur.untilDue(ramp.index)
      if (await startRamp(run, ramp)) acknowledged += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return acknowledged
}

async function startRamp({ world, client }: Run, ramp: PlannedRamp): Promise<boolean> {
  const { direction, fiat, asset } = ramp.corridor
  const [from, to] = direction === 'on_ramp' ? [fiat, asset] : [asset, fiat]
  const path = `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`
  const quote = await client.call({ key: world.apiKey, method: 'GET', path })
  if (quote?.status !== 200) return false
  const { data } = quote.body as { data: { rate: number } } // validated by the API's own tests
  const answer = await client.call({
    key: world.apiKey,
    method: 'POST',
    path: '/v1/payments-init/ramp',
    body: JSON.stringify(bodyOf(ramp, data.rate)),
    idempotencyKey: `ramp-${ramp.index}`,
  })
  const isRefused = answer && answer.status >= 400 && answer.status < 500 && answer.status !== 409
  if (isRefused) throw new Error(`a ramp of the plan was refused: ${answer.text}`)
  return answer?.status === 200
}

/** What is not over in time is a violation of its own, so the wait itself does not fail. */
async function untilQuiet({ owner, simulator }: ProviderWorld): Promise<RampEvidence> {
  let evidence = await gatherRamps(owner, simulator)
  let looks = 0
  const look = async (): Promise<boolean> => {
    evidence = await gatherRamps(owner, simulator)
    looks = isQuiet(evidence) ? looks + 1 : 0
    return looks >= quietLooks
  }
  const wait = { timeoutMs: endLimitMs, what: 'every ramp to end', intervalMs: limits.quietPauseMs }
  await waitUntil(look, wait).catch(() => undefined)
  return evidence
}

async function checkAll(
  { owner, deaths }: ProviderWorld,
  { surprises }: ApiClient,
  evidence: RampEvidence,
): Promise<RampViolation[]> {
  return [
    ...rampViolations(evidence),
    ...(await auditViolations(owner)),
    ...deaths.map((problem) => ({ subject: 'process', problem })),
    ...surprises.map((problem) => ({ subject: 'answer', problem })),
  ]
}

/** The ramp's legs, what its providers say, its timeline, and the faults before its last change. */
async function explain(
  { world, client, saboteur }: Run,
  { ramps, legs, transactions, deliveries }: RampEvidence,
  { subject, problem }: RampViolation,
): Promise<string> {
  const ramp = ramps.find(({ paymentId }) => paymentId === subject)
  const own = legs.filter(({ paymentId }) => paymentId === subject)
  const path = `/v1/payments/${subject}/timeline`
  const timeline = ramp && (await client.call({ key: world.apiKey, method: 'GET', path }))
  const before = saboteur.faults.filter(({ atMs }) => ramp && atMs <= ramp.updatedAt.getTime())
  const told = new Set(own.map(({ reference }) => reference))
  return [
    `VIOLATION ${subject}: ${problem}`,
    `  ramp      ${JSON.stringify(ramp)}`,
    ...own.flatMap((leg) => [
      `  leg       ${JSON.stringify(leg)}`,
      `  provider  ${JSON.stringify(transactions.get(leg.reference) ?? null)}`,
    ]),
    ...deliveries
      .filter(({ reference }) => told.has(reference))
      .map(({ event, outcome, attempts }) => `  webhook   ${event} ${outcome} ${JSON.stringify(attempts)}`),
    `  timeline  ${timeline?.text ?? 'none'}`,
    ...before.map(({ atMs, text }) => `  fault     ${new Date(atMs).toISOString()} ${text}`),
  ].join('\n')
}

function count(
  { ramps, legs }: RampEvidence,
  faults: readonly Fault[],
): Omit<ProviderReport, 'acknowledged' | 'violations'> {
  const ended = (status: string): number => ramps.filter((ramp) => ramp.status === status).length
  const exceptions = ramps.flatMap((ramp) => ramp.exceptions)
  const deaths = faults.filter(({ kind }) => kind === 'kill' || kind === 'point')
  const isDoubtful = (code: string | null, message: string | null): boolean =>
    code === 'unknown' || message === 'the provider never received it'
  return {
    ramps: ramps.length,
    kills: deaths.length,
    atPoints: deaths.filter(({ kind, text }) => kind === 'point' && !text.includes('not passed')).length,
    completed: ended('completed'),
    refunded: ended('refunded'),
    failed: ended('failed'),
    exceptions: Object.fromEntries(
      [...Map.groupBy(exceptions, (kind) => kind)].map(([kind, own]) => [kind, own.length]),
    ),
    legs: legs.length,
    ambiguous: legs.filter((leg) => isDoubtful(leg.outcomeCode, leg.outcomeMessage)).length,
  }
}
