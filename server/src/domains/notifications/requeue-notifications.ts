import type { Database } from '../../db/database.ts'
import { requeueWork } from '../../engine/requeue.ts'
import { notificationJob } from './queue-notification.ts'
import { selectOpenNotificationsAcrossOrgs } from './store.ts'

/** Every unsent notice. One that is on its way already is sent once all the same. */
export const requeueNotifications = (deps: { db: Database }): Promise<number> =>
  requeueWork(deps.db, {
    read: selectOpenNotificationsAcrossOrgs,
    jobOf: ({ orgId, notificationId }) => ({ orgId, ...notificationJob(orgId, notificationId) }),
  })
