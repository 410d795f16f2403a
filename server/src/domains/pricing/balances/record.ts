import type { Custody } from '../../../kernel/ledger/available.ts'

export interface OrgBalance {
  currency: string
  custody: Custody
  /** What can be spent now, without the credit limit. */
  availableMinor: bigint
  /** Set aside, and not with a provider yet. */
  heldMinor: bigint
  /** Set aside for payouts and refunds that a provider has and has not ended. */
  inTransitMinor: bigint
  /** How far below zero the balance may go. Null for an own balance, which only its provider limits. */
  creditLimitMinor: bigint | null
}

export interface CreditLimit {
  currency: string
  limitMinor: bigint
}
