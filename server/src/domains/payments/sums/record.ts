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

/** The columns of a row of sums, all null without one. */
interface SumsRow {
  refunding_minor: string | null
  sums_refunded_minor: string | null
  reversed_minor: string | null
  disputed_minor: string | null
  withdrawn_minor: string | null
  returned_minor: string | null
  exception_id: string | null
}

export const toSums = (row: SumsRow): PayinSums =>
  row.refunding_minor === null
    ? noSums
    : {
        refundingMinor: BigInt(row.refunding_minor),
        refundedMinor: BigInt(row.sums_refunded_minor ?? 0),
        reversedMinor: BigInt(row.reversed_minor ?? 0),
        disputedMinor: BigInt(row.disputed_minor ?? 0),
        withdrawnMinor: BigInt(row.withdrawn_minor ?? 0),
        returnedMinor: BigInt(row.returned_minor ?? 0),
        exceptionId: row.exception_id,
      }
