/** What the operator and the guarded organisation have decided; the judges hold the run against it. */

/** The operator's maximum for one payout in Kenya, through the installation's accounts. */
export const operatorMaximum = { country: 'KE', currency: 'KES', units: 70_000, minor: 70_000_00n } as const

/** The policy of the guarded organisation: two people from 10,000 KES, or from 30,000 KES within a day. */
export const guardedLimits = {
  currency: 'KES',
  payoutFromMinor: 10_000_00n,
  dailyFromMinor: 30_000_00n,
} as const
export const guardedPolicies = [{ currency: 'KES', payout_from: 10_000, daily_from: 30_000 }]
