import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

/** Payments that their provider takes back after it had completed them. */
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})
afterEach(async () => {
  await assertAuditClean(t.owner)
})

const quoteOf = async (from: string, to: string): Promise<Json> => {
  const path = `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`
  return (await org.call('GET', path)).body.data
}
const kindsOf = async (id: string): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${id}`)).map(({ kind }) => kind)
const referenceOf = async (id: string): Promise<string> => (await org.attempts(id)).at(-1)?.data.reference

describe('a payout that the bank returns', () => {
  const pay = async (change: Json = {}): Promise<string> => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    return org.start(bankPayout(beneficiary, { amount: 20.25, target_amount: 20.25, ...change }))
  }

  it('is refunded by one webhook, credited to the balance that paid, and reported', async () => {
    const id = await pay()
    await t.simulator.settle({ all: true })
    expect(await org.record(id)).toMatchObject({ status: 'refunded', failure: { code: 'RETURNED' } })
    expect((await org.postings(id)).slice(2)).toMatchObject([
      {
        kind: 'payout.returned',
        debit: 'provider:paystack',
        credit: 'available',
        currency: 'NGN',
        minor: '2025',
      },
      {
        kind: 'payout.settled',
        debit: 'outgoing',
        credit: 'provider:paystack',
        currency: 'NGN',
        minor: '2025',
      },
    ])
    expect(await kindsOf(id)).toEqual(['payout_returned'])
    expect((await org.eventTypes(id)).slice(-2)).toEqual(['payment.refunded', 'transaction.updated'])
  })

  it('is credited in the currency that it was paid from, at the rate that it was converted with', async () => {
    const { org_rate_id, rate } = await quoteOf('USD', 'NGN')
    // The cents of what the provider moves choose its behaviour.
    const target_amount = Math.floor(10 * rate) + 0.25
    const amount = Number((target_amount / rate).toFixed(2))
    const quoted = Number((amount * rate).toFixed(2))
    const id = await pay({ amount, currency: 'USD', target_amount: quoted, org_rate_id })
    await t.simulator.settle({ all: true })
    const { simulator } = t
    if ((await org.record(id)).status === 'completed') {
      const reference = await referenceOf(id)
      await simulator.reverse('paystack', { reference })
    }
    expect((await org.record(id)).status).toBe('refunded')
    const postings = await org.postings(id)
    const minor = String(Math.round(amount * 100))
    expect(postings.find(({ kind }) => kind === 'payout.returned')).toMatchObject({
      debit: 'provider:paystack',
      credit: 'fx:USD/NGN',
      currency: 'NGN',
      minor: String(Math.round(quoted * 100)),
    })
    expect(postings.find(({ kind }) => kind === 'payout.returned.fx')).toMatchObject({
      debit: 'fx:USD/NGN',
      credit: 'available',
      currency: 'USD',
      minor,
    })
  })
})

describe('a payin that the provider reverses', () => {
  it('is refunded by one webhook, taken from the balance, and reported', async () => {
    const id = await org.start(mobileMoneyPayin())
    await t.simulator.settle({ all: true })
    expect((await org.record(id)).status).toBe('completed')
    await t.simulator.reverse('pawapay', { reference: await referenceOf(id) })
    expect(await org.record(id)).toMatchObject({ status: 'refunded', failure: { code: 'REVERSED' } })
    expect(await org.postings(id)).toMatchObject([
      { kind: 'payin', debit: 'provider:pawapay', credit: 'available', currency: 'UGX', minor: '5000' },
      {
        kind: 'payin.reversed',
        debit: 'available',
        credit: 'provider:pawapay',
        currency: 'UGX',
        minor: '5000',
      },
    ])
    expect(await kindsOf(id)).toEqual(['payin_reversed'])
    expect((await org.eventTypes(id)).slice(-2)).toEqual(['payment.refunded', 'transaction.updated'])
  })
})
