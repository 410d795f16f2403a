import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMailbox, type Mailbox } from '@switchyard/stack/services/mailbox.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { noReceiver } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import { memberOf, startTestApp, type TestApp } from '../../../../test/app/test-app.ts'
import { until } from '../../../../test/app/test-relay.ts'
import {
  queryEngine,
  startTestMail,
  startTestRelay,
  engineOf,
  startTestWorker,
  type TestWorker,
} from '../../../../test/app/test-worker.ts'
import { notificationService } from './workflow.ts'

let app: TestApp
let smtpPort: number
let mailbox: Mailbox
let worker: TestWorker | undefined

beforeAll(async () => {
  smtpPort = await freePort()
  app = await startTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, LOG_LEVEL: 'silent' } })
})

beforeEach(async () => {
  await app.owner.query('delete from outbox')
  mailbox = await startMailbox(smtpPort)
})

afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await mailbox.stop()
})

afterAll(() => app.close())

async function addMember(): Promise<string> {
  const org = app.seed.orgs[0]!
  const email = `zz-${newId()}@new-member.test`
  const answer = await app.call('POST', `/v1/organizations/${org.org_id}/members`, {
    as: memberOf(org, 'org-admin').api_key,
    body: { user_id: newId(), email, first_name: 'Zebedee', last_name: 'Quux', role: 'staff' },
  })
  expect(answer.status).toBe(201)
  return email
}

interface Notice {
  notification_id: string
  status: string
  attempts: number
}

async function noticeTo(email: string): Promise<Notice> {
  const { rows } = await app.owner.query<Notice>('select * from notifications where recipient = $1', [email])
  return rows[0]!
}

const untilStatus = (email: string, status: string) =>
  until(`the notice to be ${status}`, async () => (await noticeTo(email)).status === status)

const untilHandedOver = () =>
  until('an empty outbox', async () => (await app.owner.query('select from outbox')).rowCount === 0)

const sentTo = (email: string): number => mailbox.counts().get(email) ?? 0

/** A policy short enough for a test. */
const impatient = { attempts: 3, firstDelayMs: 20, longestDelayMs: 40 }
const impatientService = () => notificationService(engineOf(app), app.deps, impatient)

describe('the welcome notice of a new member', () => {
  test('it is sent once, from its template, and recorded', async () => {
    await mailbox.stop()
    const mail = await startTestMail()
    const other = await startTestApp({ env: { SMTP_URL: mail.smtpUrl } })
    const otherWorker = await startTestWorker(other)
    const seeded = other.seed.orgs.flatMap((org) => org.members.map(({ email }) => email))
    await until('the mail', () => mail.messages().length >= seeded.length)
    expect(
      mail
        .messages()
        .flatMap(({ to }) => to)
        .toSorted(),
    ).toEqual(seeded.toSorted())
    const [message] = mail.messages().filter(({ to }) => to.includes('vera@lagos-lending.test'))
    const { rows } = await other.owner.query('select * from notifications where recipient = $1', message!.to)
    expect(message).toMatchObject({
      from: 'no-reply@switchyard.test',
      subject: 'Welcome to Lagos Lending on Switchyard',
      message_id: `<${rows[0].notification_id}@switchyard.test>`,
      text: expect.stringContaining('Hello Vera,'),
    })
    await until('all to be recorded', async () => {
      const open = await other.owner.query(
        `select from notifications where status <> 'sent' or sent_at is null`,
      )
      return open.rowCount === 0
    })
    await otherWorker.stop()
    await other.close()
    await mail.stop()
  })

  test('two relays and a repeated job send one mail', async () => {
    worker = await startTestWorker(app)
    const second = startTestRelay(app)
    const emails = await Promise.all(Array.from({ length: 10 }, addMember))
    await untilHandedOver()
    // Simulates a relay that crashed after it handed the job over and before it recorded that.
    await app.owner.query(
      `insert into outbox (org_id, outbox_id, service, handler, payload, is_ready, receiver)
       select org_id, gen_random_uuid(), 'Notifications', 'send',
              jsonb_build_object('orgId', org_id, 'notificationId', notification_id), true, $2
       from notifications where recipient = any($1)`,
      [emails, noReceiver],
    )
    await untilHandedOver()
    for (const email of emails) await untilStatus(email, 'sent')
    await untilNoOpenJobs()
    await second.stop()
    expect(emails.map(sentTo)).toEqual(emails.map(() => 1))
  })

  test('a failed addition sends none', async () => {
    worker = await startTestWorker(app)
    const org = app.seed.orgs[0]!
    const taken = memberOf(org, 'viewer')
    const refused = await app.call('POST', `/v1/organizations/${org.org_id}/members`, {
      as: memberOf(org, 'org-admin').api_key,
      body: {
        user_id: taken.user_id,
        email: 'twin@new-member.test',
        first_name: 'T',
        last_name: 'T',
        role: 'staff',
      },
    })
    expect(refused.status).toBe(409)
    const email = await addMember()
    await untilStatus(email, 'sent')
    expect(sentTo('twin@new-member.test')).toBe(0)
  })
})

