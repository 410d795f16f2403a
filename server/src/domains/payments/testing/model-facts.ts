import {
  beginTry,
  giveBack,
  isRefundOpen,
  move,
  payerOf,
  post,
  raise,
  raiseAbout,
  refundedMinor,
  untried,
  type Model,
  type ModelRefund,
  type ModelFact,
  type Standing,
  type Terms,
  type Try,
} from './model.ts'

type Effect = readonly [standing: Standing, goal: string]
const taken: Partial<Record<ModelFact, Effect>> = {
  waits: ['taken', 'pending'],
  works: ['taken', 'processing'],
  paid: ['paid', 'completed'],
  failed: ['ended', 'failed'],
  canceled: ['ended', 'canceled'],
  refused: ['refused', 'failed'],
  'try elsewhere': ['refused', 'failed'],
}
const notTaken: Partial<Record<ModelFact, Effect>> = {
  ...taken,
  'try elsewhere': ['refused', 'elsewhere'],
  unsent: ['unsent', 'elsewhere'],
  unclear: ['unclear', 'processing'],
}
const effects: Record<Standing, Partial<Record<ModelFact, Effect>>> = {
  out: notTaken,
  unclear: notTaken,
  taken,
  paid: {},
  ended: {},
  refused: {},
  unsent: {},
}

interface FactReport {
  fact: ModelFact
  /** The next step of the customer, if the report names one. */
  action?: string | undefined
  /** The provider reported it after it had completed the payment. */
  isAfterEnd?: boolean
  /** The process that receives it can send to another provider. */
  maySend: boolean
  nowMs: number
}

/** Applies a report about a try and returns the try that it starts. */
export function applyReport(model: Model, terms: Terms, one: Try, report: FactReport): Try | undefined {
  const { fact, action } = report
  model.version += 1
  const effect = effects[one.standing][fact]
  if (!effect) {
    applyLateReport(model, terms, one, report)
    return undefined
  }
  const [standing, goal] = effect
  const isTaken = ['waits', 'works', 'paid', 'failed', 'canceled'].includes(fact)
  if (isTaken && one.standing !== 'taken') model.events.push('payment.processing')
  one.standing = standing
  if (isTaken && action !== undefined) {
    model.action = action
    one.wasShown ||= action !== 'check_status'
  }
  if (goal !== 'elsewhere') {
    move(model, terms, goal)
    return undefined
  }
  const maySend = report.maySend && !one.wasShown
  const begun = maySend ? beginTry(model, terms, report.nowMs) : undefined
  if (begun || (maySend && hasToWait(model, terms))) return begun
  move(model, terms, 'failed')
  return undefined
}

/** A payout waits for a suspended account, and everything for the check of a name; a payer does not wait for an account. */
function hasToWait(model: Model, terms: Terms): boolean {
  const left = untried(model, terms)
  const isChecked = model.match !== null && left.some((provider) => model.closed[provider] === undefined)
  const isSuspended = left.some((provider) => model.closed[provider] === 'suspended')
  return isChecked || (terms.direction === 'outbound' && isSuspended)
}

/** An ended try: late money completes a failed payment; otherwise it goes to manual review. */
function applyLateReport(model: Model, terms: Terms, one: Try, { fact, isAfterEnd }: FactReport): void {
  if (one.standing === 'taken') return
  if (one.standing === 'paid') {
    if (one.decided === 'returned') {
      if (fact === 'paid') raiseAbout(model, one, 'reversed_after_completion')
      return
    }
    if ((fact !== 'failed' && fact !== 'canceled') || model.status !== 'completed') return
    if (isAfterEnd === true && one.decided === null) {
      raise(model, terms.direction === 'inbound' ? 'payin_reversed' : 'payout_returned', one.provider)
      takeBack(model, terms, one)
    } else raiseAbout(model, one, 'reversed_after_completion')
    return
  }
  if (fact !== 'paid') return
  if (model.status !== 'failed') return raiseAbout(model, one, 'money_after_end')
  one.standing = 'paid'
  raiseAbout(model, one, 'late_success')
  move(model, terms, 'completed')
}

/** The provider takes back its success: a payer or a paying balance gets back what refunds have left. */
function takeBack(model: Model, terms: Terms, one: Try): void {
  const { source, target, direction } = terms
  const exchange = `fx:${source.currency}/${target.currency}`
  const isExchanged = source.currency !== target.currency
  const provider = `provider:${one.provider}`
  model.events.push('payment.refunded')
  if (direction === 'outbound') {
    post(model, target, provider, isExchanged ? exchange : 'available')
    if (isExchanged) post(model, source, exchange, 'available')
  } else if (model.givenMinor < source.amountMinor)
    giveBack(model, terms, source.amountMinor - model.givenMinor, one.provider)
  model.isTakenBack = true
  model.version += 1
  move(model, terms, 'refunded')
}

/** Two people decide what the provider does not report, with the same consequences. */
export function decideByPeople(
  model: Model,
  terms: Terms,
  one: Try,
  decision: { outcome: 'paid' | 'failed' | 'returned'; nowMs: number },
): void {
  const { outcome, nowMs } = decision
  if (outcome !== 'returned') applyReport(model, terms, one, { fact: outcome, maySend: false, nowMs })
  else takeBack(model, terms, one)
  one.decided = outcome
}

/** The share of the target amount, rounded up. */
const partOf = ({ source, target }: Terms, minor: bigint): bigint =>
  (minor * target.amountMinor + source.amountMinor - 1n) / source.amountMinor

/** What the balance pays for a refund: of an exchanged payment a part of its target amount. */
export function costOf({ givenMinor }: Model, terms: Terms, amountMinor: bigint): Terms['source'] {
  return terms.source.currency === terms.target.currency
    ? { ...terms.source, amountMinor }
    : { ...terms.target, amountMinor: partOf(terms, givenMinor + amountMinor) - partOf(terms, givenMinor) }
}

export function applyRefundReport(model: Model, terms: Terms, refund: ModelRefund, fact: ModelFact): void {
  const about = `${payerOf(model)} ${model.refunds.indexOf(refund)}`
  if (!isRefundOpen(refund)) {
    if (refund.standing === 'failed' && fact === 'paid') raise(model, 'refund_after_failure', about)
    if (refund.standing === 'paid' && fact === 'failed') raise(model, 'refund_reversed', about)
    return
  }
  if (fact === 'waits' || fact === 'works') refund.standing = 'taken'
  else if (fact === 'unclear') refund.standing = refund.standing === 'taken' ? 'taken' : 'unclear'
  else if (fact === 'unsent') refund.standing = refund.standing === 'taken' ? 'taken' : 'failed'
  else if (fact !== 'paid') refund.standing = 'failed'
  else {
    postRefund(model, terms, refund)
    if (refundedMinor(model) === terms.source.amountMinor) move(model, terms, 'refunded')
  }
  if (!isRefundOpen(refund)) delete model.held[`available ${terms.target.currency}`]
}

function postRefund(model: Model, terms: Terms, refund: ModelRefund): void {
  refund.standing = 'paid'
  refund.excessMinor = giveBack(model, terms, refund.amountMinor, payerOf(model))
  if (refund.excessMinor > 0n)
    raise(model, 'refund_exceeds_payment', `${payerOf(model)} ${model.refunds.indexOf(refund)}`)
  if (refund.excessMinor < refund.amountMinor) model.events.push('payment.refunded')
}
