/** What a violation is filed under. The numbers are those of the invariants in docs/proof.md. */
export const judgeNames = [
  'operator loses',
  'paid twice',
  'ramp without collection',
  'outside the bounds',
  'unverified',
  'below the limit',
  'confirmed by nobody',
  'confirmed alone',
  'message lost',
  'four eyes',
  'honest changed',
  'canary seen',
  'audit',
  'server error',
] as const
export type JudgeName = (typeof judgeNames)[number]

export type Violation = {
  readonly judge: JudgeName
  /** The payment, account or organisation that it is about; the report looks for it in the steps. */
  readonly subject: string
  readonly problem: string
}
