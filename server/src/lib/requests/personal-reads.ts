import type { Caller } from './access.ts'

/** A request whose answer showed personal data in full. */
export interface PersonalRead {
  caller: Caller
  /** Whose data it was. */
  orgId: string
  /** The pattern of the path, such as /v1/beneficiaries/:beneficiary_id. */
  route: string
  /** The values in the path; empty for a list. */
  ids: readonly string[]
}

export interface PersonalReads {
  /** Returns at once; what it records is written later. */
  record(read: PersonalRead): void
  flush(): Promise<void>
  close(): Promise<void>
}
