import { beforeEach, describe, expect, it } from 'vitest'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { inquireRefund } from './advance-refund.ts'
import type { Refund } from './record.ts'
import { refundPayment } from './refund-payment.ts'

/** Whether a refund is sent at once, waits or is refused. What becomes of one that waits is in waiting.test.ts. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let caller: Caller
let paymentId: string
beforeEach(async () => {
  org = await openPayments(t)
  caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'somebody', role: 'org-admin' })
  paymentId = await org.start(cardPayin())
})

const setPolicies = async (policies: Json[]): Promise<void> => {
  const { status } = await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
  expect(status).toBe(200)
}
const refund = (amountMinor: bigint): Promise<Refund> =>
  refundPayment(t.deps, caller, { paymentId, amount: { amountMinor, currency: 'GBP' }, reason: 'returned' })
const storedRefunds = async (): Promise<string[]> => {
  const { rows } = await t.owner.query<{ refund: string }>(
    `select amount_minor || ' ' || state as refund from refunds where payment_id = $1 order by created_at`,
    [paymentId],
  )
  return rows.map((row) => row.refund)
}
const auditedRefunds = async (): Promise<unknown[]> => {
  const { rows } = await t.owner.query<{ after: unknown }>(
    `select after from audit_log where org_id = $1 and action = 'payment.refund' order by created_at`,
    [org.orgId],
  )
  return rows.map(({ after }) => after)
}
const sentRefunds = (): number => t.simulator.log().filter(({ kind }) => kind === 'refund').length

describe('a refund from the amount of the policy on', () => {
  beforeEach(() => setPolicies([{ currency: 'GBP', payout_from: 1_000, refund_from: 10 }]))

  it('is stored as one that waits, and is not sent', async () => {
    const sent = sentRefunds()
    expect(await refund(10_00n)).toMatchObject({
      state: 'awaiting_approval',
      approvalReason: 'Your policy requires approval of refunds from 10.00 GBP on.',
    })
    expect([await storedRefunds(), sentRefunds()]).toEqual([['1000 awaiting_approval'], sent])
  })

  it('is unknown to the provider, so that nobody asks there what became of it', async () => {
    const waiting = await refund(10_00n)
    const asked: string[] = []
    const load: typeof t.deps.connectors.load = async (orgId, accountId) => {
      asked.push(accountId)
      return t.deps.connectors.load(orgId, accountId)
    }
    const deps = { ...t.deps, connectors: { ...t.deps.connectors, load } }
    expect([await inquireRefund(deps, waiting), asked]).toEqual([waiting, []])
  })

  it('is in the audit log as one that waits, and one below the amount as one that was sent', async () => {
    const sent = await refund(9_99n)
    const waiting = await refund(10_00n)
    expect([sent.state, waiting.state]).toEqual(['completed', 'awaiting_approval'])
    expect(await auditedRefunds()).toEqual([
      { refund_id: sent.refundId, reason: 'returned' },
      { refund_id: waiting.refundId, reason: 'returned', status: 'awaiting_approval' },
    ])
  })
})

it('a refund that reaches the sum of a day waits, and names the policy whose sum it is', async () => {
  await setPolicies([
    { currency: 'EUR', payout_from: 1_000, refund_daily_from: 1_000 },
    { currency: 'GBP', payout_from: 1_000, refund_daily_from: 12 },
  ])
  expect((await refund(5_00n)).state).toBe('completed')
  expect(await refund(7_00n)).toMatchObject({
    state: 'awaiting_approval',
    approvalReason:
      'With this refund, the refunds of the last 24 hours reach 12.00 GBP, from which your policy requires approval.',
  })
  expect(await storedRefunds()).toEqual(['500 completed', '700 awaiting_approval'])
})

describe('a refund is refused', () => {
  it('of a payment that the payer disputes: the dispute may give the money back too', async () => {
    const reference = (await org.attempts(paymentId)).at(-1)?.data.reference
    await t.simulator.dispute('stripe', { reference, action: 'open' })
    await expect(refund(1_00n)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('disputes this payment'),
    })
  })

  it('when it is more than is left beside one that waits, be that a single penny', async () => {
    await setPolicies([{ currency: 'GBP', payout_from: 1_000, refund_from: 0.01 }])
    await refund(1n)
    await expect(refund(25_00n)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('is under way'),
    })
  })
})
