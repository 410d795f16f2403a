import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'

export interface SearchDeps {
  db: Database
  vault: Vault
  /** Keys the hashes of names, e-mail addresses and phone numbers. */
  searchKey: Buffer
}

/** A payment whose terms are not written yet. */
export interface QueuedPayment {
  orgId: string
  paymentId: string
  country: string
  privateSealed: Buffer
  createdAt: Date
}

export interface SearchTerm {
  orgId: string
  term: bigint
  createdAt: Date
  paymentId: string
}
