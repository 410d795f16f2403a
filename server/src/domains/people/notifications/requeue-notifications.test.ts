import { beforeEach, expect, test } from 'vitest'
import { useApp } from '../../../../test/app/test-app.ts'
import { queueNotification } from './queue-notification.ts'
import { requeueNotifications } from './requeue-notifications.ts'

const app = useApp()

beforeEach(() => app.owner.query('delete from outbox; delete from notifications'))

async function queue(org: number, status: string): Promise<string> {
  const orgId = app.seed.orgs[org]!.org_id
  const notificationId = await app.deps.db.inOrg(orgId, (tx) =>
    queueNotification(tx, orgId, {
      userId: 'u',
      template: 'member-welcome',
      recipient: 'a@b.test',
      variables: {},
    }),
  )
  await app.owner.query('update notifications set status = $2 where notification_id = $1', [
    notificationId,
    status,
  ])
  return notificationId
}

async function queued(): Promise<unknown[]> {
  const { rows } = await app.owner.query(
    `select payload ->> 'notificationId' as id, payload ->> 'orgId' = org_id::text as fits, service, handler
     from outbox order by 1`,
  )
  return rows
}

test('only unsent notices are requeued, for every organisation', async () => {
  const open = [await queue(0, 'pending'), await queue(0, 'sending'), await queue(1, 'pending')]
  await queue(0, 'sent')
  await queue(1, 'failed')
  await app.owner.query('delete from outbox')
  expect(await requeueNotifications(app.deps)).toBe(3)
  expect(await queued()).toEqual(
    open.toSorted().map((id) => ({ id, fits: true, service: 'Notifications', handler: 'send' })),
  )
})

test('several batches requeue each notice once, even with equal timestamps', async () => {
  const orgId = app.seed.orgs[0]!.org_id
  await app.owner.query(
    `insert into notifications (org_id, notification_id, user_id, template, language, recipient, variables, created_at)
     select $1, gen_random_uuid(), 'u', 'member-welcome', 'en', 'a@b.test', '{}', now() - (n / 700) * interval '1 minute'
     from generate_series(1, 1203) n`,
    [orgId],
  )
  expect(await requeueNotifications(app.deps)).toBe(1_203)
  const ids = (await queued()).map((row) => (row as { id: string }).id)
  expect(new Set(ids).size).toBe(1_203)
})
