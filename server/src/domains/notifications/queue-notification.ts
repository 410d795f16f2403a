import type { Tx } from '../../db/database.ts'
import { enqueue } from '../../engine/outbox.ts'
import { newId } from '../../lib/ids.ts'
import { insertNotification } from './store.ts'
import type { TemplateName } from './rules.ts'

export interface NewNotification {
  userId: string
  template: TemplateName
  recipient: string
  variables: Record<string, string>
}

export const notificationJob = (orgId: string, notificationId: string) => ({
  service: 'Notifications',
  handler: 'send',
  payload: { orgId, notificationId },
})

/** In the caller's transaction: the notice leaves exactly if what it tells of was committed. */
export async function queueNotification(
  tx: Tx,
  orgId: string,
  notification: NewNotification,
  requestId?: string,
): Promise<string> {
  const notificationId = newId()
  await insertNotification(tx, orgId, { ...notification, notificationId })
  await enqueue(tx, orgId, {
    ...notificationJob(orgId, notificationId),
    ...(requestId !== undefined && { requestId }),
  })
  return notificationId
}
