/** What each judge holds, in a few words; docs/proof.md says more. */
export const judges = {
  'operator loses': 'no more leaves the installation’s accounts for an organisation than arrived for it',
  'paid twice': 'a payout is carried out once',
  'ramp without collection': 'a ramp is delivered or refunded once, after it was paid for',
  'outside the bounds': 'no payout exceeds the operator’s maximum',
  unverified: 'nothing leaves for an organisation that is not verified',
  'below the limit': 'no pooled balance is below its limit, no virtual account below zero',
  'confirmed by nobody': 'what counts as settled here was carried out by the account that carries it',
  'confirmed alone': 'a manual payment is confirmed by somebody who did not start it',
  'message lost': 'a verified message about a known payment was applied or raised',
  'four eyes': 'what one person can pay out stays below the policy',
  'empowered decided':
    'nobody decided who proposed it, or who got their access from, gave it to, or shares its giver with the proposer',
  'operator alone': 'nothing that takes two operators happened while one of them acts',
  'paid to a listed name': 'nothing moved for a payment with a listed person in it',
  'lost to a rate': 'a refund of an exchanged payin costs the organisation what it is worth',
  'honest changed': 'the honest organisation has exactly what it expects',
  'canary seen': 'no answer to a thief has a text of the honest organisation',
  'other answer': 'each attack was refused with the answer that it defines',
  audit: '`npm run audit` passes',
  'server error': 'no answer is a 500',
} as const

/** What a violation is filed under. */
export type JudgeName = keyof typeof judges

export type Violation = {
  readonly judge: JudgeName
  /** The payment, account or organisation that it is about; the report looks for it in the steps. */
  readonly subject: string
  readonly problem: string
}
