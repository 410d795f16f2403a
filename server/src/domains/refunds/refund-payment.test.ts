import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberCaller } from '../../../../dev/src/seed.ts'
import type { Caller } from '../../lib/access.ts'
import {
  cardPayin,
  openPayments,
  operatorOf,
  startTestPayments,
  type OrgPayments,
  type TestPayments,
} from '../../testing/test-payments.ts'
import type { PaymentDeps } from '../payments/payment-deps.ts'
import { refundPayment } from './refund-payment.ts'

let t: TestPayments
let org: OrgPayments
let caller: Caller
beforeAll(async () => {
  t = await startTestPayments()
  org = await openPayments(t)
  caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'somebody', role: 'org-admin' })
})
afterAll(() => t.close())

/** Between what a call reads and what it writes, something else happens, once. */
function interrupted(deps: PaymentDeps, meanwhile: () => Promise<unknown>): PaymentDeps {
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
    const most = { paymentId, amountMinor: 20_00n, reason: 'twice' }
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
    const all = { paymentId, amountMinor: undefined, reason: 'once' }
    await refundPayment(interrupted(t.deps, touch), caller, all)
    expect(await refundsOf(paymentId)).toEqual(['2500 completed'])
  })
})

async function refundsOf(paymentId: string): Promise<string[]> {
  const { rows } = await t.owner.query<{ refund: string }>(
    `select amount_minor || ' ' || state as refund from refunds where payment_id = $1`,
    [paymentId],
  )
  return rows.map(({ refund }) => refund)
}
