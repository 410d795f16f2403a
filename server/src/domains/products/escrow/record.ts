import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'

export interface Escrow {
  orgId: string
  escrowId: string
  userId: string
  name: string
  description: string | null
  currency: string
  accountId: string
  status: 'active' | 'canceled'
  createdAt: Date
  updatedAt: Date
}

/** Totals are summed over fundings and paid shares when the escrow is read. */
export interface EscrowWithTotals extends Escrow {
  fundedMinor: bigint
  returnedMinor: bigint
  disbursedMinor: bigint
}

export interface Funding {
  fundingId: string
  accountId: string
  amountMinor: bigint
  returnedMinor: bigint
}

export interface Party {
  orgId: string
  partyId: string
  escrowId: string
  name: string
  accountId: string | null
  beneficiaryId: string | null
  createdAt: Date
}

export interface NewParty {
  escrowId: string
  name: string
  accountId: string | null
  beneficiaryId: string | null
}

export interface EscrowDeps {
  db: Database
  clock: Clock
}
