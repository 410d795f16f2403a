import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Role } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { ExceptionKind } from './describe-kinds.ts'

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
  kind: ExceptionKind
  paymentId: string | null
  provider: string | null
  summary: string
  /** Identifies the finding: while its exception is open, the same finding is not raised again. */
  findingKey: string
  held?: HeldMoney | undefined
}

/** What a member found out. Notes are never changed. */
export interface ExceptionNote {
  note_id: string
  user_id: string
  note: string
  created_at: Date
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
  assignee_id: string | null
  resolution: string | null
  closed_by: string | null
  closed_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ExceptionDeps {
  db: Database
  cursorKey: KeyRing
  clock: Clock
  /** Organisations depend on exceptions, so their members are looked up through this. */
  findMemberIn(this: void, tx: Tx, orgId: string, userId: string): Promise<{ role: Role } | undefined>
}
