import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clockedDatabase } from '../../../../test/app/clocked-database.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startRestate, type Restate } from '@switchyard/stack/services/restate.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { addPerson } from '../../../../test/app/people.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  operatorOf,
  startTestPayments,
  untilSettled,
  type OrgPayments,
  type TestPayments,
} from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { queryEngine, startTestWorker, type TestWorker } from '../../../../test/app/test-worker.ts'
import { storeCredentials } from '../../providers/accounts/store-credentials.ts'
import { advancePayment } from './advance-payment.ts'
import { defaultPollSchedule } from '../attempts/rules.ts'
import { requeuePayments } from './requeue-payments.ts'

const callTimeoutMs = 1_500
/** The engine polls for the first time after this long, when the call has been given up. */
const sendDeadlineMs = 2 * callTimeoutMs
const endLimitMs = 25_000
/** The three jobs of one payment share its schedule, so each of them sleeps for longer than the one before. */
const pollSchedule = { ...defaultPollSchedule, acceptedMs: [1_000, 2_000, 3_000, 4_000] }
const hourMs = 60 * 60_000

const reached = (org: OrgPayments, paymentId: string, status: string): Promise<unknown> =>
  until(
    `the payment to be ${status}`,
    async () => (await org.record(paymentId)).status === status,
    endLimitMs,
  )

/** The provider's callbacks do not arrive, whatever it is about. */
const dropWebhooks = { on: 'webhook', fault: 'webhook_drop', times: 100 } as const

/** So that a call that is never answered is given up soon. */
const shortenTimeouts = (t: TestPayments): Promise<unknown> =>
  storeCredentials(t.deps, operatorOf(t), {
    provider: 'pawapay',
    orgId: null,
    credentials: {
      apiToken: 'pawapay-sandbox-token',
      baseUrl: t.simulator.providerUrl('pawapay'),
      timeoutMs: callTimeoutMs,
    },
  })

/** Every call that the engine has taken for a payment, whether it is over or not. */
async function engineCalls(t: TestPayments, paymentId?: string): Promise<{ status: string }[]> {
  const service = `${t.config.ENGINE_NAMESPACE}Payments`
  const rows = await queryEngine(
    t,
    `select status, idempotency_key from sys_invocation where target_service_name = '${service}'`,
  )
  return rows.filter((row) => paymentId === undefined || row.idempotency_key === paymentId)
}

const outboxRows = async (t: TestPayments): Promise<number> =>
  (await t.owner.query(`select from outbox where service = 'Payments'`)).rowCount ?? 0

async function openAttempts(t: TestPayments): Promise<number> {
  const { rows } = await t.owner.query<{ most: number }>(
    `select coalesce(max(open), 0)::integer as most from (
       select count(*) as open from attempts where state in ('sending', 'accepted', 'unknown')
       group by payment_id) counted`,
  )
  return rows[0]?.most ?? 0
}

describe('with an engine', () => {
  let t: TestPayments
  let org: OrgPayments
  let worker: TestWorker
  beforeAll(async () => {
    t = await startTestPayments({ sendDeadlineMs, pollSchedule })
    await shortenTimeouts(t)
    org = await openPayments(t)
    worker = await startTestWorker(t)
  })
  afterEach(() => t.simulator.setFaults('pawapay', []))
  afterAll(async () => {
    await worker.stop()
    await t.close()
  })

  it('a timeout after acceptance: the provider is asked, and the payment completes without help', async () => {
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'timeout_after' }, dropWebhooks])
    const answer = await org.initiate(mobileMoneyPayin())
    expect(answer.body.response).toMatchObject({ status: 'processing', next_action: 'check_status' })
    await reached(org, answer.body.response.payment_id, 'completed')
    expect(await org.accepted(answer.body.response.payment_id)).toHaveLength(1)
  })

  it('a webhook that never comes: the payment completes all the same', async () => {
    const phone = '256783456722'
    const id = await org.start(
      mobileMoneyPayin({ mobile_money_details: { provider: 'MTN', phone_number: phone } }),
    )
    expect((await org.record(id)).status).toBe('pending')
    await reached(org, id, 'completed')
    const [taken] = await org.accepted(id)
    const about = t.simulator.webhooks('pawapay').filter(({ reference }) => reference === taken?.reference)
    expect([taken?.amount, about]).toEqual(['5000', []])
  })

  it('an approved payout is dispatched by the engine once, although it gets three jobs', async () => {
    const payee = await org.addBeneficiary(bankBeneficiary())
    const [staff, admin] = [
      await addPerson(t, org.orgId, 'staff'),
      await addPerson(t, org.orgId, 'org-admin'),
    ]
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
      policies: [{ currency: 'NGN', payout_from: 1 }],
    })
    const id = await org.start(bankPayout(payee, { amount: 1500, target_amount: 1500 }))
    const approve = (as: string) =>
      t.call('POST', `/v1/payments/${id}/review`, { as, body: { decision: 'approve' } })
    await approve(staff.token)
    expect(await org.attempts(id)).toEqual([])
    await approve(admin.token)
    await Promise.all([requeuePayments(t.deps), requeuePayments(t.deps)])
    await reached(org, id, 'completed')
    expect(await org.accepted(id)).toHaveLength(1)
    expect(await org.attempts(id)).toHaveLength(1)
  })

  it('a payment that ends in time costs the engine nothing: no row is left, no call was made', async () => {
    const id = await org.start(cardPayin())
    expect((await org.record(id)).status).toBe('completed')
    expect((await t.owner.query('select from outbox where outbox_id = $1', [id])).rowCount).toBe(0)
    expect(await engineCalls(t, id)).toEqual([])
  })

  it('the engine lets go of what has ended, and no payment ever had two open attempts', async () => {
    await until('the outbox to be empty', async () => (await outboxRows(t)) === 0)
    // It may sleep until its next poll.
    const isDone = async () => (await engineCalls(t)).every(({ status }) => status === 'completed')
    await until('the engine to be done', isDone, endLimitMs)
    expect(await openAttempts(t)).toBe(0)
  })
})

