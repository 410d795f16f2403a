import { beforeEach, describe, expect, it } from 'vitest'
import type { FaultInput } from '@switchyard/simulator/core/faults.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { openMatch } from '../testing/open-doors.ts'
import {
  cardPayin,
  createTestClock,
  mobileMoneyBeneficiary,
  ghanaianPayin,
  kenyanPayin,
  mobileMoneyPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
  storeInstallationKeys,
} from '../../../../test/worlds/test-payments.ts'

const minuteMs = 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  for (const provider of ['pawapay', 'paystack', 'stripe']) t.simulator.setFaults(provider, [])
  org = await openPayments(t)
  await org.networks({ country: 'KE' })
  await usePawapay({})
})

/** The first of two providers in Kenya, with a client that gives up soon. */
async function usePawapay(change: object): Promise<void> {
  await storeInstallationKeys(t, 'pawapay', {
    apiToken: 'pawapay-sandbox-token',
    baseUrl: `${t.simulator.url}/pawapay`,
    timeoutMs: 1_500,
    ...change,
  })
  // Nothing of this test was sent under the former keys.
  clock.pass(20_000)
}
const breakWith = (fault: FaultInput['fault'], more: Partial<FaultInput> = {}): void =>
  t.simulator.setFaults('pawapay', [
    { on: 'collect', fault, ...more },
    { on: 'webhook', fault: 'webhook_drop', times: 10 },
  ])
const states = async (id: string): Promise<string[]> =>
  (await org.attempts(id)).map(({ summary }) => summary.replace(/^attempt \d+ at /, ''))
const providers = async (id: string): Promise<string[]> =>
  (await org.accepted(id)).map(({ provider }) => provider)

describe('a definite refusal at the first provider', () => {
  it('a refused connection: the second takes it', async () => {
    await usePawapay({ baseUrl: 'http://127.0.0.1:1' })
    const answer = await org.initiate(kenyanPayin())
    expect(answer.body.response).toMatchObject({ status: 'pending', provider: 'paystack' })
    const id = answer.body.response.payment_id
    expect(await states(id)).toEqual(['pawapay: not_sent', 'paystack: accepted'])
    expect(await providers(id)).toEqual(['paystack'])
  })

  it('declined, and another may take it: the second does', async () => {
    breakWith('decline')
    const id = await org.start(kenyanPayin())
    expect(await states(id)).toEqual(['pawapay: declined', 'paystack: accepted'])
    await t.simulator.settle()
    expect(await org.record(id)).toMatchObject({ status: 'completed', provider: 'paystack', failure: null })
    expect(await providers(id)).toEqual(['paystack'])
    expect(await org.postings(id)).toMatchObject([
      { kind: 'payin', debit: 'provider:paystack' },
      { kind: 'provider.cost', credit: 'provider:paystack' },
    ])
  })

  it('declined for good: failed with that reason, and no second is asked', async () => {
    t.simulator.setFaults('paystack', [{ on: 'collect', fault: 'decline', reason: 'insufficient_funds' }])
    const answer = await org.initiate(ghanaianPayin())
    expect(answer.status).toBe(502)
    const id = answer.body.payment_id
    expect(await states(id)).toEqual(['paystack: declined'])
    expect((await org.record(id)).failure.code).toBe('INSUFFICIENT_FUNDS')
    expect(await providers(id)).toEqual([])
  })

  it('what the customer was prompted for and did not approve is asked of no second', async () => {
    const mobile_money_details = { provider: 'MPESA', phone_number: '254708663039' }
    const id = await org.start(kenyanPayin({ mobile_money_details }))
    await t.simulator.settle()
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'NOT_APPROVED' } })
    expect(await states(id)).toEqual(['pawapay: failed'])
  })
})

/** The call gave no usable answer: whatever happened, the response asks the caller to poll. */
async function startUnknown(body: Json): Promise<string> {
  const answer = await org.initiate(body)
  expect(answer.body.response).toMatchObject({
    success: true,
    status: 'processing',
    next_action: 'check_status',
    provider: 'pawapay',
  })
  expect(answer.body.response.message).toContain('do not send it again')
  return answer.body.response.payment_id
}

