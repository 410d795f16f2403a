import {
  beginTry,
  isRefundOpen,
  isOver,
  move,
  openTry,
  raise,
  raiseAbout,
  untried,
  type Model,
  type Try,
} from './model.ts'
import { checkEnded, checkUnpaid, isUnpaid } from './check-ended.ts'
import type { CallContext, Call } from './model-call.ts'
import { dispute } from './model-dispute.ts'
import { refund, refundAdvance, refundHook } from './model-refund.ts'
import { applyReport } from './model-facts.ts'
import { resolve } from './model-resolution.ts'
import {
  notFoundFinalAfterMs,
  sendDeadlineMs,
  type ClosingStep,
  type InquiryAnswer,
  type Reviewer,
  type Step,
} from './scenarios.ts'

const dayMs = 24 * 60 * 60_000
const limitMs = { unclear: dayMs, other: 7 * dayMs }
const passwordsLimit = 5

export function* initiate(model: Model, at: CallContext): Call {
  const begun = model.status === 'confirmed' ? beginTry(model, at.scenario, at.nowMs) : undefined
  if (!begun) return 'done'
  const answer = yield* send(model, at, begun)
  return answer === 'done' && model.status === 'failed' ? '502' : answer
}

export function callOf(model: Model, at: CallContext, step: Step): Call {
  switch (step.do) {
    case 'hook':
      return hook(model, at, step)
    case 'advance':
      return advance(model, at, { ...step.inquiry, isScheduled: true })
    case 'cancel':
      return cancel(model, at, step)
    case 'review':
      return review(model, at, step)
    case 'password':
      return password(model, at, step)
    case 'confirm':
      return confirm(model, at, step)
    case 'resolve':
      return resolve(model, at, step)
    case 'refund':
      return refund(model, at, step)
    case 'refund hook':
      return refundHook(model, at, step)
    case 'refund advance':
      return refundAdvance(model, at, step)
    case 'close':
    case 'reopen':
    case 'match':
      return closing(model, at, step)
    case 'dispute':
      return dispute(model, at, step, () => advance(model, at, { ...step.inquiry, isScheduled: true }))
  }
}

/** The operator closes an account or opens it again, or a name is found on a list and checked. */
// oxlint-disable-next-line require-yield -- it happens at one moment
function* closing(model: Model, { scenario }: CallContext, step: ClosingStep): Call {
  if (step.do === 'match') {
    model.match = step.status === 'cleared' ? null : step.status
    return 'done'
  }
  const provider = scenario.providers[step.route]
  if (provider === undefined) return 'skipped'
  const { [provider]: before, ...others } = model.closed
  if (step.do === 'reopen') model.closed = before === 'suspended' ? others : model.closed
  // What is retired stays so.
  else if (before !== 'retired') model.closed = { ...others, [provider]: step.how }
  return 'done'
}

function* send(model: Model, at: CallContext, one: Try): Call {
  const script = at.scenario.sends[at.scenario.providers.indexOf(one.provider)]
  if (!script || script.dies === 'before') return 'died'
  one.wasSent = true
  if (script.early !== null) {
    yield
    model.receivedKeys.push(`${one.provider} early`)
    applyReport(model, at.scenario, one, { fact: script.early, maySend: false, nowMs: at.nowMs })
  }
  if (script.dies === 'after') return 'died'
  yield
  const begun = applyReport(model, at.scenario, one, { ...script.answer, maySend: true, nowMs: at.nowMs })
  return begun ? yield* send(model, at, begun) : 'done'
}

/** `isHint`: a message made us ask, also while the sender waits for its answer. */
type InquiryStep = InquiryAnswer & { isScheduled: boolean; isHint?: true }

function* advance(model: Model, at: CallContext, inquiry: InquiryStep): Call {
  if (isOver(model.status)) return 'done'
  const found = openTry(model)
  if (!found) return yield* dispatch(model, at)
  if (found.standing === 'out') {
    const isWaiting = at.nowMs < found.startedAtMs + sendDeadlineMs
    if (isWaiting) return inquiry.isHint ? yield* pollProvider(model, at, found, inquiry) : 'done'
    yield
    applyReport(model, at.scenario, found, { fact: 'unclear', maySend: false, nowMs: at.nowMs })
  }
  const one = openTry(model)
  return one ? yield* pollProvider(model, at, one, inquiry) : 'done'
}

