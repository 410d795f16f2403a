import { randomUUID } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import { enqueueStatement } from '../../../kernel/engine/outbox.ts'
import {
  isOutflowLimit,
  isRefundBeyond,
  isStaleVersion,
  isUniqueViolation,
} from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { monotonicMs } from '../../../lib/clock.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import type { Money } from '../../../lib/money/money.ts'
import { checkApproval, type ApprovalDeps } from '../../pricing/approval-policies/check-approval.ts'
import type { ApprovalCause, Outflow } from '../../pricing/approval-policies/record.ts'
import { describeCause } from '../../pricing/approval-policies/rules.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import { asUncovered } from '../errors.ts'
import { dailyWindowMs, findReachedDaily } from '../initiation/check-outflow.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LoadedPayment, Payment, PaymentDeps } from '../record.ts'
import { targetPartOf } from '../lifecycle/rules.ts'
import { assertOutflowBelow } from '../store.ts'
import { refundHoldStatements } from './build-refund-postings.ts'
import { disputedPayment, moreThanLeft, otherCurrency, refundUnderWay, tooSmall } from './errors.ts'
import { announceRefund } from './notify-approvers.ts'
import { findMarketRate, type RefundPriceDeps } from './price-refund.ts'
import { costMinor, isWaitingRefund, type Refund } from './record.ts'
import { leftMinor, takenMinor } from '../sums/rules.ts'
import { amountFor, sourceAmountOf, termsOfRefund } from './rules.ts'
import { screenBeforeRefund } from './screen-refund.ts'
import { findRefundRoute, sendRefund, superviseNewRefund, type StoredRefund } from './send-refund.ts'
import { insertRefund } from './store.ts'

export type RefundDeps = PaymentDeps & ApprovalDeps & RefundPriceDeps

/**
 * Refunds a payment fully or partly. The refund is stored before it is sent, under its own reference, or waits for
 * approval.
 */
export async function refundPayment(
  deps: RefundDeps,
  caller: Caller,
  input: { paymentId: string; amount: Money | undefined; reason: string },
): Promise<Refund> {
  const stored = await retryOnConflict('the payment', async (): Promise<StoredRefund> => {
    const loaded = await loadPayment(deps, caller.orgId, input.paymentId)
    const route = await findRefundRoute(deps, loaded)
    await screenBeforeRefund(deps, loaded)
    const left = leftMinor(loaded.payment)
    const marketRate = await findMarketRate(deps, loaded)
    const amountMinor = input.amount ? amountToRefund(loaded.payment, input.amount, marketRate) : left
    if (amountMinor > left || left === 0n) throw refusalOf(loaded.payment)
    if (amountMinor <= 0n) throw tooSmall(loaded.payment.source.currency)
    const { provider, accountId } = route.attempt
    const terms = { provider, accountId, reason: input.reason, amountMinor, marketRate }
    const refund = newRefund(deps, caller, loaded, terms)
    // Taken before the database stamps the refund, so it is over before the deadline that others judge by.
    const sendBeforeMs = monotonicMs(deps.clock) + deps.sendDeadlineMs
    return { ...route, loaded, sendBeforeMs, refund: await writeWithApproval(deps, caller, loaded, refund) }
  })
  return isWaitingRefund(stored.refund) ? stored.refund : sendRefund(deps, stored)
}

/**
 * Writes a refund that is sent now, or one that waits. Its amounts decide, and the refunds of the last 24 hours, which
 * are checked in the transaction that writes it: two refunds at the same moment count each other.
 */
