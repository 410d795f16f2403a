import { beforeAll, describe, expect, it } from 'vitest'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import {
  cardPayin,
  createTestClock,
  openPayments,
  operatorOf,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { advanceOpenRefund, advanceRefund } from './advance-refund.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { refundPayment, type RefundDeps } from './refund-payment.ts'

const clock = createTestClock()
const t = usePayments({ clock })
let org: OrgPayments
let caller: Caller
beforeAll(async () => {
  org = await openPayments(t)
  caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'somebody', role: 'org-admin' })
})

/** Between what a call reads and what it writes, something else happens, once. */
function interrupted(deps: RefundDeps, meanwhile: () => Promise<unknown>): RefundDeps {
  let isFirst = true
  return {
    ...deps,
    db: {
      ...deps.db,
      async batchInOrg(orgId, batch) {
        if (isFirst) {
          isFirst = false
          await meanwhile()
        }
        return deps.db.batchInOrg(orgId, batch)
      },
    },
  }
}

describe('between what a refund reads and what it writes', () => {
  it('another refund begins and ends: the two never give back more than was paid', async () => {
    const paymentId = await org.start(cardPayin())
    const most = { paymentId, amount: { amountMinor: 20_00n, currency: 'GBP' }, reason: 'twice' }
    const first = () => refundPayment(t.deps, caller, most)
    await expect(refundPayment(interrupted(t.deps, first), caller, most)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    expect(await refundsOf(paymentId)).toEqual(['2000 completed'])
  })

  it('a webhook changes the payment: the refund is made all the same', async () => {
    const paymentId = await org.start(cardPayin())
    const touch = () =>
      t.owner.query('update payments set version = version + 1 where payment_id = $1', [paymentId])
    const all = { paymentId, amount: undefined, reason: 'once' }
    await refundPayment(interrupted(t.deps, touch), caller, all)
    expect(await refundsOf(paymentId)).toEqual(['2500 completed'])
  })
})

describe('when the provider’s webhook arrives before its answer', () => {
  it('the refund is counted once, and the answer is no news', async () => {
    const paymentId = await org.start(cardPayin())
    const reported = {
      kind: 'accepted',
      providerRef: null,
      providerStatus: 'done',
      state: { state: 'completed' },
    } as const
    const load = loadWith(async () => {
      const [refundId = ''] = await openRefunds(paymentId)
      await applyRefundFact(t.deps, { orgId: org.orgId, paymentId, refundId }, reported)
      return reported
    })
    const overtaken: RefundDeps = { ...t.deps, connectors: { ...t.deps.connectors, load } }
    const refund = await refundPayment(overtaken, caller, {
      paymentId,
      amount: undefined,
      reason: 'both',
    })
    expect(refund.state).toBe('completed')
    expect(await refundsOf(paymentId)).toEqual(['2500 completed'])
    expect(await org.record(paymentId)).toMatchObject({ status: 'refunded' })
  })
})

/** As a process that dies, or stands still, when it has written the refund and has not sent it. */
async function abandoned(paymentId: string, passMs: number): Promise<void> {
  const written = Promise.withResolvers<void>()
  const deps: RefundDeps = {
    ...t.deps,
    db: {
      ...t.deps.db,
      async batchInOrg(orgId, batch) {
        const rows = await t.deps.db.batchInOrg(orgId, batch)
        clock.pass(passMs)
        written.resolve()
        return rows
      },
    },
    connectors: passMs > 0 ? t.deps.connectors : { ...t.deps.connectors, load: diesAfter(written.promise) },
  }
  const refund = refundPayment(deps, caller, { paymentId, amount: undefined, reason: 'abandoned' })
  await (passMs > 0 ? refund : Promise.race([refund, written.promise]))
}

/** The connectors as they are, but for what becomes of a refund. */
const loadWith =
  (refund: NonNullable<Connector['refund']>): RefundDeps['connectors']['load'] =>
  async (orgId, provider) => {
    const connector = await t.deps.connectors.load(orgId, provider)
    return connector && { ...connector, refund }
  }

const diesAfter = (written: Promise<void>): RefundDeps['connectors']['load'] =>
  loadWith(() => written.then(() => new Promise(() => undefined)))

const accepted = async (): Promise<number> => t.simulator.log().filter(({ kind }) => kind === 'refund').length

describe('a refund whose process died before it was sent', () => {
  it('ends when the provider is sure never to have had it, and the money may be given back again', async () => {
    const paymentId = await org.start(cardPayin())
    await abandoned(paymentId, 0)
    const [open] = await openRefunds(paymentId)
    const poll = () => advanceRefund(t.deps, { orgId: org.orgId, refundId: open ?? '', poll: 0 })
    await poll()
    expect(await refundsOf(paymentId)).toEqual(['2500 unknown'])
    clock.pass(24 * 60 * 60_000)
    expect(await poll()).toBeUndefined()
    expect(await refundsOf(paymentId)).toEqual(['2500 failed'])
    await refundPayment(t.deps, caller, { paymentId, amount: undefined, reason: 'again' })
    expect((await refundsOf(paymentId)).toSorted()).toEqual(['2500 completed', '2500 failed'])
  })
})

describe('a refund that the provider does not find', () => {
  it('has failed only when two inquiries at their scheduled times have not found it', async () => {
    const paymentId = await org.start(cardPayin())
    await abandoned(paymentId, 0)
    const [open = ''] = await openRefunds(paymentId)
    const poll = () => advanceRefund(t.deps, { orgId: org.orgId, refundId: open, poll: 0 })
    clock.pass(24 * 60 * 60_000)
    await poll()
    expect(await refundsOf(paymentId)).toEqual(['2500 unknown'])
    // A step that the engine repeats, and a webhook, ask at the same moment.
    await poll()
    await advanceOpenRefund(t.deps, org.orgId, paymentId)
    expect(await refundsOf(paymentId)).toEqual(['2500 unknown'])
    clock.pass(5_000)
    await advanceOpenRefund(t.deps, org.orgId, paymentId)
    expect(await refundsOf(paymentId)).toEqual(['2500 unknown'])
    expect(await poll()).toBeUndefined()
    expect(await refundsOf(paymentId)).toEqual(['2500 failed'])
  })

  it('has failed when the second inquiry comes exactly at its time, and not a moment before', async () => {
    const paymentId = await org.start(cardPayin())
    await abandoned(paymentId, 0)
    const [refundId = ''] = await openRefunds(paymentId)
    clock.pass(24 * 60 * 60_000)
    const firstAt = clock.now().getTime()
    const pollAfter = async (ms: number): Promise<string[]> => {
      const db = { ...t.deps.db, now: () => Promise.resolve(new Date(firstAt + ms)) }
      await advanceRefund({ ...t.deps, db }, { orgId: org.orgId, refundId, poll: 0 })
      return refundsOf(paymentId)
    }
    expect(await pollAfter(0)).toEqual(['2500 unknown'])
    expect(await pollAfter(4_999)).toEqual(['2500 unknown'])
    expect(await pollAfter(5_000)).toEqual(['2500 failed'])
  })

  it('is still open when an inquiry in between has failed', async () => {
    const paymentId = await org.start(cardPayin())
    await abandoned(paymentId, 0)
    const [open = ''] = await openRefunds(paymentId)
    const poll = async () => {
      clock.pass(5_000)
      await advanceRefund(t.deps, { orgId: org.orgId, refundId: open, poll: 0 })
      return refundsOf(paymentId)
    }
    clock.pass(24 * 60 * 60_000)
    await poll()
    t.simulator.setFaults('stripe', [{ on: 'inquire', fault: 'down' }])
    await poll()
    t.simulator.setFaults('stripe', [])
    expect(await poll()).toEqual(['2500 unknown'])
    expect(await poll()).toEqual(['2500 failed'])
  })
})

describe('a refund whose process stood still before it was sent', () => {
  it('is not sent any more: others may have given it up', async () => {
    const paymentId = await org.start(cardPayin())
    const before = await accepted()
    await abandoned(paymentId, t.deps.sendDeadlineMs)
    expect(await refundsOf(paymentId)).toEqual(['2500 failed'])
    expect(await accepted()).toBe(before)
  })
})

async function openRefunds(paymentId: string): Promise<string[]> {
  const { rows } = await t.owner.query<{ id: string }>(
    `select refund_id as id from refunds where payment_id = $1 and state in ('sending', 'unknown')`,
    [paymentId],
  )
  return rows.map(({ id }) => id)
}

async function refundsOf(paymentId: string): Promise<string[]> {
  const { rows } = await t.owner.query<{ refund: string }>(
    `select amount_minor || ' ' || state as refund from refunds where payment_id = $1`,
    [paymentId],
  )
  return rows.map(({ refund }) => refund)
}
