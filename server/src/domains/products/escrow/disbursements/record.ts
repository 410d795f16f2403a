export interface NewShare {
  partyId: string
  paymentId: string
  amountMinor: bigint
}

/** A pending share with everything needed to pay it. */
export interface StoredDueShare {
  orgId: string
  escrowId: string
  milestoneId: string
  partyId: string
  paymentId: string
  amountMinor: bigint
  currency: string
  escrowAccountId: string
  state: string
  triedPaymentIds: string[]
  /** Exactly one of accountId and beneficiaryId is set. */
  accountId: string | null
  beneficiaryId: string | null
  description: string
  orderedBy: unknown
}

export interface DueShare extends StoredDueShare {
  /** An earlier payout that had failed was completed by its provider after all. */
  isPaidLate: boolean
}

export interface ShareFailure {
  code: string
  message: string
}

export interface ShareEnd {
  paymentId: string
  from: 'paying' | 'paid'
  to: 'paid' | 'failed'
  failure: ShareFailure | null
  at: Date
}

export interface DisbursementIds {
  orgId: string
  milestoneId: string
}
