import type { Database } from '../../db/database.ts'
import { enqueue } from '../../engine/outbox.ts'
import { notificationJob } from './queue-notification.ts'
import { selectOpenNotificationsAcrossOrgs, type OpenNotification } from './store.ts'

const batchSize = 500

/** Hands every unsent notice to the engine again. One that is on its way already is sent once all the same. */
export async function reopenNotifications(deps: { db: Database }): Promise<number> {
  let reopened = 0
  let after: OpenNotification | undefined
  for (;;) {
    const batch = await deps.db.acrossOrgs(async (tx) => {
      const open = await selectOpenNotificationsAcrossOrgs(tx, after, batchSize)
      await Promise.all(
        open.map(({ orgId, notificationId }) => enqueue(tx, orgId, notificationJob(orgId, notificationId))),
      )
      return open
    })
    reopened += batch.length
    after = batch.at(-1)
    if (batch.length < batchSize) return reopened
  }
}
