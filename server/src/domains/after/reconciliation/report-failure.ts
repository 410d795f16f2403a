import { insertException } from '../../people/exceptions/raise-exception.ts'
import type { Account, ReconciliationDeps } from './record.ts'

/** Without this exception nobody would notice that an account is no longer reconciled. */
export async function reportFailure(
  deps: ReconciliationDeps,
  { ownerId, accountId, provider }: Account,
): Promise<void> {
  await deps.db.batchAcrossOrgs([
    insertException(ownerId, {
      kind: 'reconciliation_failed',
      paymentId: null,
      provider,
      summary: `The transactions of ${provider} could not be compared with ours last night.`,
      findingKey: `reconciliation_failed ${provider} ${accountId}`,
    }),
  ])
}
