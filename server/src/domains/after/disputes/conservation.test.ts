import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import {
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { disputable, disputesOf, paid, paidBy, type DisputableProvider } from './testing/disputed-payments.ts'

/** A payment never gives more than it took, in whatever order refunds, disputes and reversals come. */
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})
afterEach(async () => {
  await assertAuditClean(t.owner)
})

const providers = Object.keys(disputable) as DisputableProvider[] // its keys
const refund = (id: string) => org.call('POST', `/v1/payments/${id}/refund`, { reason: 'asked' })
const kinds = async (): Promise<string[]> => (await org.exceptions()).map(({ kind }) => kind)
const open = async (provider: DisputableProvider, reference: string): Promise<string> =>
  (await t.simulator.dispute(provider, { reference, action: 'open' })).id
const lose = async (provider: DisputableProvider, id: string): Promise<void> => {
  // Adyen takes the money by a message of its own.
  if (provider === 'adyen') await t.simulator.dispute(provider, { id, action: 'withdraw' })
  await t.simulator.dispute(provider, { id, action: 'lose' })
}

const amountOf = async (id: string): Promise<number> => (await org.record(id)).amount
/** What the balance and suspense have paid for the payment. */
const sumsOf = async (id: string): Promise<[number, number]> => [
  await paidBy(t, id, 'available'),
  await paidBy(t, id, 'suspense'),
]

describe.each(providers)('%s', (provider) => {
  it('refuses a refund after a lost dispute', async () => {
    const { id, reference } = await paid(t, org, disputable[provider])
    await lose(provider, await open(provider, reference))
    const answer = await refund(id)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('disputes')])
    expect(await sumsOf(id)).toEqual([await amountOf(id), 0])
    expect(await kinds()).not.toContain('dispute_exceeds_payment')
  })

  it('refuses a refund while a dispute is open, whether or not the money is withdrawn', async () => {
    const { id, reference } = await paid(t, org, disputable[provider])
    await open(provider, reference)
    expect((await refund(id)).status).toBe(409)
  })

  it('books what a refund before the dispute leaves, and raises the rest', async () => {
    const { id, reference } = await paid(t, org, disputable[provider])
    expect((await refund(id)).status).toBe(201)
    await t.simulator.settle({ all: true })
    await org.call('POST', `/v1/payments/${id}/inquire`, {})
    expect((await org.record(id)).status).toBe('refunded')
    const dispute = await open(provider, reference).catch(() => undefined)
    if (dispute === undefined) return
    await lose(provider, dispute)
    const amount = await amountOf(id)
    expect(await sumsOf(id)).toEqual([amount, amount])
    expect(await kinds()).toContain('dispute_exceeds_payment')
  })

  // Stripe refunds at once.
  it.skipIf(provider === 'stripe')(
    'raises a refund that is under way when the dispute takes the money',
    async () => {
      const { id, reference } = await paid(t, org, disputable[provider])
      expect((await refund(id)).body.data.status).toBe('processing')
      await lose(provider, await open(provider, reference))
      expect(await kinds()).toContain('dispute_of_refunded')
      await t.simulator.settle({ all: true })
      await org.call('POST', `/v1/payments/${id}/inquire`, {})
      const [{ status }] = (await org.call('GET', `/v1/payments/${id}/refunds`)).body.data
      const amount = await amountOf(id)
      expect(await sumsOf(id)).toEqual([amount, status === 'completed' ? amount : 0])
      if (status === 'completed') expect(await kinds()).toContain('refund_exceeds_payment')
    },
  )
})

