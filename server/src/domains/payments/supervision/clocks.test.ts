import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../lib/clock.ts'
import {
  ghanaianPayin,
  kenyanPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type TestPayments,
} from '../../../../test/worlds/test-payments.ts'
import { queueAccounts } from '../../after/reconciliation/queue-accounts.ts'
import { refundPayment } from '../refunds/refund-payment.ts'
import { advancePayment } from './advance-payment.ts'

/** Two processes that disagree about the time decide alike, because the database stamps and judges. */
const minuteMs = 60_000
const shifted = (ms: number) => ({
  now: () => new Date(Date.now() + ms),
  monotonicMs: () => performance.now(),
})
const worlds = {
  'twenty minutes behind': usePayments({ delayMs: untilSettled, processClock: shifted(-20 * minuteMs) }),
  'an hour ahead': usePayments({ delayMs: untilSettled, processClock: shifted(60 * minuteMs) }),
}

/** A payin whose sender got no answer, as another process with the right time finds it. */
async function begin(t: TestPayments) {
  const org = await openPayments(t)
  t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'error_500', times: 1 }])
  const paymentId = await org.start(kenyanPayin())
  t.simulator.setFaults('pawapay', [])
  const worker = { ...t.deps, clock: systemClock }
  const advance = () => advancePayment(worker, { orgId: org.orgId, paymentId })
  const attempts = async () => (await org.attempts(paymentId)).map(({ data }) => data.state)
  return { org, paymentId, advance, attempts }
}

describe.each(Object.entries(worlds))('an api whose clock is %s', (_name, t) => {
  it('does not make two early “not found” answers final', async () => {
    const { advance, attempts, paymentId, org } = await begin(t)
    for (let poll = 0; poll < 3; poll++) await advance()
    expect(await attempts()).toEqual(['unknown'])
    expect(await org.accepted(paymentId)).toEqual([])
  })

  it('stamps its attempts with the time of the database', async () => {
    const { paymentId } = await begin(t)
    const { rows } = await t.owner.query<{ age: number; left: number }>(
      `select extract(epoch from clock_timestamp() - created_at)::float8 as age,
         extract(epoch from deadline_at - created_at)::float8 as left from attempts where payment_id = $1`,
      [paymentId],
    )
    expect(rows[0]?.age).toBeGreaterThanOrEqual(-0.001)
    expect(rows[0]?.age).toBeLessThan(minuteMs / 1000)
    expect(rows[0]?.left).toBe(t.deps.sendDeadlineMs / 1000)
  })

  it('has its payments supervised when the database says that it is time', async () => {
    const dueInSeconds = async (outboxId: string): Promise<number | undefined> => {
      const { rows } = await t.owner.query<{ due: number }>(
        `select extract(epoch from due_at - clock_timestamp())::float8 as due from outbox where outbox_id = $1`,
        [outboxId],
      )
      return rows[0]?.due
    }
    const { paymentId: unknown } = await begin(t)
    expect(await dueInSeconds(unknown)).toBeLessThanOrEqual(1)
    const org = await openPayments(t)
    const accepted = await dueInSeconds(await org.start(ghanaianPayin()))
    expect(accepted).toBeLessThanOrEqual(t.deps.sendDeadlineMs / 1000)
    expect(accepted).toBeGreaterThan(0)
  })

  it('locks rates and binds keys for the time that the database counts', async () => {
    const org = await openPayments(t)
    const hoursLeft = async (table: string): Promise<number | undefined> => {
      const { rows } = await t.owner.query<{ left: number }>(
        `select extract(epoch from expires_at - clock_timestamp())::float8 / 3600 as left from ${table} where org_id = $1`,
        [org.orgId],
      )
      return rows[0]?.left
    }
    const path = '/v1/organizations/admin/exchange-rate?fromCurrency=USD&toCurrency=NGN'
    expect((await org.call('GET', path)).status).toBe(200)
    expect(await hoursLeft('rate_quotes')).toBeCloseTo(t.deps.quoteLifetimeMs / 3_600_000, 1)
    const headers = { 'idempotency-key': 'one' }
    expect((await org.initiate(ghanaianPayin(), { headers })).status).toBe(200)
    expect(await hoursLeft('idempotent_calls')).toBeCloseTo(24, 1)
  })

  it('reconciles from the time of the database, so that no span is left out', async () => {
    await queueAccounts(t.deps)
    const { rows } = await t.owner.query<{ off: number }>(
      `select abs(extract(epoch from clock_timestamp() - (payload->>'startedAt')::timestamptz))::float8 as off
       from outbox where service = 'Reconciliation' and handler = 'account'`,
    )
    expect(Math.max(...rows.map(({ off }) => off))).toBeLessThan(minuteMs / 1000)
  })

  it('lets people decide about a doubt when the database says that it is one', async () => {
    const { paymentId, org } = await begin(t)
    const proposedAfter = async (hours: number): Promise<number> => {
      await t.owner.query(
        `update attempts set created_at = clock_timestamp() - $2::float8 * interval '1 hour' where payment_id = $1`,
        [paymentId, hours],
      )
      const body = { outcome: 'failed', evidence: 'The statement of the provider does not show it.' }
      return (await org.call('POST', `/v1/payments/${paymentId}/resolve`, body)).status
    }
    expect(await proposedAfter(23.9)).toBe(409)
    expect(await proposedAfter(24.1)).toBe(202)
  })

  it('sends and refunds in time', async () => {
    const org = await openPayments(t)
    const paymentId = await org.start(ghanaianPayin())
    await t.simulator.settle({ all: true })
    expect((await org.record(paymentId)).status).toBe('completed')
    const { status, body } = await org.call('POST', `/v1/payments/${paymentId}/refund`, { reason: 'asked' })
    expect([status, body.data?.status]).not.toContain('failed')
    expect(status).toBe(201)
  })
})

it('a sender that was suspended sends nothing, whatever its clock says', async () => {
  const t = worlds['an hour ahead']
  const org = await openPayments(t)
  const paymentId = await org.start(ghanaianPayin())
  await t.simulator.settle({ all: true })
  let monotonic = 0
  // The time passes between the write and the send.
  const suspended = { now: () => new Date(), monotonicMs: () => (monotonic += t.deps.sendDeadlineMs) }
  const refund = await refundPayment(
    { ...t.deps, clock: suspended },
    { ...operatorOf(t), orgId: org.orgId },
    { paymentId, amount: undefined, reason: 'asked' },
  )
  expect([refund.state, refund.failureCode]).toEqual(['failed', 'REFUND_NOT_SENT'])
})
