import type { CompiledQuery } from 'kysely'
import type { ExceptionKind } from './describe-kinds.ts'
import { closeExceptionsOf } from './store.ts'

/**
 * A statement for the transaction that settles what the exceptions of a payment are about. Nobody closed them when the
 * provider's word did. Exceptions that hold money are closed by releasing it.
 */
export const settleExceptions = (
  orgId: string,
  settled: {
    paymentId: string
    kinds: readonly ExceptionKind[]
    resolution: string
    closedBy: string | null
  },
): CompiledQuery => closeExceptionsOf(orgId, settled)
