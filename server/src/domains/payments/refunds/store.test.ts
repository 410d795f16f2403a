import { beforeAll, describe, expect, it } from 'vitest'
import { isStaleVersion } from '../../../kernel/db/errors.ts'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import {
  cardPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { findRefundByReference } from './reads.ts'
import type { Refund } from './record.ts'
import { refundPayment } from './refund-payment.ts'
import { findRefund, selectOpenRefundsAcrossOrgs, setNotFound, updateRefund } from './store.ts'

/** An organisation has many refunds. Each is read and changed alone. */
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let one: Refund
let other: Refund
beforeAll(async () => {
  org = await openPayments(t)
  const caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'somebody', role: 'org-admin' })
  const refunded = async (): Promise<Refund> =>
    refundPayment(t.deps, caller, {
      paymentId: await org.start(cardPayin()),
      amount: undefined,
      reason: 'twice',
    })
  ;[one, other] = [await refunded(), await refunded()]
})

const found = (refundId: string) => t.deps.db.inOrg(org.orgId, (tx) => findRefund(tx, org.orgId, refundId))
const write = (seenVersion: number, refund: Refund) =>
  t.deps.db.batchInOrg(org.orgId, [updateRefund(org.orgId, seenVersion, refund)])

describe('a refund', () => {
  it('is found by its id and by the reference that the provider has', async () => {
    for (const refund of [one, other]) {
      expect((await found(refund.refundId))?.paymentId).toBe(refund.paymentId)
      expect((await findRefundByReference(t.deps, refund.reference))?.refundId).toBe(refund.refundId)
    }
  })

  it('is changed alone, by whoever has read its last version', async () => {
    const [seen, before] = [await found(one.refundId), await found(other.refundId)]
    if (!seen) throw new Error('the refund does not exist')
    const next = { ...seen, failureMessage: 'mine', version: seen.version + 1 }
    await write(seen.version, next)
    expect([(await found(one.refundId))?.failureMessage, await found(other.refundId)]).toEqual([
      'mine',
      before,
    ])
    await expect(write(seen.version, { ...next, failureMessage: 'late' })).rejects.toSatisfy(isStaleVersion)
    expect((await found(one.refundId))?.failureMessage).toBe('mine')
  })

  it('is not found alone', async () => {
    const at = new Date('2026-03-01T12:00:00Z')
    await t.deps.db.batchInOrg(org.orgId, [setNotFound(org.orgId, one.refundId, { count: 1, at })])
    expect([await found(one.refundId), await found(other.refundId)]).toMatchObject([
      { notFoundCount: 1, notFoundAt: at },
      { notFoundCount: 0, notFoundAt: null },
    ])
  })
  it('is open until the provider has ended it', async () => {
    const setState = (refundId: string, state: string) =>
      t.owner.query('update refunds set state = $2 where refund_id = $1', [refundId, state])
    const openAfter = async (refundId?: string) =>
      t.deps.db.acrossOrgs((tx) => selectOpenRefundsAcrossOrgs(tx, refundId, 10))
    const { orgId } = org
    const [first = '', second = ''] = [one.refundId, other.refundId].toSorted()
    await setState(first, 'accepted')
    for (const state of ['sending', 'unknown', 'accepted']) {
      await setState(second, state)
      const rest = [{ orgId, refundId: second }]
      expect([state, await openAfter()]).toEqual([state, [{ orgId, refundId: first }, ...rest]])
      expect(await openAfter(first)).toEqual(rest)
    }
    for (const state of ['completed', 'failed']) {
      await setState(second, state)
      expect([state, await openAfter()]).toEqual([state, [{ orgId, refundId: first }]])
    }
  })
})
