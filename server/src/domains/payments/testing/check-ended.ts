import type { CallContext, Call } from './model-call.ts'
import { applyReport, applyRefundReport } from './model-facts.ts'
import { isRefundOpen, raise, type Model, type Try } from './model.ts'
import type { InquiryAnswer } from './scenarios.ts'

/** The provider is asked what became of a completed payment: about its open refund first, then about itself. */
export function* checkEnded(model: Model, at: CallContext, one: Try, inquiry: InquiryAnswer): Call {
  if (model.status !== 'completed' && model.status !== 'refunded') return 'done'
  const open = at.scenario.direction === 'inbound' ? model.refunds.find(isRefundOpen) : undefined
  if (open) {
    yield
    applyRefundReport(model, at.scenario, open, inquiry.fact === 'missing' ? 'unclear' : inquiry.fact)
  }
  const isUnclear = model.refunds.some(isRefundOpen)
  if (model.status !== 'completed') return 'done'
  yield
  const isReversal = inquiry.fact === 'failed' || inquiry.fact === 'canceled'
  if (inquiry.fact === 'missing' || inquiry.fact === 'unclear' || (isReversal && isUnclear)) {
    const isStale = isReversal && model.status !== 'completed'
    if (!isStale) raise(model, 'reversed_after_completion', one.provider)
  } else if (isReversal)
    applyReport(model, at.scenario, one, {
      fact: inquiry.fact,
      isAfterEnd: true,
      maySend: false,
      nowMs: at.nowMs,
    })
  return 'done'
}

export const isUnpaid = ({ standing }: Try): boolean => ['ended', 'refused', 'unsent'].includes(standing)

/** The provider is asked whether a try that had ended was paid after all. */
export function* checkUnpaid(
  model: Model,
  at: CallContext,
  one: Try,
  inquiry: InquiryAnswer & { isSigned: boolean },
): Call {
  yield
  if (!isUnpaid(one)) return 'done'
  yield
  if (inquiry.fact === 'unclear' || (inquiry.fact === 'missing' && inquiry.isSigned))
    raise(model, 'money_after_end', one.provider)
  if (inquiry.fact === 'paid')
    applyReport(model, at.scenario, one, { fact: 'paid', maySend: false, nowMs: at.nowMs })
  return 'done'
}
