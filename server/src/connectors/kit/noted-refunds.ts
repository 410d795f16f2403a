import { z } from 'zod'
import type { AcceptedOutcome, Attempt, Connector, Inquiry, Outcome, RefundRequest } from './connector.ts'

/** A refund in the provider's list, with the note that we sent with it. */
export interface NotedRefund {
  note: string | null | undefined
  accepted: AcceptedOutcome
}

interface RefundCalls {
  /** Every refund of the payment. Undefined: the list is incomplete. */
  listOf: (attempt: Attempt) => Promise<NotedRefund[] | undefined>
  send: (attempt: Attempt, refund: RefundRequest) => Promise<Outcome>
  byId: (providerRef: string) => Promise<Inquiry>
}

export const notInTime: Outcome = { kind: 'not_sent', reason: 'it was not sent before its deadline' }

/** Makes refunds idempotent at providers that take no reference for them, by putting ours into the note. */
export function notedRefunds(calls: RefundCalls): Required<Pick<Connector, 'refund' | 'inquireRefund'>> {
  return {
    refund: async (attempt, refund) => {
      const refunds = await calls.listOf(attempt)
      if (!refunds) return { kind: 'not_sent', reason: 'the previous refunds could not be listed' }
      const known = refunds.find(({ note }) => note === refund.reference)?.accepted
      if (known?.state.state === 'failed')
        return { kind: 'declined', failure: known.state.failure, fallback: false }
      if (known) return known
      // The list may have taken long, and past the deadline the refund may have been given up for a new one.
      if (refund.isInTime?.() === false) return notInTime
      return calls.send(attempt, refund)
    },
    // A note may be missing, so "not found" requires that every listed refund is another one of ours.
    inquireRefund: async (attempt, { reference, providerRef }) => {
      if (providerRef !== null) return calls.byId(providerRef)
      const refunds = await calls.listOf(attempt)
      const found = refunds?.find(({ note }) => note === reference)
      if (found) return found.accepted
      if (refunds?.every(({ note }) => z.uuid().safeParse(note).success)) return { kind: 'not_found' }
      return { kind: 'unknown', reason: 'the refunds of the payment cannot be distinguished' }
    },
  }
}
