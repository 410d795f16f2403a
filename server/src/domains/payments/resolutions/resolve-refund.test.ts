import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  answerAgain,
  evidence,
  leaveInDoubt,
  openDoubts,
  type Doubts,
} from '../../../../test/worlds/test-doubts.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { advanceRefund } from '../refunds/advance-refund.ts'
import { applyRefundFact } from '../refunds/apply-refund-fact.ts'

const dayMs = 24 * 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: Doubts
let paymentId: string
let refundId: string
beforeEach(async () => {
  org = await openDoubts(t, 'pooled')
  paymentId = await org.startPayin()
  await t.simulator.settle({ all: true })
  leaveInDoubt(t)
  const { body } = await org.call('POST', `/v1/payments/${paymentId}/refund`, { reason: 'Returned goods' })
  refundId = body.data.refund_id
})
afterEach(async () => {
  answerAgain(t)
  await expectCleanAudit(t)
})

const propose = (outcome: string): Promise<CallAnswer> =>
  org.call('POST', `/v1/payments/${paymentId}/refunds/${refundId}/resolve`, { outcome, evidence })
async function inDoubt(): Promise<void> {
  clock.pass(15 * dayMs)
  expect(await advanceRefund(t.deps, { orgId: org.orgId, refundId, poll: 9 })).toBe(dayMs)
  expect(await openKinds()).toEqual(['refund_unknown'])
}
const openKinds = async (): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${paymentId}&status=open`)).map(({ kind }) => kind)
const refund = async (): Promise<Json> =>
  (await org.call('GET', `/v1/payments/${paymentId}/refunds`)).body.data[0]
const phases = async (): Promise<string[]> => (await org.postings(refundId)).map(({ phase }) => phase)

describe('a refund in doubt', () => {
  it.each([
    ['completed', 'refunded', ['pending', 'post']],
    ['failed', 'completed', ['pending', 'void']],
  ])('%s by two people: the payment is %s and the hold has ended', async (outcome, status, expected) => {
    await inDoubt()
    const held = await propose(outcome)
    expect(held.body.data).toMatchObject({ kind: 'refund.resolve', approver: 'operator' })
    for (const as of [org.credential, org.second.token])
      expect((await org.decide(held, 'approve', as)).status).toBe(403)
    expect((await org.decide(held, 'approve', t.seed.platformAdmin.api_key)).status).toBe(200)
    expect((await refund()).status).toBe(outcome)
    expect((await org.record(paymentId)).status).toBe(status)
    expect(await phases()).toEqual(expected)
    expect(await openKinds()).toEqual([])
    const decision = (await org.timeline(paymentId)).find(({ kind }) => kind === 'resolution')
    expect(decision.data.about).toBe(`refund ${refundId}`)
    expect((await propose(outcome)).status).toBe(409)
  })

  it('that its provider still has time for is not for people to decide', async () => {
    clock.pass(13 * dayMs)
    expect((await propose('completed')).status).toBe(409)
  })

  it('is ended by its provider’s late answer, and the exception with it', async () => {
    await inDoubt()
    const held = await propose('failed')
    await applyRefundFact(
      t.deps,
      { orgId: org.orgId, refundId, paymentId },
      { kind: 'accepted', providerRef: 'late', providerStatus: 'processed', state: { state: 'completed' } },
    )
    expect((await refund()).status).toBe('completed')
    expect(await openKinds()).toEqual([])
    expect((await org.decide(held, 'approve', t.seed.platformAdmin.api_key)).status).toBe(409)
  })
})
