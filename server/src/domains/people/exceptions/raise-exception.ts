import type { CompiledQuery } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import type { NewException } from './record.ts'
import { suggestedActions } from './describe-kinds.ts'
import { insertExceptionRow } from './store.ts'

/** A statement for the transaction that found the problem; raises it for manual review. */
export const insertException = (orgId: string, exception: NewException): CompiledQuery =>
  insertExceptionRow(orgId, {
    ...exception,
    exceptionId: exception.exceptionId ?? newId(),
    suggestedAction: suggestedActions[exception.kind],
  })
