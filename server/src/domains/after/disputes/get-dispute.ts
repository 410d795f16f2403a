import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { noSuchDispute } from './errors.ts'
import { selectEvidence } from './evidence/store.ts'
import type { Dispute, DisputeView } from './record.ts'
import { findDispute, selectMoves } from './store.ts'

/** A dispute with its movements of money and its evidence, without the contents. */
export const getDispute = (
  deps: { db: Database },
  { orgId }: Pick<Caller, 'orgId'>,
  { disputeId }: { disputeId: string },
): Promise<DisputeView> =>
  deps.db.inOrg(orgId, async (tx) => {
    const dispute = await findDispute(tx, orgId, disputeId)
    if (!dispute) throw noSuchDispute()
    return {
      dispute,
      moves: await selectMoves(tx, orgId, disputeId),
      evidence: await selectEvidence(tx, orgId, disputeId),
    }
  })

/** Without its parts, for those that change it. */
export async function loadDispute(
  deps: { db: Database },
  { orgId, disputeId }: { orgId: string; disputeId: string },
): Promise<Dispute> {
  const dispute = await deps.db.inOrg(orgId, (tx) => findDispute(tx, orgId, disputeId))
  if (!dispute) throw noSuchDispute()
  return dispute
}