async function writeWithApproval(
  deps: RefundDeps,
  caller: Caller,
  loaded: LoadedPayment,
  refund: Refund,
): Promise<Refund> {
  const { orgId } = refund
  const outflow = outflowOf(refund)
  const approval = await checkApproval(deps, orgId, outflow, 'refund')
  const writeWaiting = async (cause: ApprovalCause): Promise<Refund> => {
    const waiting: Refund = {
      ...refund,
      // It is priced when it is approved: whoever could wait with a price would approve it only if the rate has moved.
      marketRate: null,
      differenceMinor: 0n,
      state: 'awaiting_approval',
      approvalReason: describeCause(cause),
    }
    const notices = await announceRefund(deps, waiting, caller)
    await writeRefund(deps, caller, loaded, { refund: waiting, statements: notices })
    return waiting
  }
  if (approval.cause) return writeWaiting(approval.cause)
  const since = new Date(refund.createdAt.getTime() - dailyWindowMs)
  const guards = approval.dailyLimits.map((limit) => assertOutflowBelow(orgId, since, limit))
  const job = enqueueStatement(orgId, [superviseNewRefund(deps, refund)])
  try {
    await writeRefund(deps, caller, loaded, { refund, statements: [job, ...guards] })
    return refund
  } catch (error) {
    const [limit] = approval.dailyLimits
    if (!isOutflowLimit(error) || !limit) throw error
    const reached = await findReachedDaily(deps, orgId, outflow, approval.dailyLimits)
    return writeWaiting(reached ?? { kind: 'daily', policy: limit.policy })
  }
}

const outflowOf = (refund: Refund): Outflow => ({
  source: { amountMinor: refund.amountMinor, currency: refund.currency },
  target: { amountMinor: costMinor(refund), currency: refund.debitCurrency },
})

/** In the currency that was collected. An amount in the target currency is what the refund may cost at most. */
function amountToRefund(
  payment: Payment,
  { amountMinor, currency }: Money,
  marketRate: string | null,
): bigint {
  const { source, target } = payment
  if (currency === source.currency) return amountMinor
  if (currency !== target.currency) throw otherCurrency(source.currency, target.currency)
  if (marketRate !== null) return amountFor(marketRate, amountMinor)
  if (amountMinor > target.amountMinor - targetPartOf(payment, takenMinor(payment.sums)))
    throw refusalOf(payment)
  return sourceAmountOf(payment, amountMinor)
}

/** The rest of the payment is less than the refund, because of earlier refunds, of one under way, or of a dispute. */
function refusalOf({ sums }: Payment): Error {
  if (sums.disputedMinor > 0n || sums.withdrawnMinor > sums.returnedMinor) return disputedPayment()
  return sums.refundingMinor > 0n ? refundUnderWay() : moreThanLeft()
}

function newRefund(
  { clock }: PaymentDeps,
  caller: Caller,
  { payment }: LoadedPayment,
  terms: Pick<Refund, 'provider' | 'accountId' | 'reason' | 'amountMinor' | 'marketRate'>,
): Refund {
  const now = clock.now()
  return {
    ...terms,
    orgId: payment.orgId,
    refundId: newId(),
    paymentId: payment.paymentId,
    origin: 'api',
    ...termsOfRefund(payment, terms.amountMinor, terms.marketRate),
    currency: payment.source.currency,
    state: 'sending',
    approvalReason: null,
    reference: randomUUID(),
    providerRef: null,
    custody: payment.custody ?? 'pooled',
    failureCode: null,
    failureMessage: null,
    userId: caller.userId,
    notFoundCount: 0,
    notFoundAt: null,
    version: 1,
    begunAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

/** The database refuses a second refund that has not ended, and one beyond what is left of the payment. */
async function writeRefund(
  deps: PaymentDeps,
  caller: Caller,
  loaded: LoadedPayment,
  { refund, statements }: { refund: Refund; statements: readonly CompiledQuery[] },
): Promise<void> {
  const extraStatements = [
    insertRefund(refund.orgId, refund),
    auditStatement(caller, refund.orgId, {
      action: 'payment.refund',
      resourceType: 'payment',
      resourceId: refund.paymentId,
      after: {
        refund_id: refund.refundId,
        reason: refund.reason,
        ...(isWaitingRefund(refund) && { status: refund.state }),
      },
    }),
    ...refundHoldStatements(refund),
    ...statements,
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
    throw asUncovered(error, { amountMinor: costMinor(refund), currency: refund.debitCurrency })
  }
}
