import type { CompiledQuery } from 'kysely'
import { dropStatement } from '../../engine/outbox.ts'
import { wakeForDeliveries } from '../webhooks/publish-events.ts'
import { eventsFor } from './build-events.ts'
import type { LoadedPayment, Payment } from './record.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { isSettled, movesTo, type Status } from './rules.ts'
import { writeChange } from './write-change.ts'

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
      | 'provider'
      | 'providerPaymentId'
      | 'providerStatus'
    >
  >
  /** A provider has taken the payment, for the first time. */
  firstAcceptance?: boolean
  extraStatements?: CompiledQuery[]
}

/** What was decided on a payment, with all that follows from it. A payment that moved meanwhile is left alone. */
export async function changeStatus(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  change: StatusPatch,
): Promise<LoadedPayment> {
  const { payment } = loaded
  const moves = movesTo(payment.status, change.status)
  const now = deps.clock.now()
  const patched: Payment = { ...payment, ...change.patch, status: change.status, updatedAt: now }
  const events = eventsFor({
    previous: payment.status,
    payment: patched,
    moves,
    firstAcceptance: change.firstAcceptance ?? false,
  })
  const written = { ...patched, version: payment.version + 1, eventCount: payment.eventCount + events.length }
  const hasEnded = isSettled(written.status) && !isSettled(payment.status)
  const results = await deps.db.batchInOrg(payment.orgId, [
    ...writeChange(deps, payment, written, events),
    ...(hasEnded ? [dropStatement(payment.orgId, payment.paymentId)] : []),
    ...(change.extraStatements ?? []),
  ])
  wakeForDeliveries(deps.db, results)
  return { payment: written, attempts: loaded.attempts }
}
