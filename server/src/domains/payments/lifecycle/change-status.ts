import type { CompiledQuery } from 'kysely'
import { wakeForDeliveries } from '../../events/webhooks/publish-events.ts'
import { planChange } from './plan-change.ts'
import type { LoadedPayment, Payment, PaymentDeps } from '../record.ts'
import { movesTo, type Status } from './rules.ts'

export interface StatusPatch {
  status: Status
  patch?: Partial<
    Pick<
      Payment,
      | 'comments'
      | 'failureCode'
      | 'failureMessage'
      | 'nextAction'
      | 'refundedMinor'
      | 'sums'
      | 'provider'
      | 'providerPaymentId'
      | 'providerStatus'
    >
  >
  /** A provider has accepted the payment for the first time. */
  isFirstAcceptance?: boolean
  /** Further rows of the same transaction, such as an audit entry. */
  extraStatements?: CompiledQuery[]
}

/** Writes a decision about a payment with all its consequences. Fails when the payment changed since it was loaded. */
export async function changeStatus(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  change: StatusPatch,
): Promise<LoadedPayment> {
  const before = loaded.payment
  const { payment, statements } = planChange(deps, {
    before,
    after: { ...before, ...change.patch, status: change.status, updatedAt: deps.clock.now() },
    moves: movesTo(before.status, change.status),
    isFirstAcceptance: change.isFirstAcceptance ?? false,
  })
  const results = await deps.db.batchInOrg(before.orgId, [...statements, ...(change.extraStatements ?? [])])
  wakeForDeliveries(deps.db, results)
  return { payment, attempts: loaded.attempts }
}
