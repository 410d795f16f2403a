import { notInTime } from '../../../connectors/kit/noted-refunds.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import { monotonicMs } from '../../../lib/clock.ts'
import type { LoadedPayment, PaymentDeps, StoredAttempt } from '../record.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { notRefundable } from './errors.ts'
import type { Refund } from './record.ts'

/** What carries the refund: the attempt that collected the payment, and the connector of its account. */
interface RefundRoute {
  attempt: StoredAttempt
  connector: Connector
}

/** Refuses a payment that cannot be refunded. */
export async function findRefundRoute(
  deps: PaymentDeps,
  { payment, attempts }: LoadedPayment,
): Promise<RefundRoute> {
  if (payment.direction !== 'inbound') throw notRefundable('Only payins can be refunded.')
  if (payment.status !== 'completed')
    throw notRefundable(`A payment that is ${payment.status} cannot be refunded; it must be completed.`)
  const attempt = attempts.find((candidate) => candidate.state === 'succeeded')
  const connector = attempt && (await deps.connectors.load(payment.orgId, attempt.accountId))
  if (!attempt || !connector?.refund) throw notRefundable('The provider of this payment cannot refund it.')
  return { attempt, connector }
}

export interface StoredRefund extends RefundRoute {
  loaded: LoadedPayment
  refund: Refund
  /** By the monotonic clock; past it the refund may have been given up for a new one. */
  sendBeforeMs: number
}

/** Sends a refund that is stored as `sending`, and writes the outcome. */
export async function sendRefund(deps: PaymentDeps, stored: StoredRefund): Promise<Refund> {
  const { refund } = stored
  const outcome = await callProvider(deps, stored)
  return applyRefundFact(deps, refund, outcome).catch((error: unknown) => {
    // The refund may have been sent, so the caller gets it in doubt and the engine polls the provider.
    const { orgId, refundId } = refund
    deps.log.error({ err: error, orgId, refundId }, 'the outcome of a refund could not be written')
    return refund
  })
}

async function callProvider(deps: PaymentDeps, stored: StoredRefund) {
  const { loaded, attempt, connector, refund, sendBeforeMs } = stored
  if (!connector.refund) return { kind: 'not_sent' as const, reason: 'the provider cannot refund' }
  // This process may have been suspended; past the deadline the refund may have been given up for a new one.
  const isInTime = (): boolean => monotonicMs(deps.clock) < sendBeforeMs
  if (!isInTime()) return notInTime
  try {
    const request = { ...refundRequest(loaded, refund), isInTime }
    return await connector.refund(toConnectorAttempt(loaded.payment, attempt), request)
  } catch (error) {
    deps.log.error(
      { err: error, provider: refund.provider, paymentId: refund.paymentId },
      'a connector threw',
    )
    return { kind: 'unknown' as const, reason: 'the connector failed' }
  }
}

export const refundRequest = (loaded: LoadedPayment, refund: Refund) => ({
  reference: refund.reference,
  providerRef: refund.providerRef,
  amount: { amountMinor: refund.amountMinor, currency: refund.currency },
  isPartial: refund.amountMinor < loaded.payment.source.amountMinor,
})

export const superviseRefundJob = (refund: { orgId: string; refundId: string }, outboxId: string) => ({
  outboxId,
  service: 'Refunds',
  handler: 'supervise',
  payload: { orgId: refund.orgId, refundId: refund.refundId },
})

/** The engine asks about it until it ends. */
export const superviseNewRefund = ({ pollSchedule }: PaymentDeps, refund: Refund) => ({
  ...superviseRefundJob(refund, refund.refundId),
  due: { inMs: pollSchedule.refundFirstMs },
})
