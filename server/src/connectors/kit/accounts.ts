import type { Money } from '../../lib/money.ts'

/** Whose account it is, as its bank says. `unknown` is no reason to refuse a payout. */
export type AccountHolder =
  { kind: 'found'; accountName: string } | { kind: 'not_found' } | { kind: 'unknown'; reason: string }

/** An account in our name that anybody can send money to. */
export interface NewBankAccount {
  /** A UUID of ours: the same one opens the same account again. */
  reference: string
  name: string
  country: string
  currency: string
}

export interface OpenedAccount {
  accountNumber: string
  accountName: string
  bankName: string
}

/** Opening moves no money, so a try whose outcome is unknown is simply not used. */
export type OpeningOutcome = { kind: 'opened'; account: OpenedAccount } | { kind: 'refused'; reason: string }

/** Money that came to an account that the provider opened for us. */
export interface ProviderDeposit {
  /** Unique per deposit, equal for a repeat. */
  dedupeKey: string
  /** The provider's own id of the movement. */
  providerRef: string
  accountNumber: string
  amount: Money
  sender: { name?: string | undefined; accountNumber?: string | undefined; bankName?: string | undefined }
  description?: string | undefined
}
