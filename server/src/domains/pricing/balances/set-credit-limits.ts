import { runStatements, type Database, type Tx } from '../../../kernel/db/database.ts'
import { assertCovered, shortfallOf } from '../../../kernel/ledger/available.ts'
import { account } from '../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import { limitInUse } from './errors.ts'
import type { CreditLimit } from './record.ts'
import { toCreditLimit } from './schema.ts'
import { replaceCreditLimitsAcrossOrgs, selectCreditLimits } from './store.ts'

/** Replaces all limits of an organisation. A limit below what the organisation already owes is refused. */
export async function setCreditLimits(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; limits: CreditLimit[] },
): Promise<CreditLimit[]> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  await getOrganizationById(deps, orgId)
  await deps.db.acrossOrgs(async (tx) => {
    const before = await selectCreditLimits(tx, orgId)
    await replaceCreditLimitsAcrossOrgs(tx, orgId, input.limits)
    await assertLimitsHold(tx, orgId, [...before, ...input.limits])
    await recordAudit(tx, caller, orgId, {
      action: 'credit-limit.set',
      resourceType: 'credit-limit',
      resourceId: orgId,
      before: { limits: before.map(toCreditLimit) },
      after: { limits: input.limits.map(toCreditLimit) },
    })
  })
  return input.limits
}

/** In the order of currencies, which is then the order of their locks. */
async function assertLimitsHold(tx: Tx, orgId: string, changed: readonly CreditLimit[]): Promise<void> {
  const currencies = [...new Set(changed.map(({ currency }) => currency))].sort()
  for (const currency of currencies)
    await runStatements(tx, [assertCovered(orgId, { account: account.available('pooled'), currency })]).catch(
      (error: unknown) => {
        const shortfall = shortfallOf(error)
        throw shortfall ? limitInUse(currency, shortfall) : error
      },
    )
}
