import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import type { Page } from '../../../../lib/requests/paging.ts'

export type Rail = 'internal' | 'bank_transfer' | 'mobile_money' | 'card' | 'crypto'

export interface VirtualTransaction {
  orgId: string
  transactionId: string
  accountId: string
  userId: string
  type: 'credit' | 'debit'
  status: 'pending' | 'completed' | 'failed' | 'reversed'
  amountMinor: bigint
  currency: string
  description: string
  paymentRail: Rail
  reference: string
  entryNo: number | null
  balanceAfterMinor: bigint | null
  bookedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type NewTransaction = Omit<
  VirtualTransaction,
  'orgId' | 'userId' | 'status' | 'entryNo' | 'balanceAfterMinor' | 'bookedAt' | 'updatedAt'
>

export interface TransactionFilters {
  accountId: string
  type: string | undefined
  status: string | undefined
}

export interface Period {
  accountId: string
  from: Date | undefined
  to: Date | undefined
}

export interface Statement {
  currency: string
  openingMinor: bigint
  closingMinor: bigint
  entries: Page<VirtualTransaction>
}

export interface TransactionDeps {
  db: Database
  vault: Vault
  cursorKey: KeyRing
}