describe('a failing mail server', () => {
  test('after an outage the mail is sent', async () => {
    await mailbox.stop()
    worker = await startTestWorker(app)
    const email = await addMember()
    await until('some attempts', async () => (await noticeTo(email)).attempts >= 2)
    mailbox = await startMailbox(smtpPort)
    await untilStatus(email, 'sent')
    expect(sentTo(email)).toBe(1)
  })

  test('with permanent refusals the notice fails after its attempts, and the job ends', async () => {
    mailbox.refuse()
    worker = await startTestWorker(app, { services: [impatientService()] })
    const email = await addMember()
    await untilStatus(email, 'failed')
    expect(await noticeTo(email)).toMatchObject({ attempts: 3 })
    await untilNoOpenJobs()
    expect(sentTo(email)).toBe(0)
  })

  test('a notice of an unknown template also fails after its attempts', async () => {
    const email = await addMember()
    await app.owner.query(`update notifications set template = 'no-such' where recipient = $1`, [email])
    worker = await startTestWorker(app, { services: [impatientService()] })
    await untilStatus(email, 'failed')
    expect(await noticeTo(email)).toMatchObject({ attempts: 3 })
  })
})

describe('a claim', () => {
  const claimFor = (email: string, age: string) =>
    app.owner.query(
      `update notifications set status = 'sending', attempts = 1, claimed_at = now() - $2::interval
       where recipient = $1`,
      [email, age],
    )

  test('of a crashed worker is taken over after its timeout', async () => {
    const email = await addMember()
    await claimFor(email, '31 seconds')
    worker = await startTestWorker(app)
    await untilStatus(email, 'sent')
    expect(await noticeTo(email)).toMatchObject({ attempts: 2 })
    expect(sentTo(email)).toBe(1)
  })

  test('of a live worker blocks others without using up attempts', async () => {
    const email = await addMember()
    await claimFor(email, '0 seconds')
    worker = await startTestWorker(app, { services: [impatientService()] })
    await until('some tries', async () => {
      const jobs = await openJobs()
      return jobs.some((job) => job.retry_count > impatient.attempts + 1)
    })
    expect(sentTo(email)).toBe(0)
    expect(await noticeTo(email)).toMatchObject({ status: 'sending', attempts: 1 })
    await claimFor(email, '31 seconds')
    await untilStatus(email, 'sent')
    expect(sentTo(email)).toBe(1)
  })
})

const openJobs = () =>
  queryEngine(
    app,
    `select id, status, retry_count from sys_invocation
     where target_service_name = '${app.config.ENGINE_NAMESPACE}Notifications' and status <> 'completed'`,
  )

const untilNoOpenJobs = () => until('no open jobs', async () => (await openJobs()).length === 0)

test('the engine stores no personal data of sent or refused mails', async () => {
  worker = await startTestWorker(app, { services: [impatientService()] })
  const sent = await addMember()
  await untilStatus(sent, 'sent')
  mailbox.refuse()
  const refused = await addMember()
  await untilStatus(refused, 'failed')
  await untilNoOpenJobs()
  const service = `${app.config.ENGINE_NAMESPACE}Notifications`
  const jobs = await queryEngine(app, `select * from sys_invocation where target_service_name = '${service}'`)
  const ids = jobs.map(({ id }) => `'${id}'`).join(', ')
  const journal = await queryEngine(app, `select * from sys_journal where id in (${ids})`)
  const events = await queryEngine(app, `select * from sys_journal_events where id in (${ids})`)
  const raw = journal.map((entry) => Buffer.from(String(entry.raw), 'hex').toString('latin1'))
  const text = [JSON.stringify([jobs, journal, events]), ...raw].join('\n')
  expect(text).toContain((await noticeTo(sent)).notification_id)
  expect(text).toContain((await noticeTo(refused)).notification_id)
  expect(events.length).toBeGreaterThan(0)
  for (const personal of ['new-member.test', 'zz-', 'Zebedee', 'Quux']) expect(text).not.toContain(personal)
})
