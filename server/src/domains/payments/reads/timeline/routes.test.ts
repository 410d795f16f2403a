import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../../test/app/people.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

const lines = (entries: readonly Json[], kind: string): string[] =>
  entries.filter((entry) => entry.kind === kind).map((entry) => entry.summary)

describe('200', () => {
  it('the request, decisions, attempts, webhooks, postings and events, oldest first', async () => {
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const id = await org.start(kenyanPayin())
    await org.advance(id)
    await t.simulator.settle()
    const entries = await org.timeline(id)
    expect(lines(entries, 'request')).toEqual(['inbound of 100.00 KES by mobile_money'])
    expect(lines(entries, 'routing')).toEqual(['pawapay, then paystack'])
    expect(lines(entries, 'attempt')).toEqual([
      'attempt 1 at pawapay: declined',
      'attempt 2 at paystack: succeeded',
    ])
    expect(lines(entries, 'inquiry')).toEqual(['asked about attempt 2: accepted'])
    expect(lines(entries, 'webhook')).toEqual(['paystack says success: taken as completed'])
    expect(lines(entries, 'posting')).toEqual([
      expect.stringMatching(/^payin \(posted\): provider:paystack:[0-9a-f-]{36} to available$/),
      expect.stringMatching(/^provider\.cost \(posted\): provider_costs to provider:paystack:/),
    ])
    expect(lines(entries, 'event')).toEqual([
      'payment.processing',
      'transaction.updated',
      'transaction.updated',
      'payment.completed',
      'transaction.updated',
    ])
    const moments: string[] = entries.map((entry) => entry.at)
    expect(moments).toEqual(moments.toSorted())
  })

  it('every considered provider is listed with the reason', async () => {
    const own = { country: 'KE', payment_method: 'mobile_money', direction: 'inbound' }
    const dear = { ...own, provider: 'manual', min_amount: 5000 }
    const foreign = { ...own, provider: 'stripe' }
    for (const config of [dear, foreign]) await org.call('POST', '/v1/payments/provider-configs', config)
    const entries = await org.timeline(await org.start(kenyanPayin()))
    const [{ data }] = entries.filter((entry) => entry.kind === 'routing')
    const reasons = data.considered.map((one: Json) => [one.provider, one.taken, one.reason])
    expect(reasons).toEqual(
      expect.arrayContaining([
        ['manual', false, 'the amount is below its range'],
        ['stripe', false, 'it cannot do this method in this country'],
        ['pawapay', true, 'fits'],
        ['paystack', true, 'fits'],
      ]),
    )
    expect(data.considered[0].config_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('an attempt says what the provider answered, in our words and with its own reference', async () => {
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const [declined, taken] = await org.attempts(await org.start(kenyanPayin()))
    expect(declined.data).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: expect.any(String),
      provider_ref: null,
    })
    expect(taken.data).toMatchObject({ reference: expect.any(String), provider_status: 'pay_offline' })
    expect(t.simulator.log({ reference: taken.data.reference })).toHaveLength(1)
  })

  it('reviews, refunds and the request that began it all are there', async () => {
    const policies = [{ currency: 'NGN', payout_from: 1 }]
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
    const staff = await addPerson(t, org.orgId, 'staff')
    const answer = await org.initiate(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    const held = answer.body.response.payment_id
    const body = { decision: 'approve', comments: 'Seen' }
    await t.call('POST', `/v1/payments/${held}/review`, { as: staff.token, body })
    const entries = await org.timeline(held)
    expect(lines(entries, 'review')).toEqual(['Pat Person decided: approve'])
    expect(entries.find((entry) => entry.kind === 'review').actors).toEqual([
      { user_id: staff.userId, name: 'Pat Person' },
    ])
    expect(entries[0]).toMatchObject({
      kind: 'request',
      data: { request_id: answer.headers['x-request-id'], country: 'NG' },
    })
    const paid = await org.start(cardPayin())
    await org.call('POST', `/v1/payments/${paid}/refund`, { amount: 5, reason: 'Half of it' })
    const refund = (await org.timeline(paid)).find((entry) => entry.kind === 'refund')
    expect(refund).toMatchObject({ summary: 'refund of 5.00 GBP: completed', data: { reason: 'Half of it' } })
  })

  it('neither the card nor the phone number is in it', async () => {
    const card = await org.timeline(await org.start(cardPayin()))
    expect(JSON.stringify(card)).not.toMatch(/42424242|ann@example/)
    const phone = await org.timeline(await org.start(mobileMoneyPayin()))
    expect(JSON.stringify(phone)).not.toContain('783456789')
  })

  it('each state of an attempt has its time, and everything about an attempt its number', async () => {
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const id = await org.start(kenyanPayin())
    await org.advance(id)
    await t.simulator.settle()
    const entries = await org.timeline(id)
    const attempts = entries.filter((entry) => entry.kind === 'attempt')
    const statesOf = (entry: Json) => entry.data.states.map((one: Json) => one.state)
    expect(attempts.map(statesOf)).toEqual([
      ['sending', 'declined'],
      ['sending', 'accepted', 'succeeded'],
    ])
    expect(attempts.map((entry) => entry.attempt_no)).toEqual([1, 2])
    const moments: string[] = attempts.flatMap((entry) => entry.data.states.map((one: Json) => one.at))
    expect(moments).toEqual(moments.toSorted())
    expect(entries.find((entry) => entry.kind === 'inquiry').attempt_no).toBe(2)
    expect(entries.find((entry) => entry.kind === 'webhook').attempt_no).toBe(2)
    expect(entries.find((entry) => entry.kind === 'event').attempt_no).toBeNull()
  })

  it('the ids of the entries are unique, and the same each time', async () => {
    const id = await org.start(cardPayin())
    await org.call('POST', `/v1/payments/${id}/refund`, { amount: 5, reason: 'Half of it' })
    const idsOf = async () => (await org.timeline(id)).map((entry) => entry.entry_id)
    const ids = await idsOf()
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((one) => /^[A-Za-z0-9._-]{4,120}$/.test(one))).toBe(true)
    expect(await idsOf()).toEqual(ids)
  })

  it('the deliveries of its events, each attempt with what the endpoint answered', async () => {
    const own = await openPayments(t)
    const secretPath = 'https://hooks.example.com/secret-path'
    await own.call('POST', '/v1/public/webhooks', { endpoint_url: secretPath, events: ['payment.completed'] })
    const id = await own.start(cardPayin())
    const deliveries = async () => (await own.timeline(id)).filter((entry) => entry.kind === 'delivery')
    const [waiting] = await deliveries()
    expect(waiting).toMatchObject({
      summary: 'payment.completed to hooks.example.com: pending',
      data: { attempts: [], event_id: expect.any(String) },
    })
    await t.owner.query(
      `insert into delivery_attempts (org_id, delivery_id, attempt_no, request_headers, response_status, duration_ms)
       values ($1, $2, 1, '{}', 503, 12)`,
      [own.orgId, waiting.data.delivery_id],
    )
    const [tried] = await deliveries()
    expect(tried.entry_id).toBe(waiting.entry_id)
    expect(tried.data.attempts).toEqual([
      { attempt_no: 1, at: expect.any(String), response_status: 503, error: null, duration_ms: 12 },
    ])
    expect(JSON.stringify(tried)).not.toContain('secret-path')
  })

  it('says when the provider is polled next, until the payment has ended', async () => {
    const id = await org.start(mobileMoneyPayin())
    const metaOf = async (): Promise<Json> => (await org.call('GET', `/v1/payments/${id}/timeline`)).body.meta
    const { rows } = await t.owner.query('select due_at from outbox where outbox_id = $1', [id])
    expect(await metaOf()).toMatchObject({ truncated: false, next_poll_at: rows[0].due_at.toISOString() })
    // The engine has taken the job over, and has asked once.
    await t.owner.query('delete from outbox where outbox_id = $1', [id])
    const before = Date.now()
    await org.advance(id)
    const after = Date.now()
    const next = Date.parse((await metaOf()).next_poll_at)
    const waitMs = t.deps.pollSchedule.acceptedMs[1]!
    expect(next).toBeGreaterThanOrEqual(before + waitMs)
    expect(next).toBeLessThanOrEqual(after + waitMs)
    await t.simulator.settle()
    expect((await metaOf()).next_poll_at).toBeNull()
  })

  it('keeps the newest of very many rows, and says that some are missing', async () => {
    const id = await org.start(mobileMoneyPayin())
    await t.owner.query(
      `insert into inquiries (org_id, payment_id, inquiry_id, attempt_no, result, detail, created_at)
       select $1, $2, uuidv7(n * interval '1 ms'), 1, 'unknown', n, now() from generate_series(1, 501) n`,
      [org.orgId, id],
    )
    const { data, meta } = (await org.call('GET', `/v1/payments/${id}/timeline`)).body
    expect(meta).toMatchObject({ truncated: true, truncated_kinds: ['inquiry'] })
    const details = data
      .filter((entry: Json) => entry.kind === 'inquiry')
      .map((entry: Json) => entry.data.detail)
    expect(details).toHaveLength(500)
    expect(details).not.toContain('1')
    expect(details).toContain('501')
  })

  it('a viewer may read it', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const id = await org.start(cardPayin())
    expect((await t.call('GET', `/v1/payments/${id}/timeline`, { as: viewer.token })).status).toBe(200)
  })
})

describe('404', () => {
  it('a payment of another organisation', async () => {
    const id = await org.start(cardPayin())
    const stranger = await openPayments(t)
    expect((await stranger.call('GET', `/v1/payments/${id}/timeline`)).status).toBe(404)
  })
})
