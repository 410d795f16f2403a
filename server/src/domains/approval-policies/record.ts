export interface ApprovalPolicy {
  currency: string
  payoutFromMinor: bigint
}
