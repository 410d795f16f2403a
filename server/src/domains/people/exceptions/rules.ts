import type { HeldMoney, ExceptionRow } from './record.ts'

/** `returned`: the payer got it back. `kept`: it belongs to the organisation, for example after a manual payout. */
export const releases = ['returned', 'kept'] as const
export type Release = (typeof releases)[number]

export const heldBy = (row: ExceptionRow): HeldMoney | undefined =>
  row.held_minor !== null && row.held_currency !== null && row.held_provider !== null
    ? {
        amountMinor: BigInt(row.held_minor),
        currency: row.held_currency,
        provider: row.held_provider,
        accountId: row.held_account_id,
        custody: row.held_custody === 'own' ? 'own' : 'pooled',
      }
    : undefined
