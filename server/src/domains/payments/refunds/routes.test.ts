import { storeSimulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  createTestClock,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
  operatorOf,
  storeInstallationKeys,
} from '../../../../test/worlds/test-payments.ts'
import { advanceRefund } from './advance-refund.ts'

const twoWeeksMs = 14 * 24 * 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
beforeEach(async () => {
  for (const provider of ['pawapay', 'paystack', 'stripe']) t.simulator.setFaults(provider, [])
  await storeSimulatorCredentials(t.deps, operatorOf(t), t.simulator.url)
  org = await openPayments(t)
})

const refund = (id: string, body: Json = {}, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/refund`, { as, body: { reason: 'Returned goods', ...body } })
const listed = async (id: string): Promise<Json[]> =>
  (await org.call('GET', `/v1/payments/${id}/refunds`)).body.data
const poll = (refundId: string): Promise<number | undefined> =>
  advanceRefund(t.deps, { orgId: org.orgId, refundId, poll: 0 })
const refundsAccepted = (after: number): number =>
  t.simulator.log({ afterSequence: after }).filter(({ kind }) => kind === 'refund').length
const sequence = (): number => t.simulator.log().at(-1)?.sequence ?? 0
const paid = async (body: Json): Promise<string> => {
  const id = await org.start(body)
  await t.simulator.settle()
  expect((await org.record(id)).status).toBe('completed')
  return id
}

/** Of the refund's hold and of its end. */
const phases = async (refundId: string): Promise<string[]> =>
  (await org.postings(refundId)).map(({ phase }) => phase)

describe('201', () => {
  it('in full: the payment is refunded, and the money leaves what is available', async () => {
    const id = await paid(cardPayin())
    const answer = await refund(id)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      payment_id: id,
      amount: 25,
      currency: 'GBP',
      reason: 'Returned goods',
      status: 'completed',
      provider: 'stripe',
      failure: null,
    })
    expect(answer.text).toContain('"amount":25.00')
    expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: 25 })
    const amount = { debit: 'available', credit: 'provider:stripe', currency: 'GBP', minor: '2500' }
    expect(await org.postings(answer.body.data.refund_id)).toEqual([
      { kind: 'refund', phase: 'pending', ...amount },
      { kind: 'refund.resolved', phase: 'post', ...amount },
    ])
    expect((await org.eventTypes(id)).at(-1)).toBe('transaction.updated')
    expect((await org.timeline(id)).find(({ kind }) => kind === 'refund').summary).toBe(
      'refund of 25.00 GBP: completed',
    )
  })

  it.each([
    ['pawapay, which tells of it by webhook', mobileMoneyPayin()],
    ['paystack, whose webhook names only the payment', bankTransferPayin()],
  ])('at %s: processing first, then completed, and nobody is bothered', async (_name, body) => {
    const id = await paid(body)
    const answer = await refund(id)
    expect([answer.status, answer.body.data.status]).toEqual([201, 'processing'])
    expect((await org.record(id)).status).toBe('completed')
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('refunded')
    expect(await listed(id)).toMatchObject([{ status: 'completed' }])
    expect(await org.exceptions()).toEqual([])
  })

  it('in two parts: the first leaves it completed, the rest makes it refunded', async () => {
    const id = await paid(cardPayin())
    expect((await refund(id, { amount: 10.5 })).body.data.status).toBe('completed')
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 10.5 })
    expect((await refund(id)).body.data.amount).toBe(14.5)
    expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: 25 })
    expect((await listed(id)).map(({ amount, status }) => [amount, status])).toEqual([
      [10.5, 'completed'],
      [14.5, 'completed'],
    ])
  })

  it.each(['timeout_after', 'error_500_accepted', 'cut_answer', 'malformed_200'] as const)(
    '%s: its outcome is not known, until the provider is asked',
    async (fault) => {
      await storeInstallationKeys(t, 'pawapay', {
        apiToken: 'pawapay-sandbox-token',
        baseUrl: `${t.simulator.url}/pawapay`,
        timeoutMs: 1_500,
      })
      const id = await paid(mobileMoneyPayin())
      const before = sequence()
      t.simulator.setFaults('pawapay', [
        { on: 'refund', fault },
        { on: 'webhook', fault: 'webhook_drop', times: 10 },
      ])
      const { refund_id, status } = (await refund(id)).body.data
      expect(status).toBe('processing')
      expect((await refund(id)).status).toBe(409)
      await poll(refund_id)
      expect((await org.record(id)).status).toBe('completed')
      await t.simulator.settle()
      expect(await poll(refund_id)).toBeUndefined()
      expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: 5000 })
      expect(refundsAccepted(before)).toBe(1)
      expect(await phases(refund_id)).toEqual(['pending', 'post'])
    },
  )

  it('declined by the provider: failed with the reason, its hold released, and it may be tried again', async () => {
    const id = await paid(cardPayin())
    t.simulator.setFaults('stripe', [{ on: 'refund', fault: 'decline', reason: 'insufficient_funds' }])
    const { refund_id, status, failure } = (await refund(id)).body.data
    expect([status, failure.code]).toEqual(['failed', 'PROVIDER_OUT_OF_FUNDS'])
    expect(await phases(refund_id)).toEqual(['pending', 'void'])
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 0 })
    expect((await refund(id)).body.data.status).toBe('completed')
  })

  it('a provider that cannot be reached: failed, nothing moved, and it may be tried again', async () => {
    const credentials = { apiToken: 'pawapay-sandbox-token', baseUrl: `${t.simulator.url}/pawapay` }
    const use = (baseUrl: string): Promise<CallAnswer> =>
      storeInstallationKeys(t, 'pawapay', { ...credentials, baseUrl })
    const id = await paid(mobileMoneyPayin())
    await use('http://127.0.0.1:1')
    expect((await refund(id)).body.data).toMatchObject({
      status: 'failed',
      failure: { code: 'REFUND_NOT_SENT' },
    })
    await use(credentials.baseUrl)
    expect((await refund(id)).body.data.status).toBe('processing')
  })

  it('accepted, then failed at the provider: the payment remains completed', async () => {
    const id = await paid(cardPayin())
    await refund(id, { amount: 5.14 })
    await t.simulator.settle()
    expect(await listed(id)).toMatchObject([{ status: 'failed' }])
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 0 })
  })

  it.each([
    ['the refund', cardPayin],
    ['only the payment', bankTransferPayin],
  ])(
    'one that completes after it failed, in messages that name %s, goes to manual review: nothing is posted',
    async (_named, payin) => {
      const id = await paid(payin())
      const { refund_id } = (await refund(id, { amount: 5.29 })).body.data
      await t.simulator.settle({ all: true })
      expect(await listed(id)).toMatchObject([{ status: 'failed' }])
      expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'refund_after_failure' }])
      expect(await phases(refund_id)).toEqual(['pending', 'void'])
    },
  )

  it('after two weeks without an answer an exception is raised, and it remains open', async () => {
    const id = await paid(mobileMoneyPayin())
    t.simulator.setFaults('pawapay', [
      { on: 'refund', fault: 'down' },
      { on: 'inquire', fault: 'error_500', times: 10 },
    ])
    const { refund_id } = (await refund(id)).body.data
    expect(await poll(refund_id)).toBe(5_000)
    clock.pass(twoWeeksMs)
    const nextPollMs = await poll(refund_id)
    clock.pass(-twoWeeksMs)
    expect(nextPollMs).toBe(24 * 60 * 60_000)
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'refund_unknown' }])
    expect(await listed(id)).toMatchObject([{ status: 'processing' }])
  })
})

describe('400', () => {
  it('more than what is left, at first and after a part of it went back', async () => {
    const id = await paid(cardPayin())
    const before = sequence()
    expect((await refund(id, { amount: 25.01 })).status).toBe(400)
    await refund(id, { amount: 20 })
    const answer = await refund(id, { amount: 5.01 })
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'amount'])
    expect(refundsAccepted(before)).toBe(1)
  })

  it.each([
    { amount: 0 },
    { amount: -1 },
    { amount: 1.005 },
    { amount: '5' },
    { amount: 1e40 },
    { amount: null },
    { reason: '' },
    { reason: undefined },
    { reason: 'x'.repeat(501) },
  ])('%j', async (body) => {
    const id = await paid(cardPayin())
    const before = sequence()
    expect((await refund(id, body)).status).toBe(400)
    expect(refundsAccepted(before)).toBe(0)
  })
})

describe('403', () => {
  it('a viewer refunds nothing', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const id = await paid(cardPayin())
    expect((await refund(id, {}, viewer.token)).status).toBe(403)
  })
})

describe('404', () => {
  it('a payment of another organisation, to refund or to list', async () => {
    const stranger = await openPayments(t)
    const id = await paid(cardPayin())
    expect((await refund(id, {}, stranger.credential)).status).toBe(404)
    expect((await stranger.call('GET', `/v1/payments/${id}/refunds`)).status).toBe(404)
    expect((await org.record(id)).status).toBe('completed')
  })
})

describe('409', () => {
  it('while another is under way', async () => {
    const id = await paid(mobileMoneyPayin())
    await refund(id, { amount: 1000 })
    expect((await refund(id, { amount: 1000 })).status).toBe(409)
    await t.simulator.settle()
    expect((await refund(id, { amount: 1000 })).status).toBe(201)
  })

  it('several at the same moment: one is sent', async () => {
    const id = await paid(mobileMoneyPayin())
    const before = sequence()
    const answers = await Promise.all(Array.from({ length: 4 }, () => refund(id)))
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['201', '409', '409', '409'])
    expect(refundsAccepted(before)).toBe(1)
  })

  it('what was not collected cannot be given back: open, failed, paid out, or refunded already', async () => {
    const card_details = { ...cardPayin().card_details, card_number: '4000000000009995' }
    const failed = await org.start(cardPayin({ card_details }))
    const out = await paid(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    const refunded = await paid(cardPayin())
    await refund(refunded)
    const open = await org.start(mobileMoneyPayin())
    const before = sequence()
    for (const id of [open, failed, out, refunded]) expect((await refund(id)).status).toBe(409)
    expect(refundsAccepted(before)).toBe(0)
  })

  it('a provider that cannot refund', async () => {
    const money = { amount: 5000, target_amount: 5000, currency: 'UGX', target_currency: 'UGX' }
    const id = await org.start(bankTransferPayin({ country: 'UG', ...money }))
    await t.call('POST', `/v1/payments/${id}/confirm`, {
      as: t.seed.platformAdmin.api_key,
      body: { outcome: 'completed' },
    })
    expect((await refund(id)).status).toBe(409)
  })
})
