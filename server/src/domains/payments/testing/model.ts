/**
 * A second implementation of how a payment moves, written from the design's tables in words of its own, so that the
 * two can be compared. It imports nothing from the code that it checks.
 */
export type Standing = 'out' | 'unclear' | 'taken' | 'paid' | 'ended' | 'refused' | 'unsent'
export type ModelFact =
  | 'waits'
  | 'works'
  | 'paid'
  | 'failed'
  | 'canceled'
  | 'refused'
  | 'try elsewhere'
  | 'unsent'
  | 'unclear'

export interface Try {
  provider: string
  standing: Standing
  /** The provider was called; a process that died before that has sent nothing. */
  wasSent: boolean
  wasShown: boolean
  misses: number
  /** Passwords that were taken to the provider, and those of them that it called wrong. */
  passwords: number
  wrongPasswords: number
  startedAtMs: number
  /** What two people decided about it. */
  decided: 'paid' | 'failed' | 'returned' | null
}

export interface ModelRefund {
  standing: 'out' | 'unclear' | 'taken' | 'paid' | 'failed'
  amountMinor: bigint
  /** What was paid of it beyond the payment. */
  excessMinor: bigint
  misses: number
  missedAtMs: number
  startedAtMs: number
}

export type DisputeWord = 'warned' | 'asked' | 'reviewed' | 'won' | 'lost'

/** What the payer's bank demands back; round 2 follows a second chargeback. */
export interface ModelDispute {
  nth: number
  word: DisputeWord
  round: number
  /** The first movement takes the money, the second returns it, and so on. */
  moves: number
  events: string[]
}

export interface Model {
  status: string
  tries: Try[]
  /** What the customer is asked to do. */
  action: string | null
  refunds: ModelRefund[]
  disputes: ModelDispute[]
  /** The provider took back the completed payment. */
  isTakenBack: boolean
  /** What the provider has given back to the payer by refunds, disputes and reversals. */
  givenMinor: bigint
  /** Sums by account and currency: what is final, and what is held on the debit side. */
  final: Record<string, bigint>
  held: Record<string, bigint>
  events: string[]
  /** Kind, provider, and for a refund which one: each is raised once. */
  exceptions: string[]
  receivedKeys: string[]
  reviewers: string[]
  /** The providers whose account was closed since the request. */
  closed: Record<string, 'retired' | 'suspended'>
  /** What is known of a name that resembles one on a list. */
  match: 'open' | 'confirmed' | null
  /** Raised by every decision; one that saw an older version is refused. */
  version: number
}

export interface Terms {
  direction: 'inbound' | 'outbound'
  method: string
  source: { amountMinor: bigint; currency: string }
  target: { amountMinor: bigint; currency: string }
  providers: readonly string[]
  fee: { rateMillionths: number; isReturned: boolean } | null
}

const openStandings: readonly Standing[] = ['out', 'unclear', 'taken']
export const isOver = (status: string): boolean =>
  ['completed', 'failed', 'refunded', 'rejected', 'canceled'].includes(status)

export const openTry = (model: Model): Try | undefined =>
  model.tries.find((one) => openStandings.includes(one.standing))

/** Every path in the design's table, with its intermediate statuses. */
const ways: Record<string, Record<string, readonly string[]>> = {
  initiated: { reviewed: ['reviewed'], rejected: ['rejected'], canceled: ['canceled'] },
  reviewed: { confirmed: ['confirmed'], rejected: ['rejected'], canceled: ['canceled'] },
  confirmed: {
    processing: ['processing'],
    pending: ['processing', 'pending'],
    completed: ['processing', 'completed'],
    failed: ['failed'],
    canceled: ['canceled'],
  },
  processing: {
    pending: ['pending'],
    completed: ['completed'],
    failed: ['failed'],
    canceled: ['canceled'],
  },
  pending: {
    processing: ['processing'],
    completed: ['completed'],
    failed: ['failed'],
    canceled: ['canceled'],
  },
  completed: { refunded: ['refunded'] },
  failed: { completed: ['completed'] },
}

export const startModel = (terms: Terms, needsReview: boolean): Model => {
  const model: Model = {
    status: needsReview ? 'initiated' : 'confirmed',
    tries: [],
    action: null,
    refunds: [],
    disputes: [],
    isTakenBack: false,
    givenMinor: 0n,
    final: {},
    held: {},
    events: [],
    exceptions: [],
    receivedKeys: [],
    reviewers: [],
    closed: {},
    match: null,
    version: 1,
  }
  if (!needsReview && terms.direction === 'outbound') setAside(model, terms)
  return model
}

export const untried = ({ tries }: Model, { providers }: Terms): string[] =>
  providers.filter((provider) => !tries.some((one) => one.provider === provider))

/** At the next provider whose account is open. Nobody is paid and nobody pays while a name is checked. */
export function beginTry(model: Model, terms: Terms, nowMs: number): Try | undefined {
  const provider = untried(model, terms).find((name) => model.closed[name] === undefined)
  if (provider === undefined || model.match !== null) return undefined
  const begun: Try = {
    provider,
    standing: 'out',
    wasSent: false,
    wasShown: false,
    misses: 0,
    passwords: 0,
    wrongPasswords: 0,
    startedAtMs: nowMs,
    decided: null,
  }
  model.tries.push(begun)
  return begun
}

