import {
  move,
  partOf,
  payerOf,
  post,
  raise,
  refundedMinor,
  type Model,
  type ModelRefund,
  type News,
  type Terms,
} from './model.ts'

/** What the balance pays for a refund: of an exchanged payment a part of its target amount. */
export function costOf(model: Model, terms: Terms, amountMinor: bigint): Terms['source'] {
  const before = refundedMinor(model)
  return terms.source.currency === terms.target.currency
    ? { ...terms.source, amountMinor }
    : { ...terms.target, amountMinor: partOf(terms, before + amountMinor) - partOf(terms, before) }
}

export const isRefundOpen = (refund: ModelRefund): boolean =>
  ['out', 'unclear', 'taken'].includes(refund.standing)

export function hearRefund(model: Model, terms: Terms, refund: ModelRefund, news: News): void {
  const about = `${payerOf(model)} ${model.refunds.indexOf(refund)}`
  if (!isRefundOpen(refund)) {
    if (refund.standing === 'failed' && news === 'paid') raise(model, 'refund_after_failure', about)
    if (refund.standing === 'paid' && news === 'failed') raise(model, 'refund_reversed', about)
    return
  }
  if (news === 'waits' || news === 'works') refund.standing = 'taken'
  else if (news === 'unclear') refund.standing = refund.standing === 'taken' ? 'taken' : 'unclear'
  else if (news === 'unsent') refund.standing = refund.standing === 'taken' ? 'taken' : 'failed'
  else if (news !== 'paid') refund.standing = 'failed'
  else {
    postRefund(model, terms, refund)
    if (refundedMinor(model) === terms.source.amountMinor) move(model, terms, 'refunded')
  }
  if (!isRefundOpen(refund)) delete model.held[`available ${terms.target.currency}`]
}

function postRefund(model: Model, terms: Terms, refund: ModelRefund): void {
  const { source, target } = terms
  const paid = { ...source, amountMinor: refund.amountMinor }
  const provider = `provider:${payerOf(model)}`
  const cost = costOf(model, terms, refund.amountMinor)
  refund.standing = 'paid'
  if (model.isTakenBack) {
    refund.isExcess = true
    post(model, paid, 'suspense', provider)
    return raise(model, 'refund_exceeds_payment', `${payerOf(model)} ${model.refunds.indexOf(refund)}`)
  }
  const exchange = `fx:${source.currency}/${target.currency}`
  const isExchanged = source.currency !== target.currency
  post(model, paid, isExchanged ? exchange : 'available', provider)
  if (isExchanged) post(model, cost, 'available', exchange)
  model.events.push('payment.refunded')
}
