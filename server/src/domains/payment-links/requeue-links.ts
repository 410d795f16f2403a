import type { Database } from '../../db/database.ts'
import { requeueWork } from '../../engine/requeue.ts'
import { expireJob } from './create-link.ts'
import { selectActiveLinksAcrossOrgs } from './store.ts'

/** Every link that can still be paid: the engine has to end it in time. */
export const requeueLinks = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; linkId: string; expiresAt: Date }>(deps.db, {
    read: (tx, after, limit) => selectActiveLinksAcrossOrgs(tx, after?.linkId, limit),
    jobOf: (link) => ({ orgId: link.orgId, ...expireJob(link) }),
  })
