import type { Database } from '../../../../kernel/db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Log } from '../../../../lib/log.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'

/** Whose data is erased some time after their payments have ended. */
export const retainedPeople = ['payer', 'beneficiary'] as const
export type RetainedPeople = (typeof retainedPeople)[number]

/** The retention of each kind in days; undefined means for ever. */
export interface RetentionDays {
  payer: number | undefined
  beneficiary: number | undefined
  kyb: number | undefined
  /** Of whoever was confirmed to be on a sanctions list. */
  screening: number
  mail: number | undefined
  requestLog: number
}

/** How far an organisation's payments of a kind were gone through. */
export interface RetentionMark {
  /** Everything that was created before it is erased. */
  doneBefore: Date
  /** How many records were erased in all. */
  erased: number
}

export interface RetentionDeps {
  db: Database
  clock: Clock
  log: Log
  vault: Vault
  retention: RetentionDays
}
