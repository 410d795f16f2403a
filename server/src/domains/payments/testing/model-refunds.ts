import { move, payerOf, post, raise, type Model, type ModelRefund, type News, type Terms } from './model.ts'

export const refundedMinor = (model: Model): bigint =>
  model.refunds.reduce(
    (sum, refund) => sum + (refund.standing === 'paid' ? refund.amountMinor : 0n),
    model.returnedMinor,
  )

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
    refund.standing = 'paid'
    post(
      model,
      { amountMinor: refund.amountMinor, currency: terms.source.currency },
      'available',
      `provider:${payerOf(model)}`,
    )
    if (refundedMinor(model) === terms.source.amountMinor) move(model, terms, 'refunded')
  }
  if (!isRefundOpen(refund)) delete model.held[`available ${terms.source.currency}`]
}
