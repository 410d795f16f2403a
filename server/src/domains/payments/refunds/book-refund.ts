import { randomUUID } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import { isStaleVersion, isUniqueViolation } from '../../../kernel/db/errors.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { enqueueStatement } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import type { Money } from '../../../lib/money/money.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LoadedPayment, PaymentDeps, StoredAttempt } from '../record.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { exceptionTexts } from './errors.ts'
import { findRefundByProviderRef } from './reads.ts'
import type { Refund } from './record.ts'
import { superviseRefundJob } from './send-refund.ts'
import { isReversal } from '../lifecycle/rules.ts'
import { termsOfRefund } from './rules.ts'
import { insertRefund } from './store.ts'

type ReportedRefund = Pick<ProviderRefund, 'providerRef' | 'providerStatus' | 'state'> & { amount: Money }

/**
 * Books a refund that was made at the provider itself, as reported by the account that carries the payment. It is
 * written once per id of the provider and then advances like our own refunds; one that failed at once leaves no row.
 */
export async function bookRefund(
  deps: PaymentDeps,
  { orgId, paymentId }: { orgId: string; paymentId: string },
  reported: ReportedRefund,
  extraStatements: CompiledQuery[] = [],
): Promise<Refund | undefined> {
  const refund = await recordRefund(deps, { orgId, paymentId }, reported)
  if (refund === 'unmatched') {
    await deps.db.batchInOrg(orgId, [unmatched(orgId, paymentId, reported), ...extraStatements])
    return undefined
  }
  if (refund) {
    const { providerRef, providerStatus, state } = reported
    return applyRefundFact(
      deps,
      refund,
      { kind: 'accepted', providerRef, providerStatus, state },
      extraStatements,
    )
  }
  if (extraStatements.length > 0) await deps.db.batchInOrg(orgId, extraStatements)
  return undefined
}

function recordRefund(
  deps: PaymentDeps,
  { orgId, paymentId }: { orgId: string; paymentId: string },
  reported: ReportedRefund,
): Promise<Refund | 'unmatched' | undefined> {
  const write = async (): Promise<Refund | 'unmatched' | undefined> => {
    const loaded = await loadPayment(deps, orgId, paymentId)
    const attempt = loaded.attempts.find(({ state }) => state === 'succeeded')
    if (!attempt || reported.amount.currency !== loaded.payment.source.currency) return 'unmatched'
    const known = await findRefundByProviderRef(deps, attempt.accountId, reported.providerRef)
    if (known || isReversal(reported.state)) return known
    const refund = refundOf(deps, loaded, { attempt, reported })
    await changeStatus(deps, loaded, {
      status: loaded.payment.status,
      extraStatements: [
        insertRefund(orgId, refund),
        enqueueStatement(orgId, [superviseRefundJob(refund, refund.refundId)]),
      ],
    })
    return refund
  }
  return retryOnConflict('the payment', write, isRecordedMeanwhile)
}

const isRecordedMeanwhile = (error: unknown): boolean =>
  isStaleVersion(error) || isUniqueViolation(error, 'refunds_one_per_provider_ref')

const unmatched = (orgId: string, paymentId: string, { providerRef }: ReportedRefund): CompiledQuery =>
  insertException(orgId, {
    kind: 'refund_unmatched',
    paymentId,
    provider: null,
    findingKey: `refund_unmatched ${paymentId} ${providerRef}`,
    ...exceptionTexts.refund_unmatched,
  })

function refundOf(
  { clock }: PaymentDeps,
  { payment }: LoadedPayment,
  { attempt, reported }: { attempt: StoredAttempt; reported: ReportedRefund },
): Refund {
  const now = clock.now()
  const { amountMinor } = reported.amount
  return {
    orgId: payment.orgId,
    refundId: newId(),
    paymentId: payment.paymentId,
    origin: 'provider',
    amountMinor,
    currency: payment.source.currency,
    ...termsOfRefund(payment, amountMinor, null),
    reason: 'Refunded at the provider',
    state: 'accepted',
    approvalReason: null,
    reference: randomUUID(),
    provider: attempt.provider,
    accountId: attempt.accountId,
    providerRef: reported.providerRef,
    custody: payment.custody ?? 'pooled',
    failureCode: null,
    failureMessage: null,
    userId: 'provider',
    notFoundCount: 0,
    notFoundAt: null,
    version: 1,
    begunAt: now,
    createdAt: now,
    updatedAt: now,
  }
}
