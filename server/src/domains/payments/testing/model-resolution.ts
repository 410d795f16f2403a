import type { CallContext, Call } from './model-call.ts'
import { decideByPeople } from './model-facts.ts'
import { isOver, openTry, type Model, type Try } from './model.ts'
import type { Step } from './scenarios.ts'

const dayMs = 24 * 60 * 60_000
const limitMs = { unclear: dayMs, other: 7 * dayMs }

/**
 * The attempt that people may decide about: one that has been open for too long, is carried out by hand or has another
 * amount, or a payout that came back.
 */
function decidable(model: Model, at: CallContext, outcome: ResolvedOutcome): Try | undefined {
  if (outcome === 'returned')
    return model.status === 'completed' && at.scenario.direction === 'outbound'
      ? model.tries.find(({ standing }) => standing === 'paid')
      : undefined
  const one = openTry(model)
  if (!one || isOver(model.status) || one.standing === 'out') return undefined
  if (one.provider === 'manual' && one.standing === 'taken') return one
  if (model.exceptions.includes(`amount_differs ${one.provider}`)) return one
  const limit = one.standing === 'unclear' ? limitMs.unclear : limitMs.other
  return at.nowMs - one.startedAtMs >= limit ? one : undefined
}

type ResolvedOutcome = Extract<Step, { do: 'resolve' }>['outcome']

/** One person proposes, another approves; what has changed in between refuses it. */
export function* resolve(model: Model, at: CallContext, { outcome }: Extract<Step, { do: 'resolve' }>): Call {
  const proposed = decidable(model, at, outcome)
  if (!proposed) return '409'
  yield
  if (decidable(model, at, outcome) !== proposed) return '409'
  decideByPeople(model, at.scenario, proposed, { outcome, nowMs: at.nowMs })
  return 'done'
}
