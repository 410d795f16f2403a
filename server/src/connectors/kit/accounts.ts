import type { Money } from '../../lib/money/money.ts'

/** The account holder as the bank reports it. `unknown` is no reason to refuse a payout. */
export type AccountHolder =
  | { kind: 'found'; accountName: string }
  | { kind: 'not_found' }
  | { kind: 'unknown'; reason: string }

/** An account in our name that accepts deposits from anybody. */
export interface NewBankAccount {
  /** Our UUID and the idempotency key: the same reference returns the same account. */
  reference: string
  name: string
  country: string
  currency: string
}

export interface OpenedAccount {
  /** The IBAN where the bank has no other number. */
  accountNumber: string
  accountName: string
  bankName: string
  sortCode?: string | undefined
  routingNumber?: string | undefined
  iban?: string | undefined
  /** What the provider's deposits name instead of the account number. */
  depositKey?: string | undefined
}

/** Opening moves no money, so an attempt with an unknown outcome can be dropped. */
export type OpeningOutcome = { kind: 'opened'; account: OpenedAccount } | { kind: 'refused'; reason: string }

/** A deposit to an account that the provider opened for us. */
export interface ProviderDeposit {
  /** Unique per deposit, and equal if the same deposit is reported again. */
  dedupeKey: string
  /** The provider's id of the deposit. */
  providerRef: string
  /** Or the deposit key, if the account was opened with one. */
  accountNumber: string
  amount: Money
  sender: { name?: string | undefined; accountNumber?: string | undefined; bankName?: string | undefined }
  description?: string | undefined
}
