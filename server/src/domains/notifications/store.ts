import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { NewNotification } from './queue-notification.ts'

export async function insertNotification(
  tx: Tx,
  orgId: string,
  notification: NewNotification & { notificationId: string },
): Promise<void> {
  await tx.db
    .insertInto('notifications')
    .values({
      org_id: orgId,
      notification_id: notification.notificationId,
      user_id: notification.userId,
      template: notification.template,
      recipient: notification.recipient,
      variables: JSON.stringify(notification.variables),
    })
    .execute()
}

export interface ClaimedNotification {
  template: string
  recipient: string
  variables: Record<string, string>
  attempts: number
}

export type ClaimResult =
  | { state: 'claimed'; notification: ClaimedNotification }
  | { state: 'sent' | 'failed' | 'in_progress' | 'missing' }

/** One sender at a time: a claim older than the timeout belongs to a process that is gone. */
export async function claimNotification(
  tx: Tx,
  orgId: string,
  claim: { notificationId: string; timeoutSeconds: number },
): Promise<ClaimResult> {
  const claimed = await tx.db
    .updateTable('notifications')
    .set({ status: 'sending', claimed_at: sql`now()`, attempts: sql`attempts + 1`, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('notification_id', '=', claim.notificationId)
    .where(
      sql<boolean>`(status = 'pending' or (status = 'sending' and claimed_at < now() - make_interval(secs => ${claim.timeoutSeconds})))`,
    )
    .returning(['template', 'recipient', 'variables', 'attempts'])
    .executeTakeFirst()
  if (claimed)
    return {
      state: 'claimed',
      notification: { ...claimed, variables: claimed.variables as Record<string, string> }, // written by insertNotification
    }
  const current = await tx.db
    .selectFrom('notifications')
    .select('status')
    .where('org_id', '=', orgId)
    .where('notification_id', '=', claim.notificationId)
    .executeTakeFirst()
  if (!current) return { state: 'missing' }
  return { state: current.status === 'sent' || current.status === 'failed' ? current.status : 'in_progress' }
}

export async function setNotificationStatus(
  tx: Tx,
  orgId: string,
  change: { notificationId: string; from: readonly string[]; to: 'pending' | 'sent' | 'failed' },
): Promise<void> {
  await tx.db
    .updateTable('notifications')
    .set({ status: change.to, updated_at: sql`now()`, ...(change.to === 'sent' && { sent_at: sql`now()` }) })
    .where('org_id', '=', orgId)
    .where('notification_id', '=', change.notificationId)
    .where('status', 'in', change.from)
    .execute()
}

export function selectOpenNotificationsAcrossOrgs(tx: Tx, after: string | undefined, limit: number) {
  return tx.db
    .selectFrom('notifications')
    .select(['org_id', 'notification_id'])
    .where('status', 'in', ['pending', 'sending'])
    .$if(after !== undefined, (query) => query.where('notification_id', '>', after ?? ''))
    .orderBy('notification_id')
    .limit(limit)
    .execute()
}
