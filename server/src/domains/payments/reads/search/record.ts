import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import type { Log } from '../../../../lib/log.ts'

export interface SearchDeps {
  db: Database
  vault: Vault
  /** Keys the hashes of names, e-mail addresses and phone numbers. */
  searchKey: KeyRing
  log: Log
}

/** A payment whose terms are not written yet. */
export interface QueuedPayment {
  orgId: string
  paymentId: string
  country: string
  privateSealed: Buffer
  createdAt: Date
}

/** A payment whose terms cannot be derived, because its sealed details stay closed. */
export interface UnreadablePayment extends Pick<QueuedPayment, 'orgId' | 'paymentId'> {
  reason: string
}

export interface SearchTerm {
  orgId: string
  term: bigint
  createdAt: Date
  paymentId: string
}
