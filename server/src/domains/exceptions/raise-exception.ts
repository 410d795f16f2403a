import type { CompiledQuery } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { Money } from '../../lib/money.ts'
import { insertExceptionRow } from './store.ts'

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

/** A statement for the transaction of what caused it: something for a person to look at. */
export const insertException = (orgId: string, exception: NewException): CompiledQuery =>
  insertExceptionRow(orgId, { ...exception, exceptionId: exception.exceptionId ?? newId() })
