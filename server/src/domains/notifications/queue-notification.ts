import type { Tx } from '../../db/database.ts'
import { enqueue } from '../../engine/outbox.ts'
import { newId } from '../../lib/ids.ts'
import type { LinkKind } from '../../lib/links.ts'
import type { TemplateName } from './notice-texts.ts'
import { languageOf, type Priority } from './rules.ts'
import { insertNotification } from './store.ts'

export interface NewNotification {
  /** Whose inbox shows it too; null for somebody who is no member. */
  userId: string | null
  template: TemplateName
  recipient: string
  variables: Record<string, string>
  /** Decides the language. */
  country?: string | null
  priority?: Priority
  link?: { kind: LinkKind; id: string }
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
  const language = languageOf(notification.country ?? null)
  await insertNotification(tx, orgId, { ...notification, notificationId, language })
  await enqueue(tx, orgId, {
    ...notificationJob(orgId, notificationId),
    ...(requestId !== undefined && { requestId }),
  })
  return notificationId
}
