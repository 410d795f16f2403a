/** What a violation is filed under; docs/proof.md says what each of them holds. */
export type JudgeName =
  | 'operator loses'
  | 'paid twice'
  | 'ramp without collection'
  | 'outside the bounds'
  | 'unverified'
  | 'below the limit'
  | 'confirmed by nobody'
  | 'confirmed alone'
  | 'message lost'
  | 'four eyes'
  | 'honest changed'
  | 'canary seen'
  | 'other answer'
  | 'audit'
  | 'server error'

export type Violation = {
  readonly judge: JudgeName
  /** The payment, account or organisation that it is about; the report looks for it in the steps. */
  readonly subject: string
  readonly problem: string
}
