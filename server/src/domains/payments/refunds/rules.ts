import type { Failure } from '../../../connectors/kit/state.ts'
import type { Fact } from '../rules.ts'
import type { RefundState } from './store.ts'

export interface RefundDecision {
  state: RefundState
  failure?: Failure
  /** What the provider says of an ended refund does not fit: kept for a person, applied to nothing. */
  exception?: 'refund_after_failure' | 'refund_reversed'
}

const notSent: Failure = {
  code: 'REFUND_NOT_SENT',
  message: 'The provider could not be reached. Nothing was refunded.',
}

/** What a fact means for a refund. An ended refund does not change; unknown stays open until somebody knows. */
export function decideRefund(state: RefundState, fact: Fact): RefundDecision {
  if (state === 'completed' || state === 'failed') return decideLate(state, fact)
  switch (fact.kind) {
    case 'accepted':
      return decideAccepted(fact.state)
    case 'declined':
      return { state: 'failed', failure: fact.failure }
    case 'not_sent':
      // "Never found" may be written after a webhook has shown that the provider has it.
      return state === 'accepted' ? { state } : { state: 'failed', failure: notSent }
    case 'unknown':
      return { state: state === 'accepted' ? 'accepted' : 'unknown' }
  }
}

function decideLate(state: 'completed' | 'failed', fact: Fact): RefundDecision {
  const said = fact.kind === 'accepted' ? fact.state.state : undefined
  if (state === 'failed' && said === 'completed') return { state, exception: 'refund_after_failure' }
  if (state === 'completed' && said === 'failed') return { state, exception: 'refund_reversed' }
  return { state }
}

function decideAccepted(provider: Extract<Fact, { kind: 'accepted' }>['state']): RefundDecision {
  switch (provider.state) {
    case 'completed':
      return { state: 'completed' }
    case 'failed':
      return { state: 'failed', failure: provider.failure }
    case 'canceled':
      return {
        state: 'failed',
        failure: { code: 'REFUND_CANCELED', message: 'The provider canceled the refund.' },
      }
    case 'pending':
    case 'processing':
      return { state: 'accepted' }
  }
}
