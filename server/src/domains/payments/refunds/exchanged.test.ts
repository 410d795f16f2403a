import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { exchangedCardPayin } from '../../../../test/worlds/payment-requests.ts'

/** Refunds of payins that were exchanged. The organisation has nothing but what it was paid. */
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openUnverified(t)
})
afterEach(async () => {
  await assertAuditClean(t.owner)
})

const paid = async (): Promise<{ id: string; target: number }> => {
  const body = await exchangedCardPayin(org)
  const id = await org.start(body)
  expect((await org.record(id)).status).toBe('completed')
  return { id, target: body.target_amount }
}
const refund = (id: string, body: Json = {}): Promise<CallAnswer> =>
  org.call('POST', `/v1/payments/${id}/refund`, { reason: 'Returned goods', ...body })
const balances = async (): Promise<Json> =>
  Object.fromEntries(
    (await org.call('GET', `/v1/organizations/${org.orgId}/balances`)).body.data.map((one: Json) => [
      one.currency,
      [one.available, one.held],
    ]),
  )

describe('a refund of an exchanged payin', () => {
  it('is paid from the currency that it brought, at its own rate, and the other one never moves', async () => {
    const { id, target } = await paid()
    expect(await balances()).toMatchObject({ NGN: [target, 0] })
    // The rate of today does not matter.
    t.simulator.setRates({ NGN: '9999' })
    const answer = await refund(id)
    expect([answer.status, answer.body.data]).toMatchObject([
      201,
      { amount: 25, currency: 'GBP', debit_amount: target, debit_currency: 'NGN', status: 'completed' },
    ])
    expect(await org.postings(answer.body.data.refund_id)).toMatchObject([
      { kind: 'refund', phase: 'posted', debit: 'fx:GBP/NGN', credit: 'provider:stripe', minor: '2500' },
      { kind: 'refund.fx', phase: 'pending', debit: 'available', credit: 'fx:GBP/NGN', currency: 'NGN' },
      { kind: 'refund.fx.resolved', phase: 'post', debit: 'available', currency: 'NGN' },
    ])
    const after = await balances()
    expect(after['NGN']).toEqual([0, 0])
    expect(after['GBP'] ?? [0, 0]).toEqual([0, 0])
  })

  it('in several parts, in either currency, costs exactly what the payin brought', async () => {
    const { id, target } = await paid()
    const parts = [
      await refund(id, { amount: 3.33 }),
      await refund(id, { amount: 1000, currency: 'NGN' }),
      await refund(id, { amount: 0.01, currency: 'GBP' }),
      await refund(id),
    ].map(({ status, body }) => ({ status, ...body.data }))
    expect(parts.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'completed'))
    expect(parts[1]?.debit_amount).toBeLessThanOrEqual(1000)
    const sum = (name: string): number =>
      parts.reduce((total, part) => total + Math.round(part[name] * 100), 0)
    expect([sum('amount'), sum('debit_amount')]).toEqual([2500, Math.round(target * 100)])
    expect((await org.record(id)).status).toBe('refunded')
    expect((await balances())['NGN']).toEqual([0, 0])
  })

  it.each<[string, Json]>([
    ['more than is left in the target currency', { amount: 10_000_000, currency: 'NGN' }],
    ['a currency that the payment does not have', { amount: 1000, currency: 'USD' }],
    ['less than the smallest unit of what was collected', { amount: 0.01, currency: 'NGN' }],
  ])('is refused with %s', async (_what, body) => {
    const { id } = await paid()
    expect((await refund(id, body)).status).toBe(400)
  })
})
