import type { CompiledQuery } from 'kysely'
import type { DepositDeps } from '../virtual-accounts/deposits/receive-deposit.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import type { PaymentDeps } from '../payments/record.ts'
import { receiveArrival } from '../provider-webhooks/receive-arrival.ts'
import type { Compared } from './compare-account.ts'
import { findingKeyOf, type Finding } from './rules.ts'
import type { Account } from './store.ts'

export type ReconciliationDeps = PaymentDeps & DepositDeps

/**
 * Each difference is an exception of whom it concerns. Only a deposit is also booked, in the same transaction: money
 * that has arrived is always written down.
 */
export async function raiseFindings(
  deps: ReconciliationDeps,
  { ownerId, provider }: Account,
  compared: readonly Compared[],
): Promise<void> {
  for (const { orgId, finding } of compared) {
    if (!finding) continue
    const { deposit } = finding
    const extraStatements = [exceptionFor(orgId, provider, finding)]
    if (deposit)
      await receiveArrival(deps, { ownerId, provider, deposit, by: 'reconciliation', extraStatements })
    else await deps.db.batchAcrossOrgs(extraStatements)
  }
}

const exceptionFor = (orgId: string, provider: string, finding: Finding): CompiledQuery =>
  insertException(orgId, {
    kind: finding.kind,
    paymentId: finding.paymentId,
    provider,
    summary: finding.summary,
    suggestedAction: finding.suggestedAction,
    findingKey: findingKeyOf(provider, finding),
  })
