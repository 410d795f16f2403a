import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import { notificationJob } from './queue-notification.ts'
import { selectOpenNotificationsAcrossOrgs } from './store.ts'

/** Covers every unsent notice. The claim prevents one that is already queued from being sent twice. */
export const requeueNotifications = (deps: { db: Database }): Promise<number> =>
  requeueWork(deps.db, {
    read: selectOpenNotificationsAcrossOrgs,
    jobOf: ({ orgId, notificationId }) => ({ orgId, ...notificationJob(orgId, notificationId) }),
  })
