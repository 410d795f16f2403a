import type { Database } from '../../../kernel/db/database.ts'
import { selectRotatedOrgsAcrossOrgs } from '../../../kernel/db/data-key-rows.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { resealJob } from './rotate-data-key.ts'

/** Covers every organisation that has rotated its key; a pass over one that is finished changes nothing. */
export const requeueReseals = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string }>(deps.db, {
    read: (tx, after, limit) => selectRotatedOrgsAcrossOrgs(tx, after?.orgId, limit),
    jobOf: ({ orgId }) => ({ orgId, ...resealJob(orgId) }),
  })
