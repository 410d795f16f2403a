import type { CompiledQuery } from 'kysely'
import type { LoadedPayment, StoredAttempt } from '../record.ts'

/** Where a fact comes from, and what is recorded beside it. */
export interface Evidence {
  attemptNo: number
  /** Set when the fact is the answer to an inquiry. The engine's are all recorded, others when they change something. */
  inquiry?: { result: string; detail: string | null; isScheduled: boolean; notFoundCount?: number }
  /**
   * The provider reports it about a payment that it has completed, in a signed message or in the answer to a later
   * inquiry. An answer that was on its way at the completion is older than the success that it contradicts.
   */
  isAfterEnd?: boolean
  /** A refund or a dispute of the payin is open: a reported reversal may be that very one, and cannot be booked. */
  mayBeKnown?: boolean
  /** The customer entered a wrong one-time password; the attempt counts them. */
  isWrongOtp?: boolean
  /** The provider's id from an unverified message. If the provider’s answer was lost, we can ask by no other id. */
  hintedRef?: string | null
  /** Two people decided it; their resolution is written in the same transaction. */
  resolutionId?: string
  /** Further rows of the same transaction, such as the inbox row of a webhook. */
  extraStatements?: CompiledQuery[]
  /** The details of the request are at hand, so the next route may be tried at once. */
  canSend: boolean
  /** What refused an attempt for the next route. The fact is written all the same. */
  suspended?: SuspendedRoutes
}

/** Either nothing may leave, or these accounts may not be used. */
export interface SuspendedRoutes {
  isOutflow: boolean
  accountIds: ReadonlySet<string>
  /** Something of it is suspended, which may be lifted. A route that was closed is not waited for. */
  isTemporary: boolean
}

/** The payment afterwards, and the attempt that this call wrote for the next route. Only its writer may send it. */
export interface AppliedFact extends LoadedPayment {
  following?: StoredAttempt | undefined
}

/** An attempt of any organisation, found by the reference that we gave the provider. */
export interface FoundAttempt {
  orgId: string
  paymentId: string
  attemptNo: number
  accountId: string
}
