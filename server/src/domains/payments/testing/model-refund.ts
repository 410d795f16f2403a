import { isRefundOpen, payerOf, raise, type Model } from './model.ts'
import type { CallContext, Call } from './model-call.ts'
import { mayTakeMinor } from './model-dispute.ts'
import { applyRefundReport, costOf } from './model-facts.ts'
import { notFoundFinalAfterMs, type Scenario, type Step } from './scenarios.ts'

const limitMs = 14 * 24 * 60 * 60_000
/** The shortest time between two inquiries about a refund of which both count. */
const refundSpacingMs = 5_000

const refundAmount = ({ source }: Scenario, percent: number): bigint | undefined =>
  percent === 100 ? undefined : (source.amountMinor * BigInt(percent)) / 100n + 1n

export const refundMoney = (scenario: Scenario, percent: number) => {
  const amountMinor = refundAmount(scenario, percent)
  return amountMinor === undefined ? undefined : { ...scenario.source, amountMinor }
}

/** What neither went back nor is demanded by a refund under way or a dispute. */
function restFor(model: Model, scenario: Scenario): bigint {
  const underWay = model.refunds.filter(isRefundOpen).map((one) => one.amountMinor)
  const demanded = model.disputes.map((one) => mayTakeMinor(scenario, one))
  const rest = [...underWay, ...demanded].reduce(
    (sum, minor) => sum - minor,
    scenario.source.amountMinor - model.givenMinor,
  )
  return rest > 0n ? rest : 0n
}

export function* refund(model: Model, at: CallContext, step: Extract<Step, { do: 'refund' }>): Call {
  const { version } = model
  if (model.status !== 'completed' || payerOf(model) === 'manual') return '409'
  const leftMinor = restFor(model, at.scenario)
  const amountMinor = refundAmount(at.scenario, step.percent) ?? leftMinor
  const isDisputed = model.disputes.some((one) => mayTakeMinor(at.scenario, one) > 0n || one.moves % 2 === 1)
  const isUnderWay = model.refunds.some(isRefundOpen)
  if (leftMinor === 0n || amountMinor > leftMinor) return isDisputed || isUnderWay ? '409' : '400'
  yield
  if (model.version !== version) return yield* refund(model, at, step)
  // A retired account still refunds what it took.
  if (model.closed[payerOf(model)] === 'suspended') return '409'
  if (model.match !== null) return '403'
  if (model.refunds.some(isRefundOpen)) return '409'
  model.version += 1
  const times = { misses: 0, missedAtMs: 0, startedAtMs: at.nowMs }
  const begun = { standing: 'out' as const, amountMinor, excessMinor: 0n, ...times }
  const cost = costOf(model, at.scenario, amountMinor)
  model.refunds.push(begun)
  if (cost.amountMinor > 0n) model.held[`available ${cost.currency}`] = cost.amountMinor
  yield
  applyRefundReport(model, at.scenario, begun, step.answer.fact)
  model.version += 1
  return 'done'
}

export function* refundHook(model: Model, at: CallContext, step: Extract<Step, { do: 'refund hook' }>): Call {
  const about = model.refunds[step.nth]
  if (!about) return 'skipped'
  yield
  const key = `refund ${step.nth} ${step.key}`
  if (model.receivedKeys.includes(key)) return 'done'
  model.receivedKeys.push(key)
  applyRefundReport(model, at.scenario, about, step.fact)
  return 'done'
}

export function* refundAdvance(
  model: Model,
  at: CallContext,
  step: Extract<Step, { do: 'refund advance' }>,
): Call {
  const about = model.refunds[step.nth]
  if (!about) return 'skipped'
  if (!isRefundOpen(about)) return 'done'
  const isMissing = step.inquiry.fact === 'missing'
  const isCounted = isMissing && at.nowMs - about.missedAtMs >= refundSpacingMs
  const misses = isMissing ? about.misses + (isCounted ? 1 : 0) : 0
  yield
  if (isCounted) about.missedAtMs = at.nowMs
  about.misses = misses
  const isLost = isCounted && misses >= 2 && at.nowMs - about.startedAtMs >= notFoundFinalAfterMs
  const missing = isLost ? 'unsent' : 'unclear'
  applyRefundReport(model, at.scenario, about, step.inquiry.fact === 'missing' ? missing : step.inquiry.fact)
  if (isRefundOpen(about) && at.nowMs - about.startedAtMs >= limitMs)
    raise(model, 'refund_unknown', `${payerOf(model)} ${step.nth}`)
  return 'done'
}
