export type Invariant = `I${number}`
export type Violation = { invariant: Invariant; subject: string; problem: string }

export const invariantNames: Readonly<Record<Invariant, string>> = {
  I1: 'an acknowledged payment stays readable',
  I2: 'one accepted charge per payment',
  I3: 'one open attempt per payment',
  I4: 'nothing sent without a committed attempt',
  I5: 'fallback only after a definite failure',
  I6: 'every currency sums to zero, in every snapshot',
  I7: 'balances are their entries, which never change',
  I8: 'holds are posted or released',
  I9: 'statuses move along the table',
  I10: 'our state is the provider’s',
  I11: 'every transition has its event, delivered',
  I12: 'retries of a delivery are the same bytes',
  I13: 'no organisation sees another',
  I14: 'no secret is written anywhere',
  I15: 'all work ends',
  I16: 'nobody decides alone',
  I17: 'each row of a batch is one payment',
}
