import type { CompiledQuery } from 'kysely'
import type { Failure } from '../../../connectors/kit/state.ts'
import { insertTransfers } from '../../../kernel/ledger/transfers.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import type { LoadedPayment, Payment, PaymentDeps } from '../record.ts'
import type { PayinSums } from '../sums/record.ts'
import { exceeds } from '../sums/rules.ts'
import { refundPostings } from './build-refund-postings.ts'
import { notRefundableAnyMore } from './errors.ts'
import { isWaitingRefund, type Refund } from './record.ts'
import { selectRefunds, updateRefund } from './store.ts'

/** Nothing was sent, so its amount is available again. Fails when the refund or its payment changed since they were read. */
export async function closeWaitingRefund(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  refund: Refund,
  { failure, statements = [] }: { failure: Failure; statements?: CompiledQuery[] },
): Promise<{ loaded: LoadedPayment; refund: Refund }> {
  const { orgId } = refund
  const ended: Refund = {
    ...refund,
    state: 'failed',
    failureCode: failure.code,
    failureMessage: failure.message,
    version: refund.version + 1,
    updatedAt: deps.clock.now(),
  }
  const released = refundPostings(refund, ended)
  const { status, sums } = loaded.payment
  const left = await changeStatus(deps, loaded, {
    status,
    patch: { sums: { ...sums, refundingMinor: sums.refundingMinor - refund.amountMinor } },
    extraStatements: [
      updateRefund(orgId, refund.version, ended),
      ...(released.length > 0 ? [insertTransfers(orgId, released)] : []),
      ...statements,
    ],
  })
  return { loaded: left, refund: ended }
}

/**
 * A refund that waits gives way to what a provider does: where the two would exceed the payment, it ends first. Returns
 * the payment as it is then. `after` tells the sums that would be written to it.
 */
export async function yieldTo(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  after: (payment: Payment) => PayinSums,
): Promise<LoadedPayment> {
  const { orgId, paymentId, source, sums } = loaded.payment
  if (sums.refundingMinor === 0n || !exceeds({ source, sums: after(loaded.payment) })) return loaded
  const refunds = await deps.db.inOrg(orgId, (tx) => selectRefunds(tx, orgId, paymentId))
  const waiting = refunds.find(isWaitingRefund)
  if (!waiting) return loaded
  return (await closeWaitingRefund(deps, loaded, waiting, { failure: notRefundableAnyMore })).loaded
}
