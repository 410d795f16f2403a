import { ListUnavailable } from '../../../connectors/kit/replies.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { conflict } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { chooseAccount } from '../../providers/accounts/choose-account.ts'
import { custodyOf } from '../../providers/accounts/rules.ts'
import { compareAccount } from './compare-account.ts'
import { raiseFindings } from './raise-findings.ts'
import type { Difference, Reconciliation, ReconciliationDeps } from './record.ts'
import { differencesLimit, totalOf } from './rules.ts'
import { insertRun } from './store.ts'

/**
 * Run on request; callers see what concerns their organisation. On a shared account, transactions that match no
 * organisation are shown to the operator only.
 */
export async function reconcileNow(
  deps: ReconciliationDeps,
  caller: Caller,
  input: { provider: string; accountId: string | undefined; since: Date },
): Promise<Reconciliation> {
  const { provider, since } = input
  const { orgId: ownerId, accountId } = await chooseAccount(deps, caller.orgId, input)
  const account = { ownerId, accountId, provider }
  const startedAt = await deps.db.now()
  const isOperator = caller.permissions.has('platform:read')
  const isShown = (orgId: string): boolean => orgId === caller.orgId || (isOperator && orgId === ownerId)
  const raised: Difference[] = []
  const { checked: counts } = await compareAccount(deps, account, {
    since,
    async settle(differences) {
      const concerned = differences.filter(({ orgId }) => orgId === caller.orgId || orgId === ownerId)
      raised.push(...concerned.slice(0, differencesLimit - raised.length))
      return []
    },
  }).catch(asRefusal)
  await raiseFindings(deps, account, raised)
  const checked = totalOf(new Map([...counts].filter(([orgId]) => isShown(orgId))))
  const findings = raised.filter(({ orgId }) => isShown(orgId)).map(({ finding }) => finding)
  await deps.db.batchInOrg(caller.orgId, [
    auditStatement(caller, caller.orgId, {
      action: 'reconciliation.run',
      resourceType: 'provider',
      resourceId: provider,
      after: { checked, findings: findings.length },
    }),
    insertRun(caller.orgId, {
      runId: newId(),
      provider,
      accountId,
      origin: 'requested',
      requestedBy: caller.userId,
      since,
      status: 'completed',
      checked,
      findings: findings.length,
      startedAt,
      finishedAt: await deps.db.now(),
    }),
  ])
  return { provider, since, checked, custody: custodyOf({ orgId: ownerId }), findings }
}

function asRefusal(error: unknown): never {
  throw error instanceof ListUnavailable
    ? conflict(
        'The provider gave no list of its transactions. Check the keys of the account, then try again.',
      )
    : error
}
