import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import type { Money } from '../../../../lib/money/money.ts'
import type { ChangeControl } from '../../../people/change-requests/record.ts'
import type { ListEntry, MatchSource, NameScreening, Person } from '../record.ts'

export const subjectKinds = ['beneficiary', 'payer', 'depositor', 'kyb'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export const matchStatuses = ['open', 'cleared', 'confirmed'] as const
export type MatchStatus = (typeof matchStatuses)[number]

/** Whom to screen: a beneficiary, the payer of a payment, the sender of a deposit, or a person of a verification. */
export interface Subject {
  kind: SubjectKind
  subjectId: string
  person: Person
}

/** Everybody whom a payment is from or to, and their accounts, phone numbers, e-mail addresses and wallets. */
export interface Parties {
  subjects: readonly Subject[]
  identifiers: readonly Identifier[]
}

/** What a person is found by under any name. */
export interface Identifier {
  kind: 'account' | 'iban' | 'phone' | 'email' | 'wallet'
  value: string
}

/** A subject that possibly is an entry of a list. */
export interface SanctionsMatch {
  orgId: string
  matchId: string
  subjectKind: SubjectKind
  subjectId: string
  personKey: Buffer
  personSealed: Buffer
  identifierKeys: Buffer[]
  source: MatchSource
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

/** That everybody in a payment, or who sent a deposit, was compared with the lists. It holds no names. */
export interface ScreeningRecord {
  subjectId: string
  screeningId: string
  personKeys: Buffer[]
  identifierKeys: Buffer[]
  listVersions: string[]
  listsPublishedAt: Date | null
  verdict: Verdict
}

/** The worst of all parties. */
export type Verdict = 'clear' | 'open' | 'confirmed'

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
