import { randomUUID } from 'node:crypto'
import { notInTime } from '../../../connectors/kit/noted-refunds.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import { enqueueStatement } from '../../../kernel/engine/outbox.ts'
import { isRefundBeyond, isStaleVersion, isUniqueViolation } from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { monotonicMs } from '../../../lib/clock.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import type { Money } from '../../../lib/money/money.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import { asUncovered } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LoadedPayment, Payment, PaymentDeps, StoredAttempt } from '../record.ts'
import { targetPartOf } from '../lifecycle/rules.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { refundHoldStatements } from './build-refund-postings.ts'
import {
  disputedPayment,
  moreThanLeft,
  notRefundable,
  otherCurrency,
  refundUnderWay,
  tooSmall,
} from './errors.ts'
import type { Refund } from './record.ts'
import { leftMinor, takenMinor } from '../sums/rules.ts'
import { sourceAmountOf, termsOfRefund } from './rules.ts'
import { insertRefund } from './store.ts'

/** Refunds a payment fully or partly. The refund is stored before it is sent, under its own reference. */
export async function refundPayment(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string; amount: Money | undefined; reason: string },
): Promise<Refund> {
  const stored = await retryOnConflict('the payment', async () => {
    const loaded = await loadPayment(deps, caller.orgId, input.paymentId)
    const { attempt, connector } = await refundable(deps, loaded)
    const left = leftMinor(loaded.payment)
    const amountMinor = input.amount ? amountToRefund(loaded.payment, input.amount) : left
    if (amountMinor > left || left === 0n) throw refusalOf(loaded.payment)
    if (amountMinor <= 0n) throw tooSmall(loaded.payment.source.currency)
    const refund = newRefund(deps, caller, loaded, {
      provider: attempt.provider,
      accountId: attempt.accountId,
      reason: input.reason,
      amountMinor,
    })
    // Taken before the database stamps the refund, so it is over before the deadline that others judge by.
    const sendBeforeMs = monotonicMs(deps.clock) + deps.sendDeadlineMs
    await writeRefund(deps, caller, loaded, refund)
    return { loaded, attempt, connector, refund, sendBeforeMs }
  })
  const { loaded, connector, refund } = stored
  const outcome = await sendRefund(deps, connector, loaded, stored)
  return applyRefundFact(deps, refund, outcome).catch((error: unknown) => {
    // The refund may have been sent, so the caller gets it in doubt and the engine polls the provider.
    const { orgId, refundId } = refund
    deps.log.error({ err: error, orgId, refundId }, 'the outcome of a refund could not be written')
    return refund
  })
}

/** In the currency that was collected. An amount in the target currency is what the refund may cost at most. */
function amountToRefund(payment: Payment, { amountMinor, currency }: Money): bigint {
  const { source, target } = payment
  if (currency === source.currency) return amountMinor
  if (currency !== target.currency) throw otherCurrency(source.currency, target.currency)
  if (amountMinor > target.amountMinor - targetPartOf(payment, takenMinor(payment.sums)))
    throw refusalOf(payment)
  return sourceAmountOf(payment, amountMinor)
}

/** The rest of the payment is less than the refund, because of earlier refunds, of one under way, or of a dispute. */
function refusalOf({ sums }: Payment): Error {
  if (sums.disputedMinor > 0n || sums.withdrawnMinor > sums.returnedMinor) return disputedPayment()
  return sums.refundingMinor > 0n ? refundUnderWay() : moreThanLeft()
}

async function refundable(
  deps: PaymentDeps,
  { payment, attempts }: LoadedPayment,
): Promise<{ attempt: StoredAttempt; connector: Connector }> {
  if (payment.direction !== 'inbound') throw notRefundable('Only payins can be refunded.')
  if (payment.status !== 'completed')
    throw notRefundable(`A payment that is ${payment.status} cannot be refunded; it must be completed.`)
  const attempt = attempts.find((candidate) => candidate.state === 'succeeded')
  const connector = attempt && (await deps.connectors.load(payment.orgId, attempt.accountId))
  if (!attempt || !connector?.refund) throw notRefundable('The provider of this payment cannot refund it.')
  return { attempt, connector }
}

function newRefund(
  deps: PaymentDeps,
  caller: Caller,
  { payment }: LoadedPayment,
  terms: Pick<Refund, 'provider' | 'accountId' | 'reason' | 'amountMinor'>,
): Refund {
  const now = deps.clock.now()
  return {
    ...terms,
    orgId: payment.orgId,
    refundId: newId(),
    paymentId: payment.paymentId,
    origin: 'api',
    ...termsOfRefund(payment, terms.amountMinor),
    currency: payment.source.currency,
    state: 'sending',
    reference: randomUUID(),
    providerRef: null,
    custody: payment.custody ?? 'pooled',
    failureCode: null,
    failureMessage: null,
    userId: caller.userId,
    notFoundCount: 0,
    notFoundAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * The database refuses a second open refund. Returns false when the payment changed since it was read: then the
 * refundable rest is computed again, or a refund that ended in between would be paid twice.
 */
async function writeRefund(
  deps: PaymentDeps,
  caller: Caller,
  loaded: LoadedPayment,
  refund: Refund,
): Promise<void> {
  const extraStatements = [
    insertRefund(refund.orgId, refund),
    enqueueStatement(refund.orgId, [
      {
        ...superviseRefundJob(refund, refund.refundId),
        due: { inMs: deps.pollSchedule.refundFirstMs },
      },
    ]),
    auditStatement(caller, refund.orgId, {
      action: 'payment.refund',
      resourceType: 'payment',
      resourceId: refund.paymentId,
      after: { refund_id: refund.refundId, reason: refund.reason },
    }),
    ...refundHoldStatements(refund),
  ]
  try {
    const { status, sums } = loaded.payment
    const refundingMinor = sums.refundingMinor + refund.amountMinor
    await changeStatus(deps, loaded, {
      status,
      patch: { sums: { ...sums, refundingMinor } },
      extraStatements,
    })
  } catch (error) {
    if (isStaleVersion(error)) throw error
    if (isUniqueViolation(error, 'refunds_one_open')) throw refundUnderWay()
    if (isRefundBeyond(error)) throw refusalOf(loaded.payment)
    throw asUncovered(error, { amountMinor: refund.debitMinor, currency: refund.debitCurrency })
  }
}

export const superviseRefundJob = (refund: { orgId: string; refundId: string }, outboxId: string) => ({
  outboxId,
  service: 'Refunds',
  handler: 'supervise',
  payload: { orgId: refund.orgId, refundId: refund.refundId },
})

async function sendRefund(
  deps: PaymentDeps,
  connector: Connector,
  loaded: LoadedPayment,
  sending: { attempt: StoredAttempt; refund: Refund; sendBeforeMs: number },
) {
  const { attempt, refund, sendBeforeMs } = sending
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