describe('with an engine that loses everything it knew', () => {
  let t: TestPayments
  let restate: Restate
  let worker: TestWorker
  let scratch: Awaited<ReturnType<typeof scratchDir>>
  beforeAll(async () => {
    scratch = await scratchDir()
    restate = await startRestate({
      dataDir: join(scratch.path, 'restate'),
      identityKeyFile: join(scratch.path, 'identity-key.pem'),
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    })
    t = await startTestPayments({
      sendDeadlineMs,
      delayMs: untilSettled,
      env: {
        ENGINE_INGRESS_URL: restate.ingressUrl,
        ENGINE_ADMIN_URL: restate.adminUrl,
        ENGINE_IDENTITY_KEYS: restate.identityKey,
      },
    })
    worker = await startTestWorker(t)
  })
  afterAll(async () => {
    await worker.stop()
    await t.close()
    await restate.stop()
    await scratch.remove()
  })

  it('a rebuild from Postgres brings every open payment to its end', async () => {
    const org = await openPayments(t)
    t.simulator.setFaults('pawapay', [dropWebhooks])
    const ids = await Promise.all(Array.from({ length: 3 }, () => org.start(mobileMoneyPayin())))
    await until('the engine to have them', async () => {
      const calls = await engineCalls(t)
      return calls.length === ids.length && (await outboxRows(t)) === 0
    })
    await worker.stop()
    await restate.kill()
    await rm(join(scratch.path, 'restate'), { recursive: true })
    await restate.start()
    worker = await startTestWorker(t)
    // Its query engine is the last part of it to come back.
    const known = () => engineCalls(t).catch(() => undefined)
    await until('the engine to know nothing', async () => (await known())?.length === 0, endLimitMs)
    await t.simulator.settle()
    expect(await requeuePayments(t.deps)).toBe(ids.length)
    await Promise.all(ids.map((id) => reached(org, id, 'completed')))
    for (const id of ids) expect(await org.accepted(id)).toHaveLength(1)
  }, 60_000)
})

describe('without an engine', () => {
  let t: TestPayments
  let org: OrgPayments
  beforeAll(async () => {
    t = await startTestPayments({ sendDeadlineMs })
    org = await openPayments(t)
  })
  afterAll(() => t.close())

  it('the database itself refuses a second open attempt of a payment', async () => {
    const neverEnds = { provider: 'MTN', phone_number: '256783456713' }
    const id = await org.start(mobileMoneyPayin({ mobile_money_details: neverEnds }))
    const second = t.owner.query(
      `insert into attempts (org_id, payment_id, attempt_no, provider, config_id, account_id, custody, reference, state,
         deadline_at)
       select org_id, payment_id, 2, provider, config_id, account_id, custody, gen_random_uuid(), 'sending', now()
       from attempts where payment_id = $1`,
      [id],
    )
    await expect(second).rejects.toThrow('attempts_one_open')
  })

  it('after 24 hours without an outcome one exception is raised, and the payment remains processing', async () => {
    t.simulator.setFaults('pawapay', [
      { on: 'collect', fault: 'error_500' },
      { on: 'inquire', fault: 'error_500', times: 100 },
    ])
    const id = await org.start(mobileMoneyPayin())
    const lookAfter = (hours: number) => {
      const clock = { now: () => new Date(Date.now() + hours * hourMs) }
      const db = clockedDatabase(t.deps.db, clock)
      return advancePayment({ ...t.deps, clock, db }, { orgId: org.orgId, paymentId: id })
    }
    expect((await lookAfter(0)).nextPollMs).toBe(5_000)
    expect((await lookAfter(23.9)).nextPollMs).toBeGreaterThan(0)
    expect(await org.exceptions()).toEqual([])
    for (const hours of [24, 25, 48]) {
      expect((await lookAfter(hours)).nextPollMs).toBe(24 * hourMs)
      expect(await org.exceptions()).toMatchObject([{ kind: 'outcome_unknown', payment_id: id }])
      expect((await org.record(id)).status).toBe('processing')
    }
    expect(await org.accepted(id)).toEqual([])
  })
})