describe('a dispute that Paystack also reports as a reversal', () => {
  const ownPaystack = async (): Promise<void> => {
    const key = `sk_test_${randomUUID()}`
    t.simulator.configure('paystack', { account: key, secrets: { secret_key: key } })
    await org.ownAccount('paystack', { secretKey: key, baseUrl: `${t.simulator.url}/paystack` }, key)
  }
  const compare = async (): Promise<void> => {
    clock.pass(11 * 60_000)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const { status } = await org.call('POST', '/v1/payments/reconciliation', { provider: 'paystack', since })
    expect(status).toBe(200)
    clock.pass(-11 * 60_000)
  }

  it('is booked once when the dispute is lost first', async () => {
    await ownPaystack()
    const { id, reference } = await paid(t, org, disputable.paystack)
    await lose('paystack', await open('paystack', reference))
    expect(await sumsOf(id)).toEqual([1500.75, 0])
    await compare()
    expect(await sumsOf(id)).toEqual([1500.75, 0])
    expect((await org.record(id)).status).toBe('refunded')
  })

  it('is booked once when the reversal is learned first', async () => {
    await ownPaystack()
    const { id, reference } = await paid(t, org, disputable.paystack)
    const { id: dispute } = await t.simulator.dispute('paystack', { reference, deliver: false })
    await t.simulator.dispute('paystack', { id: dispute, action: 'lose', deliver: false })
    const asked = await org.call('POST', `/v1/payments/${id}/inquire`, {})
    expect([asked.status, asked.body.status]).toEqual([200, 'refunded'])
    expect((await disputesOf(org))[0]).toMatchObject({ state: 'lost', payment_id: id })
    await t.simulator.dispute('paystack', { id: dispute, action: 'lose' })
    expect(await sumsOf(id)).toEqual([1500.75, 0])
    expect(await kinds()).not.toContain('dispute_exceeds_payment')
  })

  it('is not booked as a reversal while the dispute is open', async () => {
    await ownPaystack()
    const { id, reference } = await paid(t, org, disputable.paystack)
    const dispute = await open('paystack', reference)
    await t.simulator.reverse('paystack', { reference, silently: true })
    await compare()
    expect(await sumsOf(id)).toEqual([0, 0])
    expect(await kinds()).toContain('reversed_after_completion')
    await lose('paystack', dispute)
    expect(await sumsOf(id)).toEqual([1500.75, 0])
    expect((await disputesOf(org))[0]?.state).toBe('lost')
  })

  it('asks a person about the rest if the dispute was about a part', async () => {
    await ownPaystack()
    const { id, reference } = await paid(t, org, disputable.paystack)
    const { id: dispute } = await t.simulator.dispute('paystack', { reference, amount: '500.00' })
    await lose('paystack', dispute)
    await compare()
    expect(await sumsOf(id)).toEqual([500, 0])
    expect(await kinds()).toContain('reversed_after_completion')
  })

  it('is a question while the disputes cannot be read', async () => {
    await ownPaystack()
    const { id, reference } = await paid(t, org, disputable.paystack)
    await t.simulator.reverse('paystack', { reference, silently: true })
    t.simulator.setFaults('paystack', [{ on: 'list', fault: 'error_500', times: 99 }])
    await org.call('POST', `/v1/payments/${id}/inquire`, {})
    t.simulator.setFaults('paystack', [])
    expect(await sumsOf(id)).toEqual([0, 0])
    expect(await kinds()).toContain('reversed_after_completion')
  })
})

describe('everything at the same moment', () => {
  const rounds = Number(process.env['CONSERVATION_ROUNDS'] ?? 3)
  const caseLimitMs = 120_000
  const everyRound = Array.from({ length: rounds }, (_, index) => index)
  it.each(everyRound)('leaves a sum that holds (%i)', { timeout: caseLimitMs }, async () => {
    const { id, reference } = await paid(t, org, disputable.stripe)
    const amount = await amountOf(id)
    const parts = Array.from({ length: 100 }, (_, index) => [
      org.call('POST', `/v1/payments/${id}/refund`, { reason: 'asked', amount: 1 + (index % 3) }),
      ...(index % 10 === 0 ? [t.simulator.refund('stripe', { reference, amount: '1.00' })] : []),
      ...(index === 40 ? [t.simulator.dispute('stripe', { reference, amount: '9.00' })] : []),
      ...(index === 60 ? [t.simulator.dispute('stripe', { reference, amount: '20.00' })] : []),
      ...(index === 80 ? [t.simulator.reverse('stripe', { reference, silently: true })] : []),
      ...(index % 20 === 0 ? [org.call('POST', `/v1/payments/${id}/inquire`, {})] : []),
    ])
    // The provider refuses what it has not got; whatever it does is booked here.
    await Promise.allSettled(parts.flat())
    await t.simulator.settle({ all: true })
    await org.call('POST', `/v1/payments/${id}/inquire`, {})
    const [balance, suspense] = await sumsOf(id)
    expect(balance).toBeLessThanOrEqual(amount)
    const raised = suspense === 0 ? [] : ['exceeds']
    expect((await kinds()).join(' ')).toContain(raised.join(''))
  })
})
