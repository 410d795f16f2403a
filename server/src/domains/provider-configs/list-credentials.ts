import type { Caller } from '../../lib/access.ts'
import type { CredentialDeps, CredentialSummary } from './record.ts'
import { webhookUrlOf } from './rules.ts'
import { selectCredentials } from './store.ts'

/** The providers that can be used and their webhook addresses, without the credentials. */
export async function listCredentials(
  deps: Pick<CredentialDeps, 'db' | 'publicUrl' | 'webhookKey'>,
  caller: Caller,
): Promise<CredentialSummary[]> {
  const rows = await deps.db.inOrg(caller.orgId, (tx) => selectCredentials(tx, caller.orgId))
  return rows.map((row) => summaryOf(deps, row))
}

export const summaryOf = (
  deps: Pick<CredentialDeps, 'publicUrl' | 'webhookKey'>,
  stored: { orgId: string; provider: string; updatedAt: Date },
): CredentialSummary => ({
  orgId: stored.orgId,
  provider: stored.provider,
  webhookUrl: webhookUrlOf(deps, stored.orgId, stored.provider),
  updatedAt: stored.updatedAt,
})