/** With an error for which another provider may be asked. */
const declinedCard = { card_number: '4000000000000119', expiry_month: '12', expiry_year: '2031', cvv: '123' }

/** The payment whose first attempt has been written, while its call is under way. */
async function firstAttempt(): Promise<string> {
  let paymentId: string | undefined
  await until('the first attempt', async () => {
    const { rows } = await t.owner.query<{ payment_id: string }>(
      'select payment_id from attempts where org_id = $1',
      [org.orgId],
    )
    paymentId = rows[0]?.payment_id
    return paymentId !== undefined
  })
  return paymentId ?? ''
}

describe('an unknown outcome at the first provider, which has not taken it', () => {
  it.each(['timeout_before', 'error_500', 'rate_limit', 'down', 'refuse'] as const)(
    '%s: no second until "not found" has been said twice, after the window',
    async (fault) => {
      breakWith(fault)
      const id = await startUnknown(kenyanPayin())
      const first = await org.advance(id)
      expect(first.nextPollMs).toBe(5_000)
      await org.advance(id)
      await org.advance(id)
      expect(await states(id)).toEqual(['pawapay: unknown'])
      expect(await providers(id)).toEqual([])
      clock.pass(15 * minuteMs)
      await org.advance(id)
      expect(await states(id)).toEqual(['pawapay: not_sent', 'paystack: accepted'])
      expect(await providers(id)).toEqual(['paystack'])
      expect((await org.record(id)).provider).toBe('paystack')
    },
  )

  it('a payer whose name is being checked meanwhile: the last route waits for the check', async () => {
    breakWith('down')
    const id = await startUnknown(kenyanPayin())
    await openMatch(t.owner, { orgId: org.orgId, paymentId: id, status: 'open' })
    clock.pass(16 * minuteMs)
    await org.advance(id)
    await org.advance(id)
    expect(await states(id)).toEqual(['pawapay: not_sent'])
    expect((await org.record(id)).status).toBe('processing')
    await openMatch(t.owner, { orgId: org.orgId, paymentId: id, status: 'cleared' })
    await org.advance(id)
    expect(await states(id)).toEqual(['pawapay: not_sent', 'paystack: accepted'])
  })

  it('a card whose payer is checked between two routes is not sent without its card when the check ends', async () => {
    const second = {
      provider: 'adyen',
      country: 'GB',
      payment_method: 'card',
      direction: 'inbound',
      priority: 900,
    }
    const as = t.seed.platformAdmin.api_key
    const opened = await t.call('POST', '/v1/payments/provider-configs', {
      as,
      body: { ...second, org_id: null },
    })
    expect(opened.status).toBe(201)
    t.simulator.setFaults('stripe', [{ on: 'collect', fault: 'latency', ms: 1_500 }])
    const answer = org.initiate(cardPayin({ card_details: declinedCard }))
    const paymentId = await firstAttempt()
    await openMatch(t.owner, { orgId: org.orgId, paymentId, status: 'open' })
    expect((await answer).body.response).toMatchObject({ payment_id: paymentId, status: 'confirmed' })
    expect(await states(paymentId)).toEqual(['stripe: declined'])
    await openMatch(t.owner, { orgId: org.orgId, paymentId, status: 'cleared' })
    await org.advance(paymentId)
    expect(await states(paymentId)).toEqual(['stripe: declined'])
    expect(await org.record(paymentId)).toMatchObject({
      status: 'failed',
      failure: { code: 'CARD_DETAILS_GONE' },
    })
    expect(await providers(paymentId)).toEqual([])
  })

  it('an inquiry that itself fails changes nothing and starts the count anew', async () => {
    breakWith('down')
    const id = await startUnknown(kenyanPayin())
    clock.pass(16 * minuteMs)
    await org.advance(id)
    t.simulator.setFaults('pawapay', [{ on: 'inquire', fault: 'error_500' }])
    await org.advance(id)
    await org.advance(id)
    expect(await states(id)).toEqual(['pawapay: unknown'])
    await org.advance(id)
    expect(await states(id)).toEqual(['pawapay: not_sent', 'paystack: accepted'])
    const inquiries = (await org.timeline(id)).filter(({ kind }) => kind === 'inquiry')
    expect(inquiries.map(({ summary }) => summary.replace(/^.*: /, ''))).toEqual([
      'not_found',
      'unknown',
      'not_found',
      'not_found',
    ])
    expect(await providers(id)).toEqual(['paystack'])
  })

  it('after a day without an answer an exception is raised, and the payment remains processing', async () => {
    breakWith('down')
    const id = await startUnknown(kenyanPayin())
    t.simulator.setFaults('pawapay', [{ on: 'inquire', fault: 'error_500', times: 10 }])
    await org.advance(id)
    clock.pass(25 * 60 * minuteMs)
    expect((await org.advance(id)).nextPollMs).toBe(24 * 60 * minuteMs)
    await org.advance(id)
    expect((await org.record(id)).status).toBe('processing')
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([
      { kind: 'outcome_unknown', status: 'open', suggested_action: expect.any(String) },
    ])
    expect(await states(id)).toEqual(['pawapay: unknown'])
  })

  it('a card that never arrived is failed with words that say so: it cannot be sent again', async () => {
    t.simulator.setFaults('stripe', [{ on: 'collect', fault: 'down' }])
    const answer = await org.initiate(cardPayin())
    expect(answer.body.response).toMatchObject({ status: 'processing', next_action: 'check_status' })
    const id = answer.body.response.payment_id
    clock.pass(61 * minuteMs)
    await org.advance(id)
    expect((await org.record(id)).status).toBe('processing')
    await org.advance(id)
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'CARD_DETAILS_GONE' } })
    expect(await providers(id)).toEqual([])
  })
})