/** An approved payment that has not been sent yet, or one that waits for its next provider. */
function* dispatch(model: Model, at: CallContext): Call {
  const { version } = model
  if (model.status === 'initiated' || model.status === 'reviewed') return 'done'
  yield
  if (model.version !== version || openTry(model)) return 'done'
  const begun = beginTry(model, at.scenario, at.nowMs)
  if (!begun && isHeld(model, at)) return 'done'
  model.version += 1
  if (!begun) {
    move(model, at.scenario, 'failed')
    return 'done'
  }
  const answer = yield* send(model, at, begun)
  if (answer === 'done') raiseForAge(model, at)
  return answer
}

/** Held until a suspension is lifted or a name is checked; without an open account, or for a listed name, it ends. */
function isHeld(model: Model, { scenario }: CallContext): boolean {
  const left = untried(model, scenario)
  const hasOpen = left.some((provider) => model.closed[provider] === undefined)
  return hasOpen ? model.match === 'open' : left.some((provider) => model.closed[provider] === 'suspended')
}

function* pollProvider(model: Model, at: CallContext, one: Try, inquiry: InquiryStep): Call {
  const wasUnclear = one.standing === 'unclear'
  const misses = inquiry.fact === 'missing' ? one.misses + 1 : 0
  yield
  if (inquiry.isScheduled) one.misses = misses
  const isLost =
    inquiry.isScheduled && wasUnclear && misses >= 2 && at.nowMs - one.startedAtMs >= notFoundFinalAfterMs
  const maySend = at.scenario.method !== 'card'
  const { nowMs } = at
  let begun: Try | undefined
  if (inquiry.fact === 'missing') {
    if (isLost) begun = applyReport(model, at.scenario, one, { fact: 'unsent', maySend, nowMs })
  } else if (inquiry.fact !== 'unclear')
    begun = applyReport(model, at.scenario, one, { ...inquiry, maySend, nowMs })
  const answer = begun ? yield* send(model, at, begun) : 'done'
  yield
  if (answer === 'done') raiseForAge(model, at)
  return answer
}

function raiseForAge(model: Model, { nowMs }: CallContext): void {
  const one = openTry(model)
  if (!one || isOver(model.status)) return
  const isUnclear = one.standing === 'unclear'
  if (nowMs - one.startedAtMs >= (isUnclear ? limitMs.unclear : limitMs.other))
    raise(model, isUnclear ? 'outcome_unknown' : 'pending_too_long', one.provider)
}

function* hook(model: Model, at: CallContext, step: Extract<Step, { do: 'hook' }>): Call {
  const provider = at.scenario.providers[step.route]
  const one = model.tries.find((candidate) => candidate.provider === provider)
  if (!one?.wasSent || one.provider === 'manual') return 'skipped'
  if (step.verdict === 'forged') return '401'
  // A message with a signature counts once by its key; any other one may be somebody else's, and counts by its content.
  const content = step.verdict === 'unsigned' ? ` ${step.fact} ${String(step.amount)}` : ''
  const key = `${one.provider} ${step.key}${content}`
  const isQuestion = step.verdict === 'unsigned' || (step.fact === 'paid' && step.amount === 'none')
  const isTakenBack =
    isOver(model.status) && one.standing === 'paid' && ['failed', 'canceled'].includes(step.fact)
  const isPaidLate = step.fact === 'paid' && isUnpaid(one)
  // A signed message that contradicts an ended try is only a question, unless it names a reversal and its amount.
  const isNamed = step.fact === 'canceled' && step.amount === 'right' && !model.refunds.some(isRefundOpen)
  if (!isQuestion && ((isTakenBack && !isNamed) || isPaidLate)) {
    const answer = isTakenBack
      ? yield* checkEnded(model, at, one, step.inquiry)
      : yield* checkUnpaid(model, at, one, { ...step.inquiry, isSigned: true })
    if (!model.receivedKeys.includes(key)) model.receivedKeys.push(key)
    return answer
  }
  yield
  if (model.receivedKeys.includes(key)) return 'done'
  model.receivedKeys.push(key)
  if (isQuestion) {
    if (isTakenBack) return yield* checkEnded(model, at, one, step.inquiry)
    if (isPaidLate) return yield* checkUnpaid(model, at, one, { ...step.inquiry, isSigned: false })
    return yield* advance(model, at, { ...step.inquiry, isScheduled: false, isHint: true })
  }
  if (step.fact === 'paid' && step.amount === 'wrong') raiseAbout(model, one, 'amount_differs')
  else {
    const isAfterEnd = isTakenBack
    applyReport(model, at.scenario, one, { fact: step.fact, isAfterEnd, maySend: false, nowMs: at.nowMs })
  }
  return 'done'
}

