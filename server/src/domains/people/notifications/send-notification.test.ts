import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../kernel/db/database.ts'
import { newId } from '../../../lib/ids.ts'
import type { Mail, Mailer } from '../../../lib/net/mailer.ts'
import { useApp } from '../../../../test/app/test-app.ts'
import { queueNotification } from './queue-notification.ts'
import { recordSent, sendNotification, type NotificationDeps } from './send-notification.ts'

const app = useApp({ env: { LOG_LEVEL: 'silent' } })
let orgId: string
let sent: Mail[]
let deps: NotificationDeps
let whileSending: () => Promise<void>

beforeAll(() => {
  orgId = app.seed.orgs[0]!.org_id
})

beforeEach(() => {
  sent = []
  whileSending = async () => undefined
  const mailer: Mailer = {
    async send(mail) {
      await whileSending()
      sent.push(mail)
    },
    close: () => undefined,
  }
  deps = { ...app.deps, mailer }
})

async function queue(): Promise<{ orgId: string; notificationId: string }> {
  const notificationId = await app.deps.db.inOrg(orgId, (tx) =>
    queueNotification(tx, orgId, {
      userId: 'somebody',
      template: 'member-welcome',
      recipient: `${newId()}@example.test`,
      variables: { firstName: 'Some', orgName: 'Org', role: 'staff' },
    }),
  )
  return { orgId, notificationId }
}

async function stored(notificationId: string): Promise<{ status: string; attempts: number }> {
  const { rows } = await app.owner.query(
    'select status, attempts from notifications where notification_id = $1',
    [notificationId],
  )
  return rows[0]
}

const failing = (message: string) => async (): Promise<void> => {
  throw new Error(message)
}

test('a second call after the mail was sent does nothing', async () => {
  const job = await queue()
  expect(await sendNotification(deps, job, 5)).toBe('done')
  expect(await sendNotification(deps, job, 5)).toBe('done')
  expect(sent).toHaveLength(1)
})

test('a call while the mail is being sent does nothing and is retried', async () => {
  const job = await queue()
  whileSending = async () => {
    await expect(sendNotification(deps, job, 5)).rejects.toMatchObject({ code: 'NOTIFICATION_IN_PROGRESS' })
  }
  expect(await sendNotification(deps, job, 5)).toBe('done')
  expect(sent).toHaveLength(1)
})

test('of many concurrent calls one sends the mail', async () => {
  const job = await queue()
  await Promise.allSettled(Array.from({ length: 8 }, () => sendNotification(deps, job, 5)))
  expect(sent).toHaveLength(1)
  expect(await stored(job.notificationId)).toEqual({ status: 'sent', attempts: 1 })
})

test('a notice of another organisation is not found, and nothing is sent', async () => {
  const { notificationId } = await queue()
  const otherOrg = app.seed.orgs[1]!.org_id
  expect(await sendNotification(deps, { orgId: otherOrg, notificationId }, 5)).toBe('done')
  expect(sent).toHaveLength(0)
  expect(await stored(notificationId)).toMatchObject({ status: 'pending' })
})

describe('a failure', () => {
  test('below the limit it is thrown, and the notice is pending again', async () => {
    const job = await queue()
    whileSending = failing('no')
    await expect(sendNotification(deps, job, 2)).rejects.toThrow('no')
    expect(await stored(job.notificationId)).toEqual({ status: 'pending', attempts: 1 })
  })

  test('at the limit the notice fails permanently', async () => {
    const job = await queue()
    whileSending = failing('no')
    await expect(sendNotification(deps, job, 2)).rejects.toThrow('no')
    expect(await sendNotification(deps, job, 2)).toBe('done')
    expect(await stored(job.notificationId)).toEqual({ status: 'failed', attempts: 2 })
    whileSending = async () => undefined
    expect(await sendNotification(deps, job, 2)).toBe('done')
    expect(sent).toHaveLength(0)
  })

  test('of a sender that has lost its claim does not release the next claim', async () => {
    const job = await queue()
    whileSending = async () => {
      await app.owner.query(
        `update notifications set attempts = 2, claimed_at = now() where notification_id = $1`,
        [job.notificationId],
      )
      throw new Error('too late')
    }
    await expect(sendNotification(deps, job, 5)).rejects.toThrow('too late')
    expect(await stored(job.notificationId)).toEqual({ status: 'sending', attempts: 2 })
  })
})

describe('Postgres is down after the mail server accepted the mail', () => {
  const broken = (): Database => {
    let calls = 0
    const { db } = app.deps
    return {
      ...db,
      inOrg(org, work) {
        calls += 1
        return calls === 1 ? db.inOrg(org, work) : Promise.reject(new Error('Connection terminated'))
      },
    }
  }

  test('the result says that the mail was sent, so that it is recorded later and not repeated', async () => {
    const job = await queue()
    expect(await sendNotification({ ...deps, db: broken() }, job, 5)).toBe('unrecorded')
    expect(sent).toHaveLength(1)
    await recordSent(deps, job)
    expect(await stored(job.notificationId)).toMatchObject({ status: 'sent' })
    expect(await sendNotification(deps, job, 5)).toBe('done')
    expect(sent).toHaveLength(1)
  })
})
