import type { HeldMoney, ExceptionRow } from './record.ts'

/** `returned`: it went back to who paid it. `kept`: it is the organisation's own, such as after a payout by hand. */
export const releases = ['returned', 'kept'] as const
export type Release = (typeof releases)[number]

export const heldBy = (row: ExceptionRow): HeldMoney | undefined =>
  row.held_minor !== null && row.held_currency !== null && row.held_provider !== null
    ? { amountMinor: BigInt(row.held_minor), currency: row.held_currency, provider: row.held_provider }
    : undefined
