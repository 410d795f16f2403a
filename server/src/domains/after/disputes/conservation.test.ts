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
import { disputable, disputesOf, paid, type DisputableProvider } from './testing/disputed-payments.ts'

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

/** What left the balances and suspense for everything about the organisation's payments, without charges. */
async function paidBy(account: 'available' | 'suspense'): Promise<bigint> {
  const { rows } = await t.owner.query<{ minor: string | null }>(
    `select sum(case when debit_account like $2 then amount_minor when credit_account like $2 then -amount_minor end)
       as minor from ledger_transfers where org_id = $1 and phase in ('posted', 'post')
       and (kind like 'refund%' or kind like 'payin.reversed%' or kind ~ '^dispute.(withdrawn|returned|excess)')`,
    [org.orgId, `${account}%`],
  )
  return BigInt(rows[0]?.minor ?? 0)
}
const amountOf = async (id: string): Promise<bigint> => {
  const { rows } = await t.owner.query<{ amount_minor: string }>(
    'select amount_minor from payments where payment_id = $1',
    [id],
  )
  return BigInt(rows[0]?.amount_minor ?? 0)
}

describe.each(providers)('%s', (provider) => {
  it('refuses a refund after a lost dispute', async () => {
    const { id, reference } = await paid(t, org, disputable[provider])
    await lose(provider, await open(provider, reference))
    const answer = await refund(id)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('disputes')])
    expect(await paidBy('available')).toBe(await amountOf(id))
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
    expect([await paidBy('available'), await paidBy('suspense')]).toEqual([amount, amount])
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
      expect([await paidBy('available'), await paidBy('suspense')]).toEqual([
        amount,
        status === 'completed' ? amount : 0n,
      ])
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
    await t.simulator.reverse('paystack', { reference, silently: true })
    await compare()
    expect([await paidBy('available'), await paidBy('suspense')]).toEqual([await amountOf(id), 0n])
  })

  it('is booked once when the reversal is found first', async () => {
    await ownPaystack()
    const { id, reference } = await paid(t, org, disputable.paystack)
    const dispute = await open('paystack', reference)
    await t.simulator.reverse('paystack', { reference, silently: true })
    await compare()
    await lose('paystack', dispute)
    expect(await paidBy('available')).toBe(await amountOf(id))
    expect((await disputesOf(org))[0]?.state).toBe('lost')
  })
})

describe('everything at the same moment', () => {
  const rounds = Number(process.env['CONSERVATION_ROUNDS'] ?? 3)
  it.each(Array.from({ length: rounds }, (_, index) => index))('leaves a sum that holds (%i)', async () => {
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
    expect(await paidBy('available')).toBeLessThanOrEqual(amount)
    const raised = (await paidBy('suspense')) === 0n ? [] : ['exceeds']
    expect((await kinds()).join(' ')).toContain(raised.join(''))
  })
})
