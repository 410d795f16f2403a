import type { CompiledQuery } from 'kysely'
import { statements } from '../db/database.ts'

/** One movement between two accounts of an organisation. The cause and the kind together make it unique. */
export interface Transfer {
  causeId: string
  kind: string
  phase: 'posted' | 'pending' | 'post' | 'void'
  debit: string
  credit: string
  currency: string
  amountMinor: bigint
}

/** The chart of accounts, per organisation. */
export const account = {
  available: 'available',
  outgoing: 'outgoing',
  fees: 'fees',
  suspense: 'suspense',
  provider: (provider: string) => `provider:${provider}`,
  exchange: (from: string, to: string) => `fx:${from}/${to}`,
} as const

const resolved = (kind: string): string => `${kind}.resolved`

export const posted = (transfer: Omit<Transfer, 'phase'>): Transfer => ({ ...transfer, phase: 'posted' })

export const held = (transfer: Omit<Transfer, 'phase'>): Transfer => ({ ...transfer, phase: 'pending' })

/** Ends a hold, by capturing or releasing it. The database allows one end per hold. */
export const captured = (hold: Transfer): Transfer => ({ ...hold, kind: resolved(hold.kind), phase: 'post' })
export const released = (hold: Transfer): Transfer => ({ ...hold, kind: resolved(hold.kind), phase: 'void' })

export const insertTransfers = (orgId: string, transfers: readonly Transfer[]): CompiledQuery =>
  statements
    .insertInto('ledger_transfers')
    .values(
      transfers.map((transfer) => ({
        org_id: orgId,
        cause_id: transfer.causeId,
        kind: transfer.kind,
        phase: transfer.phase,
        debit_account: transfer.debit,
        credit_account: transfer.credit,
        currency: transfer.currency,
        amount_minor: transfer.amountMinor.toString(),
      })),
    )
    .compile()