function* cancel(model: Model, at: CallContext, { answer }: Extract<Step, { do: 'cancel' }>): Call {
  const { version } = model
  // Nothing was sent, or everybody has refused it, so it can be canceled here, even once it is approved.
  const isNowhere = model.tries.every(({ standing }) => ['refused', 'unsent'].includes(standing))
  if (isNowhere && !isOver(model.status)) {
    yield
    if (model.version !== version) return '409'
    model.version += 1
    move(model, at.scenario, 'canceled')
    return 'done'
  }
  const one = openTry(model)
  if (one?.standing !== 'taken' || one.provider === 'manual') return '409'
  yield
  if (['refused', 'try elsewhere', 'unsent', 'unclear'].includes(answer.fact)) return '409'
  applyReport(model, at.scenario, one, { ...answer, maySend: false, nowMs: at.nowMs })
  return 'done'
}

const roleOf: Record<Reviewer, string> = {
  initiator: 'org-admin',
  colleague: 'staff',
  admin: 'org-admin',
  'other admin': 'org-admin',
}

function* review(model: Model, at: CallContext, { by, decision }: Extract<Step, { do: 'review' }>): Call {
  const { version, status } = model
  if (status !== 'initiated' && status !== 'reviewed') return '409'
  if (by === 'initiator') return '403'
  if (model.reviewers.includes(by)) return '409'
  const approved = status === 'initiated' ? 'reviewed' : 'confirmed'
  const goal = decision === 'reject' ? 'rejected' : approved
  if (goal === 'confirmed' && roleOf[by] !== 'org-admin') return '403'
  yield
  if (model.version !== version) return '409'
  model.version += 1
  model.reviewers.push(by)
  move(model, at.scenario, goal)
  return 'done'
}

function* password(model: Model, at: CallContext, { answer }: Extract<Step, { do: 'password' }>): Call {
  const one = openTry(model)
  if (!one || model.action !== 'collect_otp' || one.provider === 'manual') return '409'
  yield
  if (openTry(model) !== one || one.passwords >= passwordsLimit) return '409'
  one.passwords += 1
  yield
  if (answer.fact === 'wrong') {
    one.wrongPasswords += 1
    if (one.wrongPasswords >= passwordsLimit)
      applyReport(model, at.scenario, one, { fact: 'refused', maySend: false, nowMs: at.nowMs })
    return '400'
  }
  if (answer.fact === 'unsent') {
    one.passwords -= 1
    return '409'
  }
  const action = answer.action ?? 'wait'
  applyReport(model, at.scenario, one, { ...answer, action, maySend: false, nowMs: at.nowMs })
  return 'done'
}

function* confirm(model: Model, at: CallContext, { outcome }: Extract<Step, { do: 'confirm' }>): Call {
  const one = openTry(model)
  if (one?.provider !== 'manual' || one.standing !== 'taken') return '409'
  yield
  const fact = outcome === 'completed' ? 'paid' : 'failed'
  applyReport(model, at.scenario, one, { fact, maySend: false, nowMs: at.nowMs })
  return 'done'
}
