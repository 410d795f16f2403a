/** What went back to the payer of a payin, or may go back, in its source currency. */
export interface PayinSums {
  /** Our own refunds that have not ended. */
  refundingMinor: bigint
  /** Completed refunds, by whomever. */
  refundedMinor: bigint
  /** What was left when the provider took back the payment. */
  reversedMinor: bigint
  /** What open disputes demand and have not withdrawn. */
  disputedMinor: bigint
  withdrawnMinor: bigint
  /** What came back of the withdrawn money. */
  returnedMinor: bigint
  /** Raised when a provider gave back, or is about to give back, more than came. */
  exceptionId: string | null
}

/** Of a payment without a row of sums. It is recognised by its identity. */
export const noSums: PayinSums = {
  refundingMinor: 0n,
  refundedMinor: 0n,
  reversedMinor: 0n,
  disputedMinor: 0n,
  withdrawnMinor: 0n,
  returnedMinor: 0n,
  exceptionId: null,
}
