import type { Database } from '../../db/database.ts'
import { reopenWork } from '../../engine/requeue.ts'
import { notificationJob } from './queue-notification.ts'
import { selectOpenNotificationsAcrossOrgs } from './store.ts'

/** Every unsent notice. One that is on its way already is sent once all the same. */
export const reopenNotifications = (deps: { db: Database }): Promise<number> =>
  reopenWork(deps.db, {
    read: selectOpenNotificationsAcrossOrgs,
    jobOf: ({ orgId, notificationId }) => ({ orgId, ...notificationJob(orgId, notificationId) }),
  })
