import type { Database } from '../../db/database.ts'
import { requeueWork } from '../../engine/requeue.ts'
import { expireJob } from './create-link.ts'
import { selectActiveLinksAcrossOrgs } from './store.ts'

/** Covers every active link, which the engine has to expire in time. */
export const requeueLinks = (deps: { db: Database }): Promise<number> =>
  requeueWork<{ orgId: string; linkId: string; expiresAt: Date }>(deps.db, {
    read: (tx, after, limit) => selectActiveLinksAcrossOrgs(tx, after?.linkId, limit),
    jobOf: (link) => ({ orgId: link.orgId, ...expireJob(link) }),
  })
