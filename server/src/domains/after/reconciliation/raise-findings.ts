import type { CompiledQuery } from 'kysely'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { receiveArrival } from '../provider-webhooks/receive-arrival.ts'
import { checkEndedPayment } from '../../payments/supervision/check-ended-payment.ts'
import type { Account, Difference, Finding, FindingKind, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'

/**
 * Raises an exception for each difference in the organisation that it concerns. A missed deposit is also booked, in
 * the same transaction; a missed reversal or refund by asking the provider about the payment.
 */
export async function raiseFindings(
  deps: ReconciliationDeps,
  { ownerId, accountId, provider }: Account,
  differences: readonly Difference[],
): Promise<void> {
  for (const { orgId, finding } of differences) {
    const { deposit, paymentId } = finding
    // The provider's answer to a question at the account that carries the payment counts as its report, as docs/reconciliation.md describes.
    if (paymentId !== null && bookedByInquiry.includes(finding.kind))
      await checkEndedPayment(deps, { orgId, paymentId, isReported: true })
    const extraStatements = [exceptionFor(orgId, provider, finding)]
    if (deposit) {
      const account = { orgId: ownerId, accountId, provider }
      await receiveArrival(deps, { account, deposit, by: 'reconciliation', extraStatements })
    } else await deps.db.batchAcrossOrgs(extraStatements)
  }
}

const bookedByInquiry: readonly FindingKind[] = ['reversal_missed', 'refund_missed']

const exceptionFor = (orgId: string, provider: string, finding: Finding): CompiledQuery =>
  insertException(orgId, {
    kind: finding.kind,
    paymentId: finding.paymentId,
    provider,
    summary: finding.summary,
    findingKey: findingKeyOf(provider, finding),
  })
