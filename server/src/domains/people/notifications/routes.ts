import type { Database } from '../../../kernel/db/database.ts'
import type { App } from '../../../http/app.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { Links } from '../../../lib/net/links.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { listInbox } from './reads.ts'
import { readNotice } from './read-notice.ts'
import * as schema from './schema.ts'
import { toNoticePage, toNoticeView } from './schema.ts'

interface InboxDeps {
  db: Database
  clock: Clock
  links: Links
  cursorKey: KeyRing
}

export function notificationRoutes(app: App, deps: InboxDeps): void {
  const tags = ['Notifications']
  app.get(
    '/v1/users/notifications',
    {
      config: { access: { permission: 'member' } },
      schema: {
        tags,
        operationId: 'notifications.list',
        description: 'Only your own. The same notices were sent by mail where you have an address.',
        summary: 'List the notifications in your inbox',
        querystring: schema.inboxQuery,
        response: { 200: schema.noticePage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toNoticePage(
        await listInbox(deps, caller, {
          isUnreadOnly: query.unread,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
        caller.orgId,
        deps.links,
      ),
  )
  app.post(
    '/v1/users/notifications/:notification_id/read',
    {
      config: { access: { permission: 'member' } },
      schema: {
        tags,
        operationId: 'notifications.markRead',
        description: 'Marking twice changes nothing.',
        summary: 'Mark one of your notifications as read',
        params: schema.noticeParams,
        response: { 200: schema.noticeResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) => {
      const entry = await readNotice(deps, caller, { notificationId: params.notification_id })
      return ok('Notice read.', toNoticeView(entry, caller.orgId, deps.links))
    },
  )
}
