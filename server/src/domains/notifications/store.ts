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

/** Only by the one who still holds the claim: a late failure must not free the claim of the next sender. */
export async function releaseNotification(
  tx: Tx,
  orgId: string,
  claim: { notificationId: string; attempts: number; status: 'pending' | 'failed' },
): Promise<void> {
  await tx.db
    .updateTable('notifications')
    .set({ status: claim.status, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('notification_id', '=', claim.notificationId)
    .where('status', '=', 'sending')
    .where('attempts', '=', claim.attempts)
    .execute()
}

/** By whoever sent it, also after losing the claim: a mail that went out is a fact. */
export async function setNotificationSent(tx: Tx, orgId: string, notificationId: string): Promise<void> {
  await tx.db
    .updateTable('notifications')
    .set({ status: 'sent', sent_at: sql`now()`, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('notification_id', '=', notificationId)
    .where('status', '!=', 'sent')
    .execute()
}

export interface OpenNotification {
  orgId: string
  notificationId: string
  createdAt: Date
}

/** The oldest first, after a position in that order. */
export function selectOpenNotificationsAcrossOrgs(
  tx: Tx,
  after: OpenNotification | undefined,
  limit: number,
): Promise<OpenNotification[]> {
  let query = tx.db
    .selectFrom('notifications')
    .select(['org_id as orgId', 'notification_id as notificationId', 'created_at as createdAt'])
    .where('status', 'in', ['pending', 'sending'])
  if (after)
    query = query.where(
      sql<boolean>`(created_at, notification_id) > (${after.createdAt}, ${after.notificationId})`,
    )
  return query.orderBy('created_at').orderBy('notification_id').limit(limit).execute()
}
