import type { CompiledQuery } from 'kysely'
import { insertException } from '../exceptions/raise-exception.ts'
import { receiveArrival } from '../provider-webhooks/receive-arrival.ts'
import type { Account, Finding, Compared, ReconciliationDeps } from './record.ts'
import { findingKeyOf } from './rules.ts'

/**
 * Raises an exception for each difference in the organisation that it concerns. A missed deposit is also booked, in
 * the same transaction.
 */
export async function raiseFindings(
  deps: ReconciliationDeps,
  { ownerId, accountId, provider }: Account,
  compared: readonly Compared[],
): Promise<void> {
  for (const { orgId, finding } of compared) {
    if (!finding) continue
    const { deposit } = finding
    const extraStatements = [exceptionFor(orgId, provider, finding)]
    if (deposit) {
      const account = { orgId: ownerId, accountId, provider }
      await receiveArrival(deps, { account, deposit, by: 'reconciliation', extraStatements })
    } else await deps.db.batchAcrossOrgs(extraStatements)
  }
}

const exceptionFor = (orgId: string, provider: string, finding: Finding): CompiledQuery =>
  insertException(orgId, {
    kind: finding.kind,
    paymentId: finding.paymentId,
    provider,
    summary: finding.summary,
    findingKey: findingKeyOf(provider, finding),
  })
