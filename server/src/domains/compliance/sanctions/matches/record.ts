import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import type { Money } from '../../../../lib/money/money.ts'
import type { ChangeControl } from '../../../people/change-requests/record.ts'
import type { ListEntry, ListSource, NameScreening, Person } from '../record.ts'

export const subjectKinds = ['beneficiary', 'payer', 'kyb'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export const matchStatuses = ['open', 'cleared', 'confirmed'] as const
export type MatchStatus = (typeof matchStatuses)[number]

/** Whom to screen: a beneficiary, the payer of a payment, or a person of an organisation's verification. */
export interface Subject {
  kind: SubjectKind
  subjectId: string
  person: Person
}

/** A subject that possibly is an entry of a list. */
export interface SanctionsMatch {
  orgId: string
  matchId: string
  subjectKind: SubjectKind
  subjectId: string
  personKey: Buffer
  personSealed: Buffer
  source: ListSource
  entryId: string
  entry: ListEntry
  entryFingerprint: string
  versionId: string
  score: number
  status: MatchStatus
  reason: string | null
  decidedBy: string | null
  decidedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface ScreeningDeps {
  db: Database
  clock: Clock
  vault: Vault
  screeningKey: KeyRing
  sanctions: NameScreening
}

/** A payment that is not sent until the match is decided. */
export interface HeldPayment {
  paymentId: string
  amount: Money
  clientReference: string | null
  createdAt: Date
}

/** Payments depends on this domain, so its list is passed in. */
export type ListHeldPayments = (
  this: void,
  match: Pick<SanctionsMatch, 'orgId' | 'subjectKind' | 'subjectId'>,
  limit: number,
) => Promise<HeldPayment[]>

export interface MatchDeps {
  db: Database
  clock: Clock
  vault: Vault
  cursorKey: KeyRing
  changeControl: ChangeControl
  listHeldPayments: ListHeldPayments
}

export const matchContext = (matchId: string): string => `sanctions match ${matchId}`
