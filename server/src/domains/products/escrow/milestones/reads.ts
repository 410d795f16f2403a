import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { milestoneOf, readEscrow } from './open-escrow.ts'
import type { Milestone } from './record.ts'

export const getMilestone = (
  deps: { db: Database },
  { orgId }: Caller,
  input: { escrowId: string; milestoneId: string },
): Promise<Milestone> =>
  deps.db.inOrg(orgId, async (tx) =>
    milestoneOf(await readEscrow(tx, orgId, input.escrowId), input.milestoneId),
  )

/** Not paged, because the number of milestones is limited. */
export const listMilestones = (
  deps: { db: Database },
  { orgId }: Caller,
  input: { escrowId: string },
): Promise<Milestone[]> =>
  deps.db.inOrg(orgId, async (tx) => (await readEscrow(tx, orgId, input.escrowId)).milestones)
