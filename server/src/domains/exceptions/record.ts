import type { Database } from '../../db/database.ts'
import type { Custody } from '../../ledger/available.ts'
import type { Money } from '../../lib/money.ts'

/** Money in suspense until a person resolves it, and the provider that holds it. */
export interface HeldMoney extends Money {
  provider: string
  /** Null for the operator's wallet. */
  accountId: string | null
  custody: Custody
}

export interface NewException {
  /** Set where another record shares the id. */
  exceptionId?: string
  kind: string
  paymentId: string | null
  provider: string | null
  summary: string
  suggestedAction: string
  /** Identifies the finding: while its exception is open, the same finding is not raised again. */
  findingKey: string
  held?: HeldMoney | undefined
}

export interface ExceptionRow {
  exception_id: string
  org_id: string
  kind: string
  payment_id: string | null
  provider: string | null
  summary: string
  suggested_action: string
  held_minor: string | null
  held_currency: string | null
  held_provider: string | null
  held_account_id: string | null
  held_custody: string | null
  status: string
  resolution: string | null
  closed_by: string | null
  closed_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ExceptionDeps {
  db: Database
  cursorKey: Buffer
}
