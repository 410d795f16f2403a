import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { validationError } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { CostSum, FeeSum } from './record.ts'
import { selectCostSums, selectFeeSums } from './store.ts'

const periodLimitMs = 93 * 24 * 60 * 60_000

/** What the operator charged and what providers charged, for the payments that were initiated in a period. */
export async function listFees(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string | undefined; from: Date; to: Date },
): Promise<{ fees: FeeSum[]; costs: CostSum[] }> {
  const { from, to } = input
  const orgId = orgInScope(caller, input.orgId, 'read')
  if (to <= from) throw validationError('to: must be after from.')
  if (to.getTime() - from.getTime() > periodLimitMs)
    throw validationError('to: a period has at most 93 days.')
  return deps.db.inOrg(orgId, async (tx) => ({
    fees: await selectFeeSums(tx, orgId, { from, to }),
    costs: await selectCostSums(tx, orgId, { from, to }),
  }))
}
