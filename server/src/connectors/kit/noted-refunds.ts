import { z } from 'zod'
import type { Accepted, Attempt, Connector, Inquiry, Outcome, RefundRequest } from './connector.ts'

/** A refund that the provider lists, and the note that we gave it. */
export interface NotedRefund {
  note: string | null | undefined
  accepted: Accepted
}

export interface RefundCalls {
  /** Every refund of the payment. Undefined: they could not all be seen. */
  listOf: (attempt: Attempt) => Promise<NotedRefund[] | undefined>
  send: (attempt: Attempt, refund: RefundRequest) => Promise<Outcome>
  byId: (providerRef: string) => Promise<Inquiry>
}

/** For providers that take no reference for a refund and refund twice what is sent twice: ours is in the note. */
export function notedRefunds(calls: RefundCalls): Required<Pick<Connector, 'refund' | 'inquireRefund'>> {
  return {
    refund: async (attempt, refund) => {
      const refunds = await calls.listOf(attempt)
      if (!refunds) return { kind: 'not_sent', reason: 'the refunds so far could not be looked through' }
      const known = refunds.find(({ note }) => note === refund.reference)?.accepted
      if (known?.state.state === 'failed')
        return { kind: 'declined', failure: known.state.failure, fallback: false }
      return known ?? calls.send(attempt, refund)
    },
    // "Not found" only if each refund of the payment is another one of ours: a note may have got lost.
    inquireRefund: async (attempt, { reference, providerRef }) => {
      if (providerRef !== null) return calls.byId(providerRef)
      const refunds = await calls.listOf(attempt)
      const found = refunds?.find(({ note }) => note === reference)
      if (found) return found.accepted
      if (refunds?.every(({ note }) => z.uuid().safeParse(note).success)) return { kind: 'not_found' }
      return { kind: 'unknown', reason: 'the refunds of the payment cannot be told apart' }
    },
  }
}
