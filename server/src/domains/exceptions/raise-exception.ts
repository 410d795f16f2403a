import type { CompiledQuery } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { NewException } from './record.ts'
import { insertExceptionRow } from './store.ts'

/** A statement for the transaction of what caused it: something for a person to look at. */
export const insertException = (orgId: string, exception: NewException): CompiledQuery =>
  insertExceptionRow(orgId, { ...exception, exceptionId: exception.exceptionId ?? newId() })
