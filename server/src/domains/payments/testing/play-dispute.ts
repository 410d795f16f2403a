import type { DisputeMove, DisputeState, ProviderDispute } from '../../../connectors/kit/disputes.ts'
import type { DisputeWord } from './model.ts'
import { chargeMinor, disputedMinor, movesOf } from './model-dispute.ts'
import type { Scenario, Step } from './scenarios.ts'

/** A webhook about a dispute, as the scripted providers send it. */
export interface DisputeBody {
  dispute: { reference: string; nth: number; word: DisputeWord; round: 1 | 2 }
}

const states: Readonly<Record<DisputeWord, DisputeState>> = {
  warned: 'warning',
  asked: 'needs_response',
  reviewed: 'under_review',
  won: 'won',
  lost: 'lost',
}

export const disputeBody = (
  reference: string,
  { nth, word, round }: Extract<Step, { do: 'dispute' }>,
): DisputeBody => ({ dispute: { reference, nth, word, round } })

/** A message names every movement so far, so that any order of arrival ends in the same ledger. */
export function disputeReport(scenario: Scenario, { dispute }: DisputeBody): ProviderDispute {
  const { reference, nth, word, round } = dispute
  const { currency } = scenario.source
  const amount = { currency, amountMinor: disputedMinor(scenario, nth) }
  const charge = { currency, amountMinor: chargeMinor }
  return {
    dedupeKey: `${reference} dispute ${nth} ${word} ${round}`,
    providerRef: `${reference} ${nth}`,
    payment: { reference },
    state: states[word],
    round,
    providerStatus: `${word} ${round}`,
    reason: 'general',
    providerReason: '',
    amount,
    funds: {
      moves: Array.from({ length: movesOf(word, round) }, (_, index): DisputeMove =>
        index % 2 === 0 ? { amount, cost: charge } : { amount },
      ),
    },
  }
}
