import type { ProviderTransaction } from '../../../../connectors/kit/lists.ts'

/** A transaction of the provider's list that belongs to an attempt. */
export interface ListedTransaction {
  /** Its place in the list. */
  partNo: number
  /** Of the attempt. */
  reference: string
  orgId: string
  /** Of this transaction alone: an attempt may have several. */
  verdict: 'agrees' | 'differs' | 'skipped'
  part: ProviderTransaction
}

/** One attempt in the provider's list. */
export interface ListedAttempt {
  reference: string
  orgId: string
  recorded: number
  compared: number
  /** Null if there is only one to compare and it agrees. */
  parts: ProviderTransaction[] | null
}

/** How far a provider's list has been read. */
export interface ListProgress {
  /** Of the next page; null at both ends. */
  cursor: string | null
  /** How many transactions were recorded. */
  recorded: number
}