export function move(model: Model, terms: Terms, goal: string): void {
  if (model.status === goal) return
  const stops = ways[model.status]?.[goal]
  if (!stops) throw new Error(`the design has no way from ${model.status} to ${goal}`)
  for (const stop of stops) {
    if (stop === 'completed') model.events.push('payment.completed')
    if (stop === 'failed' || stop === 'rejected') model.events.push('payment.failed')
    model.events.push(`transaction.updated ${stop}`)
    enter(model, terms, stop)
  }
  if (isOver(model.status)) model.action = null
}

function enter(model: Model, terms: Terms, status: string): void {
  const previous = model.status
  model.status = status
  const fee = feeOf(terms)
  if (status === 'completed') {
    postCompletion(model, terms, previous)
    if (fee) post(model, fee, 'available', 'fees')
  }
  if (status === 'refunded' && fee && terms.fee?.isReturned === true) post(model, fee, 'fees', 'available')
  const releases = ['failed', 'rejected', 'canceled'].includes(status) && isSetAside(model, terms)
  if (releases) delete model.held[`available ${terms.source.currency}`]
  if (status === 'confirmed' && terms.direction === 'outbound') setAside(model, terms)
}

/** Of what is debited or arrives, rounded half up. */
function feeOf({ fee, direction, source, target }: Terms): Terms['source'] | undefined {
  const base = direction === 'outbound' ? source : target
  const amountMinor = (base.amountMinor * BigInt(fee?.rateMillionths ?? 0) + 500_000n) / 1_000_000n
  return amountMinor > 0n ? { ...base, amountMinor } : undefined
}

const setAside = (model: Model, terms: Terms): void => {
  const { source } = terms
  model.held[`available ${source.currency}`] = source.amountMinor + (feeOf(terms)?.amountMinor ?? 0n)
}
const isSetAside = (model: Model, { source }: Terms): boolean =>
  model.held[`available ${source.currency}`] !== undefined

export function post(model: Model, money: Terms['source'], from: string, to: string): void {
  for (const [account, sign] of [
    [from, -1n],
    [to, 1n],
  ] as const) {
    const key = `${account} ${money.currency}`
    const sum = (model.final[key] ?? 0n) + sign * money.amountMinor
    if (sum === 0n) delete model.final[key]
    else model.final[key] = sum
  }
}

function postCompletion(model: Model, terms: Terms, previous: string): void {
  const { source, target, direction } = terms
  const paidBy = payerOf(model)
  const holder = direction === 'inbound' ? 'available' : 'outgoing'
  if (direction === 'inbound') post(model, source, `provider:${paidBy}`, 'available')
  else {
    if (previous !== 'failed') delete model.held[`available ${source.currency}`]
    post(model, source, 'available', 'outgoing')
  }
  if (source.currency !== target.currency) {
    const exchange = `fx:${source.currency}/${target.currency}`
    post(model, source, holder, exchange)
    post(model, target, exchange, holder)
  }
  if (direction === 'outbound') post(model, target, 'outgoing', `provider:${paidBy}`)
}

/** What the balance and suspense should have paid once this much has gone back, whatever the parts. */
function dueFor({ source, target }: Terms, givenMinor: bigint) {
  const positive = givenMinor > 0n ? givenMinor : 0n
  const covered = positive > source.amountMinor ? source.amountMinor : positive
  const whole = covered * target.amountMinor
  const share = whole / source.amountMinor + (whole % source.amountMinor === 0n ? 0n : 1n)
  return { covered, share, beyond: givenMinor - covered }
}

const signed = (model: Model, money: Terms['source'], from: string, to: string): void =>
  money.amountMinor < 0n
    ? post(model, { ...money, amountMinor: -money.amountMinor }, to, from)
    : post(model, money, from, to)

/** Posts the difference that a further amount makes; a negative one came back. Returns the part beyond the payment. */
export function giveBack(model: Model, terms: Terms, amountMinor: bigint, provider: string): bigint {
  const { source, target } = terms
  const [was, is] = [dueFor(terms, model.givenMinor), dueFor(terms, model.givenMinor + amountMinor)]
  model.givenMinor += amountMinor
  const isExchanged = source.currency !== target.currency
  const exchange = `fx:${source.currency}/${target.currency}`
  const holder = isExchanged ? exchange : 'available'
  signed(model, { ...source, amountMinor: is.covered - was.covered }, holder, `provider:${provider}`)
  if (isExchanged) signed(model, { ...target, amountMinor: is.share - was.share }, 'available', exchange)
  signed(model, { ...source, amountMinor: is.beyond - was.beyond }, 'suspense', `provider:${provider}`)
  return is.beyond - was.beyond
}

export const raise = (model: Model, kind: string, about: string): void => {
  const exception = `${kind} ${about}`
  if (!model.exceptions.includes(exception)) model.exceptions.push(exception)
}

/** A fact that contradicts a decision of people raises an exception of its own. */
export const raiseAbout = (model: Model, one: Try, kind: string): void =>
  raise(model, one.decided === null ? kind : 'resolution_contradicted', one.provider)

export const payerOf = (model: Model): string =>
  model.tries.find((one) => one.standing === 'paid')?.provider ?? 'nobody'

export const refundedMinor = (model: Model): bigint =>
  model.refunds.reduce(
    (sum, { standing, excessMinor, amountMinor }) =>
      sum + (standing === 'paid' ? amountMinor - excessMinor : 0n),
    0n,
  )

export const isRefundOpen = (refund: ModelRefund): boolean =>
  ['out', 'unclear', 'taken'].includes(refund.standing)
