import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

/** What a provider took back, and whose webhook was lost. */
const minuteMs = 60_000
const clock = createTestClock()
const since = new Date(Date.now() - 60 * minuteMs).toISOString()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
  const key = `sk_test_${randomUUID()}`
  t.simulator.configure('paystack', { account: key, secrets: { secret_key: key } })
  await org.ownAccount('paystack', { secretKey: key, baseUrl: `${t.simulator.url}/paystack` })
})
afterEach(async () => {
  await assertAuditClean(t.owner)
})

async function reconcile(): Promise<string[]> {
  clock.pass(11 * minuteMs)
  const { body } = await org.call('POST', '/v1/payments/reconciliation', { provider: 'paystack', since })
  clock.pass(-11 * minuteMs)
  return body.data.findings.map(({ kind }: Json) => kind)
}
const completed = async (body: Json): Promise<{ id: string; reference: string }> => {
  const id = await org.start(body)
  await t.simulator.settle()
  await org.advance(id)
  expect((await org.record(id)).status).toBe('completed')
  return { id, reference: (await org.attempts(id)).at(-1)?.data.reference }
}
const kindsOf = async (): Promise<string[]> => (await org.exceptions()).map(({ kind }) => String(kind)).sort()

describe('the provider is asked, and its answer is booked once', () => {
  it('of a payout that the bank returned', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const { id, reference } = await completed(bankPayout(beneficiary))
    await t.simulator.reverse('paystack', { reference, silently: true })
    expect(await reconcile()).toEqual(['reversal_missed'])
    expect(await org.record(id)).toMatchObject({ status: 'refunded', failure: { code: 'RETURNED' } })
    expect(await kindsOf()).toEqual(['payout_returned', 'reversal_missed'])
    expect(await reconcile()).toEqual([])
  })

  it('of a payin that was reversed', async () => {
    const { id, reference } = await completed(bankTransferPayin())
    await t.simulator.reverse('paystack', { reference, silently: true })
    expect(await reconcile()).toEqual(['reversal_missed'])
    expect(await org.record(id)).toMatchObject({ status: 'refunded', failure: { code: 'REVERSED' } })
    expect(await reconcile()).toEqual([])
  })

  it('of a refund made at the provider, in part', async () => {
    const { id, reference } = await completed(bankTransferPayin())
    await t.simulator.refund('paystack', { reference, amount: '10.00', silently: true })
    expect(await reconcile()).toEqual(['refund_missed'])
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 10 })
    expect(await kindsOf()).toEqual(['refund_elsewhere', 'refund_missed'])
    expect(await reconcile()).toEqual([])
  })

  it('of a refund made at the provider, in full: it is a refund and no reversal', async () => {
    const { id, reference } = await completed(bankTransferPayin())
    await t.simulator.refund('paystack', { reference, silently: true })
    await reconcile()
    expect(await org.record(id)).toMatchObject({
      status: 'refunded',
      failure: null,
      refunded_amount: 1500.75,
    })
  })
})
