import type { CallContext, Call } from './model-call.ts'
import { giveBack, isOver, isRefundOpen, openTry, post, raise } from './model.ts'
import type { DisputeWord, Model, ModelDispute, Terms, Try } from './model.ts'
import type { Step } from './scenarios.ts'

/** The order of the words within a round; both final words rank equally. */
const distance: Record<DisputeWord, number> = { warned: 0, asked: 1, reviewed: 2, won: 3, lost: 3 }
const isEnded = (word: DisputeWord): boolean => distance[word] === 3

/** How often the money has moved when the provider reports the word. */
const movesBefore: Record<DisputeWord, number> = { warned: 0, asked: 1, reviewed: 1, won: 2, lost: 1 }
export const movesOf = (word: DisputeWord, round: number): number => movesBefore[word] + (round === 2 ? 2 : 0)

/** The second dispute of a payment is about a part of it. What the provider charges comes on top of a withdrawal. */
export const disputedMinor = ({ source }: Pick<Terms, 'source'>, nth: number): bigint =>
  nth === 0 ? source.amountMinor : source.amountMinor / 2n + 1n
export const chargeMinor = 7n

/** What a dispute may still take: nothing while the bank only asks, once it is won, or once it has the money. */
export function mayTakeMinor(terms: Pick<Terms, 'source'>, { nth, word, moves }: ModelDispute): bigint {
  const isOut = moves % 2 === 1
  return word === 'warned' || word === 'won' || isOut ? 0n : disputedMinor(terms, nth)
}

/** `inquire` polls the provider about an attempt that is still open. */
export function* dispute(
  model: Model,
  at: CallContext,
  step: Extract<Step, { do: 'dispute' }>,
  inquire: () => Call,
): Call {
  const { scenario } = at
  const one = model.tries.find(({ provider }) => provider === scenario.providers[step.route])
  if (!one?.wasSent || one.provider === 'manual') return 'skipped'
  if (!isPaid(model, scenario, one)) {
    // A dispute proves that the attempt was paid, so its provider is polled.
    if (openTry(model) === one) {
      const answer = yield* inquire()
      if (answer === 'died') return answer
      // Another call may end the payment between the answer and the question whether it is paid now.
      yield
    }
    if (!isPaid(model, scenario, one)) return yield* refuse(model, one, step)
  }
  yield
  if (!recordReport(model, one, step)) return 'done'
  const wasBeyond = isBeyond(model, scenario)
  const hasRaised = report(model, scenario, one, step)
  if (!wasBeyond && isBeyond(model, scenario) && !hasRaised)
    raise(model, 'dispute_of_refunded', `${one.provider} ${step.nth}`)
  return 'done'
}

/** More has gone back, or is demanded, than came. */
function isBeyond(model: Model, terms: Terms): boolean {
  const underWay = model.refunds.filter(isRefundOpen).map((one) => one.amountMinor)
  const demanded = model.disputes.map((one) => mayTakeMinor(terms, one))
  const total = [...underWay, ...demanded].reduce((sum, minor) => sum + minor, model.givenMinor)
  return total > terms.source.amountMinor
}

type Report = Pick<Extract<Step, { do: 'dispute' }>, 'nth' | 'word' | 'round'>

const isPaid = (model: Model, { direction }: Terms, one: Try): boolean =>
  direction === 'inbound' && ['completed', 'refunded'].includes(model.status) && one.standing === 'paid'

/** While the payment is open the provider has to send it again; a dispute of an unpaid one raises an exception. */
function* refuse(model: Model, one: Try, step: Report): Call {
  if (!isOver(model.status)) return '503'
  yield
  if (recordReport(model, one, step)) raise(model, 'dispute_of_unpaid', one.provider)
  return 'done'
}

/** False for a report that was received before. */
function recordReport(model: Model, one: Try, { nth, word, round }: Report): boolean {
  const key = `${one.provider} dispute ${nth} ${word} ${round}`
  if (model.receivedKeys.includes(key)) return false
  model.receivedKeys.push(key)
  return true
}

/** True when money moved beyond the payment, which is raised. */
function report(model: Model, terms: Terms, one: Try, { nth, word, round }: Report): boolean {
  const known = model.disputes.find((candidate) => candidate.nth === nth)
  const about = known ?? { nth, word, round, moves: 0, events: ['dispute.opened'] }
  if (!known) model.disputes.push(about)
  const before = { word: about.word, round: about.round, moves: about.moves }
  const isFurther = round > about.round || (round === about.round && distance[word] > distance[about.word])
  const isContradiction = round === about.round && isEnded(word) && isEnded(about.word) && word !== about.word
  if (isContradiction) raise(model, 'dispute_contradicted', one.provider)
  if (isFurther) Object.assign(about, { word, round })
  let hasRaised = false
  model.version += 1
  while (about.moves < movesOf(word, round)) hasRaised = moveMoney(model, terms, one, about) || hasRaised
  const isChanged = isFurther || about.moves > before.moves
  if (!known && isEnded(word)) about.events.push('dispute.closed')
  if (known && isChanged)
    about.events.push(
      isEnded(about.word) && about.word !== before.word ? 'dispute.closed' : 'dispute.updated',
    )
  return hasRaised
}

/** What the provider charges for a withdrawal is paid by the balance, whatever is left of the payment. */
function moveMoney(model: Model, terms: Terms, one: Try, about: ModelDispute): boolean {
  const { source, target } = terms
  about.moves += 1
  const isOut = about.moves % 2 === 1
  const amountMinor = disputedMinor(terms, about.nth)
  const beyond = giveBack(model, terms, isOut ? amountMinor : -amountMinor, one.provider)
  if (beyond !== 0n) raise(model, 'dispute_exceeds_payment', `${one.provider} ${about.nth} ${about.moves}`)
  if (!isOut) return beyond !== 0n
  const isExchanged = source.currency !== target.currency
  const exchange = `fx:${source.currency}/${target.currency}`
  const charge = { ...source, amountMinor: chargeMinor }
  post(model, charge, isExchanged ? exchange : 'available', `provider:${one.provider}`)
  const whole = chargeMinor * target.amountMinor
  const price = { ...target, amountMinor: (whole + source.amountMinor - 1n) / source.amountMinor }
  if (isExchanged) post(model, price, 'available', exchange)
  return beyond !== 0n
}
