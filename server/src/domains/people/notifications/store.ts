import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import { isLinkKind } from '../../../lib/net/links.ts'
import type { NewNotification, NoticeRow, ClaimedNotification, InboxEntry } from './record.ts'

export const insertNotification = (
  orgId: string,
  notification: NewNotification & { notificationId: string; language: string },
): CompiledQuery =>
  statements
    .insertInto('notifications')
    .values({
      org_id: orgId,
      notification_id: notification.notificationId,
      user_id: notification.userId,
      template: notification.template,
      recipient: notification.recipient,
      variables: JSON.stringify(notification.variables),
      language: notification.language,
      private_sealed: notification.sealed?.privateSealed ?? null,
      ...(notification.priority && { priority: notification.priority }),
      link_kind: notification.link?.kind ?? null,
      link_id: notification.link?.id ?? null,
    })
    .compile()

const noticeColumns = ['template', 'language', 'priority', 'variables', 'link_kind', 'link_id'] as const

const toNotice = (row: {
  template: string
  language: string
  priority: string
  variables: unknown
  link_kind: string | null
  link_id: string | null
}): NoticeRow => ({
  template: row.template,
  language: row.language,
  priority: row.priority,
  variables: row.variables as Record<string, string>, // written by insertNotification
  link:
    row.link_kind !== null && isLinkKind(row.link_kind) && row.link_id !== null
      ? { kind: row.link_kind, id: row.link_id }
      : undefined,
})

type ClaimResult =
  | { state: 'claimed'; notification: ClaimedNotification }
  | { state: 'sent' | 'failed' | 'in_progress' | 'missing' }

/** Claims exclusively: a claim older than the timeout belongs to a crashed process. */
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
    .returning([...noticeColumns, 'recipient', 'private_sealed', 'attempts'])
    .executeTakeFirst()
  if (claimed)
    return {
      state: 'claimed',
      notification: {
        ...toNotice(claimed),
        recipient: claimed.recipient,
        privateSealed: claimed.private_sealed,
        attempts: claimed.attempts,
      },
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

/** Only for the current claim: a late failure must not release the next sender's claim. */
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

/** Also valid after the claim was lost, because the mail has been sent. */
export async function setNotificationSent(tx: Tx, orgId: string, notificationId: string): Promise<void> {
  await tx.db
    .updateTable('notifications')
    .set({ status: 'sent', sent_at: sql`now()`, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('notification_id', '=', notificationId)
    .where('status', '!=', 'sent')
    .execute()
}

interface OpenNotification {
  orgId: string
  notificationId: string
  createdAt: Date
}

/** Oldest first, starting after a position. */
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

const inboxColumns = [
  ...noticeColumns,
  'notification_id as notificationId',
  'status as mailStatus',
  'read_at as readAt',
  'created_at as createdAt',
] as const

type InboxRow = Parameters<typeof toNotice>[0] & Omit<InboxEntry, keyof NoticeRow>

const toInboxEntry = (row: InboxRow): InboxEntry => ({
  ...toNotice(row),
  notificationId: row.notificationId,
  mailStatus: row.mailStatus,
  readAt: row.readAt,
  createdAt: row.createdAt,
})

export async function selectInbox(
  tx: Tx,
  orgId: string,
  page: { userId: string; isUnreadOnly: boolean; limit: number; before: Position | undefined },
): Promise<InboxEntry[]> {
  let query = tx.db
    .selectFrom('notifications')
    .select(inboxColumns)
    .where('org_id', '=', orgId)
    .where('user_id', '=', page.userId)
  if (page.isUnreadOnly) query = query.where('read_at', 'is', null)
  if (page.before) query = query.where(beforePosition('created_at', 'notification_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('notification_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toInboxEntry)
}

/** Undefined when the user has no such entry. Reading again keeps the first time. */
export async function setRead(
  tx: Tx,
  orgId: string,
  entry: { userId: string; notificationId: string; at: Date },
): Promise<InboxEntry | undefined> {
  const row = await tx.db
    .updateTable('notifications')
    .set({ read_at: sql<Date>`coalesce(read_at, ${entry.at})` })
    .where('org_id', '=', orgId)
    .where('user_id', '=', entry.userId)
    .where('notification_id', '=', entry.notificationId)
    .returning(inboxColumns)
    .executeTakeFirst()
  return row && toInboxEntry(row)
}

export async function findNotificationStates(
  tx: Tx,
  orgId: string,
  notificationIds: readonly string[],
): Promise<Map<string, { status: string; language: string }>> {
  if (notificationIds.length === 0) return new Map()
  const rows = await tx.db
    .selectFrom('notifications')
    .select(['notification_id', 'status', 'language'])
    .where('org_id', '=', orgId)
    .where('notification_id', 'in', notificationIds)
    .execute()
  return new Map(rows.map(({ notification_id: id, status, language }) => [id, { status, language }]))
}

/** Counts one mail, in a new window if the last one is over. */
export async function countMail(
  tx: Tx,
  orgId: string,
  { recipientHash, now, windowMs }: { recipientHash: Buffer; now: Date; windowMs: number },
): Promise<{ mails: number; windowStartedAt: Date }> {
  const isOver = sql<boolean>`mail_budgets.window_started_at <= ${new Date(now.getTime() - windowMs)}`
  return tx.db
    .insertInto('mail_budgets')
    .values({ org_id: orgId, recipient_hash: recipientHash, window_started_at: now, mails: 1 })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'recipient_hash']).doUpdateSet({
        mails: sql`case when ${isOver} then 1 else mail_budgets.mails + 1 end`,
        window_started_at: sql`case when ${isOver} then excluded.window_started_at else mail_budgets.window_started_at end`,
      }),
    )
    .returning(['mails', 'window_started_at as windowStartedAt'])
    .executeTakeFirstOrThrow()
}

export async function deleteMailBudgetsAcrossOrgs(
  tx: Tx,
  startedBefore: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mail_budgets b using (
      select org_id, recipient_hash from mail_budgets where window_started_at <= ${startedBefore}
      limit ${limit} for update skip locked
    ) old
    where b.org_id = old.org_id and b.recipient_hash = old.recipient_hash`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}

export async function deleteEndedAcrossOrgs(tx: Tx, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from notifications where (org_id, notification_id) in (
      select org_id, notification_id from notifications
      where created_at < ${before} and status in ('sent', 'failed') limit ${limit})
    returning notification_id`.execute(tx.db)
  return rows.length
}
