import type { Database } from '../../db/database.ts'
import { requeueWork } from '../../engine/requeue.ts'
import { resealJob } from './rotate-data-key.ts'
import { selectRotatedOrgsAcrossOrgs } from './store.ts'

/** Every organisation that has had a rotation; where all is done, a pass finds nothing to do. */
export const requeueReseals = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string }>(deps.db, {
    read: (tx, after, limit) => selectRotatedOrgsAcrossOrgs(tx, after?.orgId, limit),
    jobOf: ({ orgId }) => ({ orgId, ...resealJob(orgId) }),
  })
