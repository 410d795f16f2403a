import { sql, type CompiledQuery } from 'kysely'
import { compileRowsOnce } from '../db/compile-once.ts'
import { statements } from '../db/database.ts'
import type { Custody } from './available.ts'

/** One movement of money between two accounts of an organisation, unique by its cause and kind. */
export interface Transfer {
  causeId: string
  kind: string
  phase: 'posted' | 'pending' | 'post' | 'void'
  debit: string
  credit: string
  currency: string
  amountMinor: bigint
}

const guardedPrefix = 'va:'

/** The chart of accounts, per organisation. */
export const account = {
  /** What the organisation can spend, by custody. */
  available: (custody: Custody) => (custody === 'pooled' ? 'available' : 'available:own'),
  outgoing: 'outgoing',
  /** The counterpart of balances that the operator took over from elsewhere. */
  opening: 'opening',
  /** What the operator charged. */
  fees: 'fees',
  /** Fees of payments in the organisation's own accounts, which the operator cannot debit and invoices. */
  feesDue: 'fees_due',
  /** What providers charged. */
  providerCosts: 'provider_costs',
  suspense: 'suspense',
  /** Guarded: it has a balance row and cannot go below zero. */
  virtual: (accountId: string) => `${guardedPrefix}${accountId}`,
  /** Money that was collected for ramps and is not delivered yet. */
  ramps: 'ramps',
  /** One for each account at a provider, so that it can be compared with that account's statement. */
  provider: (provider: string, accountId: string | null) =>
    accountId === null ? `provider:${provider}` : `provider:${provider}:${accountId}`,
  exchange: (from: string, to: string) => `fx:${from}/${to}`,
} as const

const resolved = (kind: string): string => `${kind}.resolved`

export const posted = (transfer: Omit<Transfer, 'phase'>): Transfer => ({ ...transfer, phase: 'posted' })

export const held = (transfer: Omit<Transfer, 'phase'>): Transfer => ({ ...transfer, phase: 'pending' })

/** A hold is posted or released. The database allows only one of the two, and only once. */
export const postHold = (hold: Transfer): Transfer => ({ ...hold, kind: resolved(hold.kind), phase: 'post' })
export const releaseHold = (hold: Transfer): Transfer => ({
  ...hold,
  kind: resolved(hold.kind),
  phase: 'void',
})

/** Inserts the transfers and updates the balances of guarded accounts in one statement. */
export function insertTransfers(orgId: string, transfers: readonly Transfer[]): CompiledQuery {
  const rows = transfers.map((transfer) => toRow(orgId, transfer))
  const changes = guardedChanges(transfers)
  if (changes.length === 0) return insertRows(rows)
  return sql`
    with moved as (${statements.insertInto('ledger_transfers').values(rows)} returning cause_id)
    select move_guarded(${orgId}::uuid, ${changes.map(({ account: name }) => name)}::text[],
      ${changes.map(({ currency }) => currency)}::text[],
      ${changes.map(({ availableMinor }) => availableMinor.toString())}::numeric[],
      ${changes.map(({ heldMinor }) => heldMinor.toString())}::numeric[])`.compile(statements)
}

const toRow = (orgId: string, transfer: Transfer) => ({
  org_id: orgId,
  cause_id: transfer.causeId,
  kind: transfer.kind,
  phase: transfer.phase,
  debit_account: transfer.debit,
  credit_account: transfer.credit,
  currency: transfer.currency,
  amount_minor: transfer.amountMinor.toString(),
})

const insertRows = compileRowsOnce<ReturnType<typeof toRow>>((rows) =>
  statements.insertInto('ledger_transfers').values(rows).compile(),
)

interface GuardedChange {
  account: string
  currency: string
  availableMinor: bigint
  heldMinor: bigint
}

/** One change for each guarded account, in the order of account names, which is the order of their locks. */
function guardedChanges(transfers: readonly Transfer[]): GuardedChange[] {
  const byName = new Map<string, GuardedChange>()
  for (const { debit, credit, currency, phase, amountMinor } of transfers)
    for (const [name, effect] of [
      [debit, debitEffects[phase]],
      [credit, creditEffects[phase]],
    ] as const) {
      if (!name.startsWith(guardedPrefix)) continue
      const before = byName.get(name) ?? { account: name, currency, availableMinor: 0n, heldMinor: 0n }
      byName.set(name, {
        ...before,
        availableMinor: before.availableMinor + effect.available * amountMinor,
        heldMinor: before.heldMinor + effect.held * amountMinor,
      })
    }
  return [...byName.values()].sort((a, b) => (a.account < b.account ? -1 : 1))
}

const debitEffects = {
  posted: { available: -1n, held: 0n },
  pending: { available: -1n, held: 1n },
  post: { available: 0n, held: -1n },
  void: { available: 1n, held: -1n },
} as const
const creditEffects = {
  posted: { available: 1n, held: 0n },
  pending: { available: 0n, held: 0n },
  post: { available: 1n, held: 0n },
  void: { available: 0n, held: 0n },
} as const
