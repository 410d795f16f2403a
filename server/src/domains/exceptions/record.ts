import type { Database } from '../../db/database.ts'
import type { Money } from '../../lib/money.ts'

/** Money in suspense until a person has said what became of it, and the provider that has it. */
export interface HeldMoney extends Money {
  provider: string
}

export interface NewException {
  /** Given where something else has the same id. */
  exceptionId?: string
  kind: string
  paymentId: string | null
  provider: string | null
  summary: string
  suggestedAction: string
  /** Says what was found; while it is open, the same finding is not raised twice. */
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
