import { beforeEach, describe, expect, it } from 'vitest'
import { adjustableDeclines } from '../../routing/policies/record.ts'
import {
  cardPayin,
  createTestClock,
  ghanaianPayin,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { advancePayment } from '../supervision/advance-payment.ts'
import { applyFact } from '../attempts/apply-fact.ts'
import { loadPayment } from '../reads/get-payment.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  for (const provider of ['pawapay', 'paystack', 'stripe']) t.simulator.setFaults(provider, [])
  org = await openPayments(t)
})

async function publish(fallback: object): Promise<void> {
  const document = { rules: [], otherwise: { type: 'priority' }, fallback }
  const draft = await org.call('PUT', '/v1/routing/policies/draft', { document })
  const path = `/v1/routing/policies/${draft.body.data.version}/publish`
  expect((await org.call('POST', path, {})).status).toBe(200)
}
const states = async (id: string): Promise<string[]> =>
  (await org.attempts(id)).map(({ summary }) => summary.replace(/^attempt \d+ at /, ''))

const minutesOf = ({ nextPollMs = 0 }: { nextPollMs: number | undefined }): number =>
  Math.ceil(nextPollMs / 60_000)

describe('a decline that the policy says something about', () => {
  it('next: another provider is asked, although the connector would stop', async () => {
    await publish({ INSUFFICIENT_FUNDS: 'next' })
    t.simulator.setFaults('paystack', [{ on: 'collect', fault: 'decline', reason: 'insufficient_funds' }])
    const id = await org.start(ghanaianPayin())
    expect(await states(id)).toEqual(['paystack: declined', expect.stringContaining(': accepted')])
  })

  it('stop: no other provider is asked, although the connector would go on', async () => {
    await publish({ PROVIDER_UNAVAILABLE: 'stop' })
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const answer = await org.initiate(kenyanPayin())
    expect(answer.status).toBe(502)
    expect(await states(answer.body.payment_id)).toEqual(['pawapay: declined'])
  })

  it('later: the same provider is asked again, twice at most, and then as the connector suggests', async () => {
    await publish({ PROVIDER_UNAVAILABLE: 'later' })
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline', times: 3 }])
    const { body } = await org.initiate(kenyanPayin())
    expect(body.response).toMatchObject({ status: 'confirmed', next_action: 'check_status' })
    const id = body.response.payment_id
    expect(await states(id)).toEqual(['pawapay: declined'])
    expect(minutesOf(await org.advance(id))).toBe(1)
    expect(await states(id)).toEqual(['pawapay: declined'])
    clock.pass(60_000)
    expect(minutesOf(await org.advance(id))).toBe(5)
    expect(await states(id)).toEqual(['pawapay: declined', 'pawapay: declined'])
    clock.pass(300_000)
    await org.advance(id)
    expect(await states(id)).toEqual([
      ...Array.from({ length: 3 }, () => 'pawapay: declined'),
      'paystack: accepted',
    ])
  })

  it('later: a provider that has recovered takes the payment', async () => {
    await publish({ PROVIDER_UNAVAILABLE: 'later' })
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline', times: 1 }])
    const { body } = await org.initiate(kenyanPayin())
    const id = body.response.payment_id
    clock.pass(60_000)
    await org.advance(id)
    expect(await states(id)).toEqual(['pawapay: declined', 'pawapay: accepted'])
    expect(await org.accepted(id)).toHaveLength(1)
  })

  it('later: a process that gives up the attempt too late does not take its decline for an unknown outcome', async () => {
    await publish({ PROVIDER_UNAVAILABLE: 'later' })
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline', times: 1 }])
    const { body } = await org.initiate(kenyanPayin())
    const id = body.response.payment_id
    const lost = { kind: 'unknown', reason: 'the sender stopped' } as const
    await applyFact(t.deps, await loadPayment(t.deps, org.orgId, id), lost, { attemptNo: 1, canSend: false })
    expect((await org.attempts(id))[0]?.data.code).toBe('PROVIDER_UNAVAILABLE')
    clock.pass(60_000)
    await org.advance(id)
    expect(await states(id)).toEqual(['pawapay: declined', 'pawapay: accepted'])
  })

  it('later: a payment that can no longer be repeated, after a change of the schedule, has failed', async () => {
    await publish({ PROVIDER_UNAVAILABLE: 'later' })
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline', times: 1 }])
    const { body } = await org.initiate(mobileMoneyPayin())
    const paymentId = body.response.payment_id
    const pollSchedule = { ...t.deps.pollSchedule, repeatMs: [] }
    await advancePayment({ ...t.deps, pollSchedule }, { orgId: org.orgId, paymentId })
    expect(await org.record(paymentId)).toMatchObject({
      status: 'failed',
      failure: { code: 'PROVIDER_UNAVAILABLE' },
    })
  })

  it('later: a payment that waits to be repeated can be canceled, and is not sent again', async () => {
    await publish({ PROVIDER_UNAVAILABLE: 'later' })
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline', times: 1 }])
    const { body } = await org.initiate(kenyanPayin())
    const id = body.response.payment_id
    expect((await org.call('POST', `/v1/payments/${id}/cancel`, {})).status).toBe(200)
    clock.pass(60_000)
    expect((await org.advance(id)).nextPollMs).toBeUndefined()
    expect(await states(id)).toEqual(['pawapay: declined'])
    expect((await org.record(id)).status).toBe('canceled')
  })

  it('later: a card is gone by then, so the connector’s suggestion counts', async () => {
    await publish({ PROVIDER_UNAVAILABLE: 'later' })
    t.simulator.setFaults('stripe', [{ on: 'collect', fault: 'decline' }])
    const answer = await org.initiate(cardPayin())
    const id = answer.body.payment_id ?? answer.body.response.payment_id
    expect((await states(id))[0]).toBe('stripe: declined')
    expect((await org.record(id)).status).not.toBe('confirmed')
  })

  it('a payment keeps the table that it was routed with, and no table covers an unknown outcome', async () => {
    await publish(Object.fromEntries(adjustableDeclines.map((code) => [code, 'next'])))
    t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'error_500' }])
    const { body } = await org.initiate(kenyanPayin())
    expect(await states(body.response.payment_id)).toEqual(['pawapay: unknown'])
    const { rows } = await t.owner.query<{ codes: string[] }>(
      `select array(select jsonb_object_keys(routing->'fallback')) as codes from payments where payment_id = $1`,
      [body.response.payment_id],
    )
    expect(rows[0]?.codes.toSorted()).toEqual([...adjustableDeclines])
  })
})

describe('400', () => {
  it.each(['NOT_APPROVED', 'AUTHENTICATION_FAILED', 'SUSPECTED_FRAUD', 'EXPIRED', 'UNKNOWN'])(
    '%s cannot be adjusted',
    async (code) => {
      const document = { rules: [], otherwise: { type: 'priority' }, fallback: { [code]: 'next' } }
      expect((await org.call('PUT', '/v1/routing/policies/draft', { document })).status).toBe(400)
    },
  )
})
