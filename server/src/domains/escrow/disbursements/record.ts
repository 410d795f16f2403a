export interface NewShare {
  partyId: string
  paymentId: string
  amountMinor: bigint
}

/** A share with everything that paying it takes. */
export interface DueShare {
  orgId: string
  escrowId: string
  milestoneId: string
  partyId: string
  paymentId: string
  amountMinor: bigint
  currency: string
  escrowAccountId: string
  /** One of the two. */
  accountId: string | null
  beneficiaryId: string | null
  description: string
  orderedBy: unknown
  /** An earlier try that had failed was completed by its provider after all. */
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
