import { createClient, type ApiClient } from '../shared/api-client.ts'
import { auditViolations } from '../payments/audit-check.ts'
import { limits } from '../shared/limits.ts'
import { startSaboteur, type Fault, type Saboteur } from '../shared/saboteur.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import {
  gatherRamps,
  isIdle,
  rampViolations,
  type RampEvidence,
  type RampViolation,
} from './provider-checks.ts'
import { bodyOf, paymentsToCircle, planRamps, type PlannedRamp, type PlanOptions } from './provider-plan.ts'
import { startProviderInstallation, type ProviderInstallation } from './provider-installation.ts'

type ProviderReport = {
  ramps: number
  acknowledged: number
  kills: number
  /** How many of the kills happened at the named crash point. */
  atPoints: number
  completed: number
  refunded: number
  failed: number
  /** Exceptions for manual review, by kind. */
  exceptions: Record<string, number>
  legs: number
  /** Legs whose outcome was unknown for a while. */
  ambiguous: number
  violations: number
}

const lanes = 6
const endLimitMs = 420_000
/** A delayed webhook is in no table yet, so everything must be idle for this many checks in a row. */
const idleChecks = 5

/** Sends random ramps through providers that handle both sides, while api and worker are killed with -9. */
export async function crashProviders(
  options: PlanOptions & { print: (line: string) => void },
): Promise<ProviderReport> {
  const plan = planRamps(options)
  const installation = await startProviderInstallation(plan.settleMs)
  const client = createClient([installation.apiUrl], () => undefined)
  try {
    installation.simulator.configure('circle', { options: paymentsToCircle(plan.ramps) })
    const saboteur = startSaboteur(installation, plan.steps, options.print)
    const acknowledged = await startAll({ installation, client, saboteur }, plan.ramps)
    await saboteur.finished
    options.print(
      `${acknowledged} of ${plan.ramps.length} ramps acknowledged, waiting until everything is idle`,
    )
    for (const provider of ['yellowcard', 'circle']) installation.simulator.setFaults(provider, [])
    const evidence = await untilIdle(installation)
    const violations = await checkAll(installation, client, evidence)
    for (const violation of violations)
      options.print(await explain({ installation, client, saboteur }, evidence, violation))
    return { ...count(evidence, saboteur.faults), acknowledged, violations: violations.length }
  } finally {
    await client.stop()
    await installation.stop()
  }
}

type Run = { installation: ProviderInstallation; client: ApiClient; saboteur: Saboteur }

/** Returns how many ramps were answered. The others may have been started all the same. */
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

async function startRamp({ installation, client }: Run, ramp: PlannedRamp): Promise<boolean> {
  const { direction, fiat, asset } = ramp.corridor
  const [from, to] = direction === 'on_ramp' ? [fiat, asset] : [asset, fiat]
  const path = `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`
  const quote = await client.call({ key: installation.apiKey, method: 'GET', path })
  if (quote?.status !== 200) return false
  const { data } = quote.body as { data: { rate: number } } // validated by the API's own tests
  const answer = await client.call({
    key: installation.apiKey,
    method: 'POST',
    path: '/v1/payments-init/ramp',
    body: JSON.stringify(bodyOf(ramp, data.rate)),
    idempotencyKey: `ramp-${ramp.index}`,
  })
  const isRefused = answer && answer.status >= 400 && answer.status < 500 && answer.status !== 409
  if (isRefused) throw new Error(`a ramp of the plan was refused: ${answer.text}`)
  return answer?.status === 200
}

/** A timeout is no error here: ramps that have not ended are violations, which are reported later. */
async function untilIdle({ owner, simulator }: ProviderInstallation): Promise<RampEvidence> {
  let evidence = await gatherRamps(owner, simulator)
  let idleInARow = 0
  const check = async (): Promise<boolean> => {
    evidence = await gatherRamps(owner, simulator)
    idleInARow = isIdle(evidence) ? idleInARow + 1 : 0
    return idleInARow >= idleChecks
  }
  const wait = { timeoutMs: endLimitMs, what: 'every ramp to end', intervalMs: limits.quietPauseMs }
  await waitUntil(check, wait).catch(() => undefined)
  return evidence
}

async function checkAll(
  { owner, unexpectedExits }: ProviderInstallation,
  { unexpectedAnswers }: ApiClient,
  evidence: RampEvidence,
): Promise<RampViolation[]> {
  return [
    ...rampViolations(evidence),
    ...(await auditViolations(owner)),
    ...unexpectedExits.map((problem) => ({ subject: 'process', problem })),
    ...unexpectedAnswers.map((problem) => ({ subject: 'answer', problem })),
  ]
}

/** Shows the ramp's legs, its providers' transactions, its timeline, and the faults before its last change. */
async function explain(
  { installation, client, saboteur }: Run,
  { ramps, legs, transactions, deliveries }: RampEvidence,
  { subject, problem }: RampViolation,
): Promise<string> {
  const ramp = ramps.find(({ paymentId }) => paymentId === subject)
  const own = legs.filter(({ paymentId }) => paymentId === subject)
  const path = `/v1/payments/${subject}/timeline`
  const timeline = ramp && (await client.call({ key: installation.apiKey, method: 'GET', path }))
  const before = saboteur.faults.filter(({ atMs }) => ramp && atMs <= ramp.updatedAt.getTime())
  const references = new Set(own.map(({ reference }) => reference))
  return [
    `VIOLATION ${subject}: ${problem}`,
    `  ramp      ${JSON.stringify(ramp)}`,
    ...own.flatMap((leg) => [
      `  leg       ${JSON.stringify(leg)}`,
      `  provider  ${JSON.stringify(transactions.get(leg.reference) ?? null)}`,
    ]),
    ...deliveries
      .filter(({ reference }) => references.has(reference))
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
  const wasAmbiguous = (code: string | null, message: string | null): boolean =>
    code === 'unknown' || message === 'the provider never received it'
  return {
    ramps: ramps.length,
    kills: deaths.length,
    atPoints: deaths.filter(({ kind, text }) => kind === 'point' && !text.includes('not reached')).length,
    completed: ended('completed'),
    refunded: ended('refunded'),
    failed: ended('failed'),
    exceptions: Object.fromEntries(
      [...Map.groupBy(exceptions, (kind) => kind)].map(([kind, own]) => [kind, own.length]),
    ),
    legs: legs.length,
    ambiguous: legs.filter((leg) => wasAmbiguous(leg.outcomeCode, leg.outcomeMessage)).length,
  }
}
