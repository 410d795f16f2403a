import { createHmac } from 'node:crypto'
import { simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
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

describe('a payout that was paid, and whose late message says that it failed', () => {
  const availableOf = async (): Promise<string> => {
    const { body } = await org.call('GET', `/v1/organizations/${org.orgId}/balances`)
    return body.data.find((balance: Json) => balance.currency === 'NGN').available
  }
  const paidOut = async (): Promise<string> => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const id = await org.start(bankPayout(beneficiary, { amount: 1500, target_amount: 1500 }))
    await t.simulator.settle({ all: true })
    expect((await org.record(id)).status).toBe('completed')
    return id
  }
  /** Signed with the installation's key at Paystack. */
  const sayFailed = async (id: string): Promise<number> => {
    const key = String(simulatorCredentials(t.simulator.url)['paystack']?.['secretKey'])
    const accounts = await t.call('GET', '/v1/payments/provider-accounts?provider=paystack', {
      as: t.seed.platformAdmin.api_key,
    })
    const { webhook_url } = accounts.body.data.find((account: Json) => account.org_id === null)
    const body = JSON.stringify({
      event: 'transfer.failed',
      data: {
        id: 4711,
        reference: await referenceOf(id),
        status: 'failed',
        amount: 150000,
        currency: 'NGN',
        transfer_code: 'TRF_x',
      },
    })
    const signature = createHmac('sha512', key).update(body).digest('hex')
    const { status } = await fetch(webhook_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
      body,
    })
    return status
  }

  it('stays paid, because the provider says so when it is asked', async () => {
    const id = await paidOut()
    const before = await availableOf()
    expect(await sayFailed(id)).toBe(200)
    expect((await org.record(id)).status).toBe('completed')
    expect(await availableOf()).toBe(before)
    expect(await kindsOf(id)).toEqual([])
  })

  it('goes to manual review if the provider cannot be asked', async () => {
    const id = await paidOut()
    const before = await availableOf()
    t.simulator.setFaults('paystack', [{ on: 'inquire', fault: 'down' }])
    try {
      expect(await sayFailed(id)).toBe(200)
    } finally {
      t.simulator.setFaults('paystack', [])
    }
    expect((await org.record(id)).status).toBe('completed')
    expect(await availableOf()).toBe(before)
    expect(await kindsOf(id)).toEqual(['reversed_after_completion'])
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