describe('an unknown outcome at the first provider, which has taken it', () => {
  it.each(['timeout_after', 'error_500_accepted', 'cut_answer', 'malformed_200'] as const)(
    '%s: never a second, and the inquiry completes it',
    async (fault) => {
      breakWith(fault)
      const id = await startUnknown(kenyanPayin())
      expect(await providers(id)).toEqual(['pawapay'])
      clock.pass(60 * minuteMs)
      await org.advance(id)
      expect(await org.record(id)).toMatchObject({ status: 'pending', provider: 'pawapay' })
      await t.simulator.settle()
      await org.advance(id)
      expect(await org.record(id)).toMatchObject({ status: 'completed', provider: 'pawapay' })
      expect(await states(id)).toEqual(['pawapay: succeeded'])
      expect(await providers(id)).toEqual(['pawapay'])
      expect(await org.postings(id)).toHaveLength(1)
      expect((await org.eventTypes(id)).filter((type) => type !== 'transaction.updated')).toEqual([
        'payment.processing',
        'payment.completed',
      ])
    },
  )

  it('a payout whose answer was lost is paid once, and its hold posted once', async () => {
    const beneficiary = await org.addBeneficiary(mobileMoneyBeneficiary())
    t.simulator.setFaults('pawapay', [{ on: 'payout', fault: 'timeout_after' }])
    const id = await startUnknown(mobileMoneyPayout(beneficiary))
    await org.advance(id)
    await t.simulator.settle()
    await org.advance(id)
    expect((await org.record(id)).status).toBe('completed')
    expect(await org.accepted(id)).toHaveLength(1)
    expect((await org.postings(id)).map(({ kind }) => kind)).toEqual([
      'payout.hold',
      'payout.hold.resolved',
      'payout.settled',
    ])
  })
})

describe('an unhealthy provider', () => {
  it('is moved to the end after five calls in a row that did not get through, and back after a rest', async () => {
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'error_500', times: 5 }])
    for (let times = 0; times < 5; times++) await startUnknown(kenyanPayin())
    const sixth = await org.start(kenyanPayin())
    expect((await org.record(sixth)).provider).toBe('paystack')
    clock.pass(31_000)
    expect((await org.record(await org.start(kenyanPayin()))).provider).toBe('pawapay')
    const routing = (await org.timeline(sixth)).find(({ kind }) => kind === 'routing')
    expect(routing.summary).toBe('paystack, then pawapay')
    expect(JSON.stringify(routing.data)).toContain('unhealthy: moved to the end')
  })
})
