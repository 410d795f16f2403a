import { z } from 'zod'
import { runStatements, type Database, type Tx } from '../../../kernel/db/database.ts'
import { assertCovered, shortfallOf } from '../../../kernel/ledger/available.ts'
import { account } from '../../../kernel/ledger/transfers.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getOrganizationById } from '../../people/organizations/reads.ts'
import type { ChangeApplier, ChangeControl, MaybeHeld } from '../../people/change-requests/record.ts'
import { limitInUse } from './errors.ts'
import type { CreditLimit } from './record.ts'
import { describeLimits, isRaised } from './rules.ts'
import { toCreditLimit } from './schema.ts'
import { replaceCreditLimitsAcrossOrgs, selectCreditLimits } from './store.ts'

/**
 * Replaces all limits of an organisation. A limit below what the organisation already owes is refused, and a higher one
 * waits for a second operator.
 */
export async function setCreditLimits(
  deps: { db: Database; changeControl: ChangeControl },
  caller: Caller,
  input: { orgId: string; limits: CreditLimit[] },
): Promise<MaybeHeld<CreditLimit[]>> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { name } = await getOrganizationById(deps, orgId)
  return deps.db.acrossOrgs(async (tx) => {
    const before = await selectCreditLimits(tx, orgId)
    const held = isRaised(before, input.limits)
      ? await deps.changeControl.holdForOperators(tx, caller, {
          orgId,
          kind: 'credit-limits.set',
          payload: { limits: input.limits.map(toRequested) },
          summary: `Credit limits of ${name}: ${describeLimits(input.limits)} instead of ${describeLimits(before)}.`,
        })
      : undefined
    if (held) return { held }
    await writeLimits(tx, caller, orgId, input.limits)
    return { done: input.limits }
  })
}

async function writeLimits(
  tx: Tx,
  caller: Caller,
  orgId: string,
  limits: readonly CreditLimit[],
): Promise<void> {
  const before = await selectCreditLimits(tx, orgId)
  await replaceCreditLimitsAcrossOrgs(tx, orgId, limits)
  await assertLimitsHold(tx, orgId, [...before, ...limits])
  await recordAudit(tx, caller, orgId, {
    action: 'credit-limit.set',
    resourceType: 'credit-limit',
    resourceId: orgId,
    before: { limits: before.map(toCreditLimit) },
    after: { limits: limits.map(toCreditLimit) },
  })
}

const requestedLimits = z.object({
  limits: z.array(z.object({ currency: z.string(), limit_minor: z.string().transform(BigInt) })),
})
const toRequested = ({ currency, limitMinor }: CreditLimit) => ({
  currency,
  limit_minor: limitMinor.toString(),
})

export const creditLimitsApplier: ChangeApplier = {
  isOperators: true,
  async apply(tx, approver, { orgId, payload }) {
    const { limits } = requestedLimits.parse(payload)
    await writeLimits(
      tx,
      approver,
      orgId,
      limits.map(({ currency, limit_minor: limitMinor }) => ({ currency, limitMinor })),
    )
  },
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
