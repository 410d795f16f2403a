import { pointWebhooks, simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

/** Refunds that somebody makes at the provider itself. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})
afterEach(async () => {
  await pointWebhooks(t.deps, operatorOf(t), t.simulator.url)
  await assertAuditClean(t.owner)
})

const providers: [string, Json, number][] = [
  ['stripe', cardPayin(), 25],
  ['paystack', bankTransferPayin({ amount: 1500, target_amount: 1500 }), 1500],
  ['pawapay', mobileMoneyPayin(), 5000],
]
const paid = async (body: Json): Promise<{ id: string; reference: string }> => {
  const id = await org.start(body)
  await t.simulator.settle({ all: true })
  expect((await org.record(id)).status).toBe('completed')
  return { id, reference: (await org.attempts(id)).at(-1)?.data.reference }
}
const refundsOf = async (id: string): Promise<Json[]> =>
  (await org.call('GET', `/v1/payments/${id}/refunds`)).body.data
const shortly = ({ origin, amount, status }: Json): string => `${origin} ${amount} ${status}`
const kindsOf = async (id: string): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${id}`)).map(({ kind }) => kind)
const resultsOf = async (id: string): Promise<string[]> => {
  const { rows } = await t.owner.query('select result from inbox where payment_id = $1', [id])
  return rows.map(({ result }) => result)
}

describe.each(providers)('%s: a refund from the dashboard', (provider, body, whole) => {
  it('of a part, then of the rest: each is booked once by its webhook, with an event and an exception', async () => {
    const { id, reference } = await paid(body)
    await t.simulator.refund(provider, { reference, amount: '10.00' })
    expect((await refundsOf(id)).map(shortly)).toEqual(['provider 10 completed'])
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 10 })
    expect((await org.eventTypes(id)).at(-1)).toBe('payment.refunded')
    await t.simulator.refund(provider, { reference, amount: `${whole - 10}.00` })
    expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: whole, failure: null })
    expect((await org.eventTypes(id)).slice(-2)).toEqual(['payment.refunded', 'transaction.updated'])
    const [first] = await refundsOf(id)
    expect(await org.postings(first?.refund_id)).toMatchObject([
      { kind: 'refund.elsewhere', phase: 'posted', debit: 'available', credit: `provider:${provider}` },
    ])
    expect(await kindsOf(id)).toEqual(['refund_elsewhere', 'refund_elsewhere'])
  })

  it('that is reported again, and beside a refund of ours, is counted once', async () => {
    const { id, reference } = await paid(body)
    const ours = await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'ours', amount: 5 })
    expect(ours.status).toBe(201)
    const providerRef = await t.simulator.refund(provider, { reference, amount: '10.00' })
    await t.simulator.settle({ all: true })
    await repeat(provider, providerRef)
    expect((await refundsOf(id)).map(shortly)).toEqual(['api 5 completed', 'provider 10 completed'])
    expect((await org.record(id)).refunded_amount).toBe(15)
  })

  it('that exceeds the payment: the excess is missing in suspense until a person settles it', async () => {
    const { id, reference } = await paid(body)
    await t.simulator.refund(provider, { reference, amount: `${whole - 1}.00` })
    await t.simulator.refund(provider, { reference, amount: '3.00' })
    expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: whole })
    const [found] = await org.exceptions('&kind=refund_exceeds_payment')
    expect(found?.held.amount).toBe(-2)
    const path = `/v1/payments/exceptions/${found?.exception_id}/release-money`
    const refused = await org.call('POST', path, { outcome: 'returned', comment: 'It came back' })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('Only the operator can say'),
    ])
    expect((await org.call('POST', path, { outcome: 'kept', comment: 'We pay it' })).status).toBe(200)
    expect(await org.postings(found?.exception_id)).toMatchObject([
      { kind: 'suspense.kept', debit: 'available', credit: 'suspense' },
    ])
  })

  it('with a forged signature changes nothing', async () => {
    const { id, reference } = await paid(body)
    const providerRef = await t.simulator.refund(provider, { reference, amount: '10.00', silently: true })
    await send(provider, { reference: providerRef, forge: true })
    expect(await refundsOf(id)).toEqual([])
    expect(await resultsOf(id)).not.toContain('refund at the provider completed')
  })

  it('at the address of another account is kept and raised, and changes nothing', async () => {
    const { id, reference } = await paid(body)
    const credentials = simulatorCredentials(t.simulator.url)[provider]
    const stored = await org.call('PUT', `/v1/payments/provider-credentials/${provider}`, { credentials })
    t.simulator.configure(provider, { account: 'default', webhook_url: stored.body.data.webhook_url })
    await t.simulator.refund(provider, { reference, amount: '10.00' })
    expect(await refundsOf(id)).toEqual([])
    expect((await org.exceptions()).map(({ kind }) => kind)).toContain('message_from_other_account')
  })
})

const send = (provider: string, body: Json): Promise<Response> =>
  fetch(`${t.simulator.url}/${provider}/_webhooks/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const repeat = (provider: string, reference: string) => send(provider, { reference, duplicate: true })

describe('adyen, at an account of the organisation', () => {
  it('a refund from the dashboard is booked in its own custody', async () => {
    await org.ownAccount('adyen', simulatorCredentials(t.simulator.url)['adyen'] ?? {}, 'default')
    const { id, reference } = await paid(
      cardPayin({ country: 'DE', currency: 'EUR', target_currency: 'EUR' }),
    )
    expect((await org.record(id)).provider).toBe('adyen')
    await t.simulator.refund('adyen', { reference, amount: '10.00' })
    const [refund] = await refundsOf(id)
    expect(shortly(refund ?? {})).toBe('provider 10 completed')
    expect(await org.postings(refund?.refund_id)).toMatchObject([
      { kind: 'refund.elsewhere', debit: 'available:own', credit: 'provider:adyen', minor: '1000' },
    ])
  })
})
