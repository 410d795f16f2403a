import { z } from 'zod'
import type { Links } from '../../../lib/net/links.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import { composeNotice } from './compose-notice.ts'
import type { InboxEntry } from './record.ts'
import { priorities } from './rules.ts'

export const inboxQuery = z.object({
  unread: z.stringbool().default(false),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

export const noticeParams = z.object({ notification_id: uuid })

const notice = z
  .object({
    notification_id: uuid,
    template: z.string(),
    priority: z.enum(priorities),
    title: z.string(),
    body: z.string(),
    link: z.string().nullable(),
    mail_status: z.enum(['pending', 'sending', 'sent', 'failed']),
    read_at: dateTime.nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'Notice' })

export const noticeResponse = success(notice)
export const noticePage = success(z.array(notice)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export function toNoticeView(entry: InboxEntry, orgId: string, links: Links): z.input<typeof notice> {
  const { subject, paragraphs } = composeNotice(entry)
  return {
    notification_id: entry.notificationId,
    template: entry.template,
    priority: notice.shape.priority.parse(entry.priority),
    title: subject,
    body: paragraphs.join('\n\n'),
    link: entry.link ? links.urlOf(entry.link.kind, { orgId, id: entry.link.id }) : null,
    mail_status: notice.shape.mail_status.parse(entry.mailStatus),
    read_at: entry.readAt?.toISOString() ?? null,
    created_at: entry.createdAt.toISOString(),
  }
}

export const toNoticePage = (
  page: Page<InboxEntry>,
  orgId: string,
  links: Links,
): z.input<typeof noticePage> => ({
  ...ok(
    'Your notices, newest first.',
    page.items.map((entry) => toNoticeView(entry, orgId, links)),
  ),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
