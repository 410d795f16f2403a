import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  createTestClock,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

/** Refunds that a provider reports late, or not at all; most of them are made by somebody in its dashboard. */
const minuteMs = 60_000
const clock = createTestClock()
const since = new Date(Date.now() - 60 * minuteMs).toISOString()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})
afterEach(async () => {
  await assertAuditClean(t.owner)
})

const rwanda = { country: 'RW', currency: 'RWF', target_currency: 'RWF' }
const germany = { country: 'DE', currency: 'EUR', target_currency: 'EUR', amount: 25, target_amount: 25 }
const payments: Record<string, Json> = {
  flutterwave: mobileMoneyPayin({
    ...rwanda,
    mobile_money_details: { provider: 'MTN', phone_number: '250783456789' },
  }),
  truelayer: bankTransferPayin(germany),
}

async function paid(provider: string): Promise<{ id: string; reference: string }> {
  const { payment_id: id, redirect_url: url } = (await org.initiate(payments[provider] ?? {})).body.response
  if (url) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await (await request(url, { method: 'POST', headers, body: 'decision=pay' })).body.dump()
  }
  await t.simulator.settle({ all: true })
  await org.advance(id)
  expect(await org.record(id)).toMatchObject({ status: 'completed', provider })
  return { id, reference: (await org.attempts(id)).at(-1)?.data.reference }
}

async function reconcile(provider: string): Promise<string[]> {
  clock.pass(11 * minuteMs)
  const { body } = await org.call('POST', '/v1/payments/reconciliation', { provider, since })
  clock.pass(-11 * minuteMs)
  return body.data.findings.map(({ kind }: Json) => kind)
}
const kindsOf = async (id: string): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${id}`)).map(({ kind }) => String(kind)).sort()
const refundsOf = async (id: string): Promise<string[]> =>
  (await org.call('GET', `/v1/payments/${id}/refunds`)).body.data.map(
    ({ origin, amount, status }: Json) => `${origin} ${amount} ${status}`,
  )

describe.each([
  ['flutterwave', 5000],
  ['truelayer', 25],
])('%s', (provider, whole) => {
  it('a refund of a part whose webhook was lost is found by the reconciliation and booked once', async () => {
    const { id, reference } = await paid(provider)
    await t.simulator.refund(provider, { reference, amount: '10.00', silently: true })
    expect(await refundsOf(id)).toEqual([])
    expect(await reconcile(provider)).toEqual(['refund_missed'])
    expect(await refundsOf(id)).toEqual(['provider 10 completed'])
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 10 })
    expect((await org.eventTypes(id)).at(-1)).toBe('payment.refunded')
    expect(await kindsOf(id)).toEqual(['refund_elsewhere', 'refund_missed'])
    expect(await reconcile(provider)).toEqual([])
    expect(await refundsOf(id)).toEqual(['provider 10 completed'])
  })

  it('a refund of the whole is a refund and no reversal', async () => {
    const { id, reference } = await paid(provider)
    await t.simulator.refund(provider, { reference, silently: true })
    await reconcile(provider)
    const refunded = { status: 'refunded', failure: null, refunded_amount: whole }
    expect(await org.record(id)).toMatchObject(refunded)
    expect(await reconcile(provider)).toEqual([])
  })

  it('a refund of ours is not taken for one of somebody else', async () => {
    const { id } = await paid(provider)
    const ours = await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'ours', amount: 5 })
    expect(ours.status).toBe(201)
    await t.simulator.settle({ all: true })
    expect(await reconcile(provider)).toEqual([])
    expect(await refundsOf(id)).toHaveLength(1)
  })
})

describe('truelayer', () => {
  it('a refund from the Console is booked by its webhook, which has no amount, and again by nothing else', async () => {
    const { id, reference } = await paid('truelayer')
    await t.simulator.refund('truelayer', { reference, amount: '10.00' })
    expect(await refundsOf(id)).toEqual(['provider 10 completed'])
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 10 })
    expect((await org.eventTypes(id)).at(-1)).toBe('payment.refunded')
    expect(await kindsOf(id)).toEqual(['refund_elsewhere'])
    expect(await reconcile('truelayer')).toEqual([])
    await t.simulator.refund('truelayer', { reference, amount: '15.00' })
    expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: 25, failure: null })
  })
})

describe('a refund of ours whose outcome the provider changed without a webhook', () => {
  it.each([
    [5.29, 'failed', 0, 'refund_after_failure'],
    [5.25, 'completed', 5.25, 'refund_reversed'],
  ])(
    '%d, %s here, is found by the reconciliation, once, and goes to manual review',
    async (amount, status, refunded, kind) => {
      const { id } = await paid('truelayer')
      await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'ours', amount })
      await t.simulator.settle()
      expect(await refundsOf(id)).toEqual([`api ${amount} ${status}`])
      expect(await reconcile('truelayer')).toEqual([])
      t.simulator.setFaults('truelayer', [{ on: 'webhook', fault: 'webhook_drop', times: 10 }])
      await t.simulator.settle()
      t.simulator.setFaults('truelayer', [])
      expect(await reconcile('truelayer')).toEqual(['refund_missed'])
      expect(await refundsOf(id)).toEqual([`api ${amount} ${status}`])
      expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: refunded })
      expect(await kindsOf(id)).toEqual([kind, 'refund_missed'].sort())
      expect(await reconcile('truelayer')).toEqual([])
    },
  )

  it('is found also when the whole payment was refunded', async () => {
    const { id } = await paid('truelayer')
    for (const amount of [19.75, 5.25]) {
      await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'ours', amount })
      await t.simulator.settle()
    }
    expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: 25 })
    t.simulator.setFaults('truelayer', [{ on: 'webhook', fault: 'webhook_drop', times: 10 }])
    await t.simulator.settle()
    t.simulator.setFaults('truelayer', [])
    expect(await reconcile('truelayer')).toEqual(['refund_missed'])
    expect(await kindsOf(id)).toEqual(['refund_missed', 'refund_reversed'])
    expect(await reconcile('truelayer')).toEqual([])
  })
})

describe('flutterwave', () => {
  it('sends no webhook about a refund, so that the next comparison is the first to know', async () => {
    const { id, reference } = await paid('flutterwave')
    await t.simulator.refund('flutterwave', { reference, amount: '10.00' })
    expect(await refundsOf(id)).toEqual([])
    expect(await reconcile('flutterwave')).toEqual(['refund_missed'])
    expect(await refundsOf(id)).toEqual(['provider 10 completed'])
  })
})
