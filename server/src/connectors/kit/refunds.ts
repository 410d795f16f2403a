import type { Money } from '../../lib/money/money.ts'
import type { ProviderState } from './state.ts'

/** The payment of a refund that may have been made outside of Switchyard. */
export interface RefundedPayment {
  /** Our reference of the attempt, if the provider repeats it. */
  reference: string | null
  /** The provider's id of the payment. */
  providerRef: string | null
}

/** Of a message about a refund: its payment, and the provider's id of the refund if the message names it. */
export interface ReportedRefund extends RefundedPayment {
  refundId: string | null
}

/** A refund in the provider's list, whether it was made by us or outside of Switchyard. */
export interface ProviderRefund {
  providerRef: string
  /** Our reference of the refund, if it is one of ours and the provider stores it. */
  reference: string | null
  refundOf: RefundedPayment
  /** Undefined where a list of all refunds does not name the currency. */
  amount: Money | undefined
  providerStatus: string
  state: ProviderState
}
