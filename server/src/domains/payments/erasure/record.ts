/** A payment whose details are not erased, and that is old. */
export interface OldPayment {
  paymentId: string
  beneficiaryId: string | null
  createdAt: Date
  /** It has not ended, or something happened to it lately. */
  isRecent: boolean
}

export interface OldPayments {
  /** Payouts have a beneficiary; payins and ramps a payer. */
  kind: 'payer' | 'beneficiary'
  since: Date | undefined
  before: Date
  after: Pick<OldPayment, 'createdAt' | 'paymentId'> | undefined
  limit: number
}
