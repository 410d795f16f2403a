import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  for (const provider of ['pawapay', 'stripe']) t.simulator.setFaults(provider, [])
  org = await openPayments(t)
})

const cancel = (id: string, as = org.credential): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/cancel`, { as })
/** The installation's manual payments are the operator's to confirm. */
const confirm = (id: string, body: Json, as = t.seed.platformAdmin.api_key): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/confirm`, { as, body })
const needsSecure = (): Json =>
  cardPayin({ card_details: { ...cardPayin().card_details, card_number: '4000000000003220' } })
const manual = (): Json =>
  bankTransferPayin({
    country: 'UG',
    amount: 5000,
    target_amount: 5000,
    currency: 'UGX',
    target_currency: 'UGX',
  })

/** A payout that needs approval, with the given number of approvals. */
async function startHeld(approvals: number): Promise<string> {
  const policies = [{ currency: 'NGN', payout_from: 1 }]
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
  const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
  for (let times = 0; times < approvals; times++) {
    const { token } = await addPerson(t, org.orgId, 'org-admin')
    await t.call('POST', `/v1/payments/${id}/review`, { as: token, body: { decision: 'approve' } })
  }
  return id
}

describe('200: cancel', () => {
  it.each([
    ['initiated', 0],
    ['reviewed', 1],
    ['confirmed', 2],
  ])(
    '%s: nothing was sent, so it is ours to cancel, and nothing is sent later',
    async (status, approvals) => {
      const id = await startHeld(approvals)
      expect((await org.record(id)).status).toBe(status)
      const answer = await cancel(id)
      expect([answer.status, answer.body.status]).toEqual([200, 'canceled'])
      await org.advance(id)
      expect(await org.accepted(id)).toEqual([])
      const phases = (await org.postings(id)).map(({ phase }) => phase)
      expect(phases).toEqual(approvals === 2 ? ['pending', 'void'] : [])
    },
  )

  it('pending at a provider that can: it is asked, and the payment ends by its word', async () => {
    const id = await org.start(needsSecure())
    const answer = await cancel(id)
    expect([answer.status, answer.body.status, answer.body.instructions]).toEqual([200, 'canceled', null])
    expect(t.simulator.transactions('stripe').at(-1)?.state).toBe('canceled')
    expect(await org.eventTypes(id)).not.toContain('payment.failed')
  })

  it('processing at a provider that can: the hold is released when it says that it let go', async () => {
    t.simulator.configure('pawapay', { options: { MTN_MOMO_UGA: 'DELAYED' } })
    const id = await org.start(mobileMoneyPayout(await org.addBeneficiary(mobileMoneyBeneficiary())))
    expect((await cancel(id)).status).toBe(200)
    await t.simulator.settle()
    await org.advance(id)
    t.simulator.configure('pawapay', { options: { MTN_MOMO_UGA: 'OPERATIONAL' } })
    expect((await org.record(id)).status).toBe('canceled')
    expect((await org.postings(id)).map(({ phase }) => phase)).toEqual(['pending', 'void'])
  })

  it('a message that a canceled payment was paid changes nothing if the provider denies it', async () => {
    const id = await org.start(needsSecure())
    await cancel(id)
    const [{ data }] = await org.attempts(id)
    await fetch(`${t.simulator.url}/stripe/_webhooks/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference: data.reference, event: 'payment_intent.succeeded' }),
    })
    expect((await org.record(id)).status).toBe('canceled')
    expect(await org.exceptions(`&payment_id=${id}`)).toEqual([])
    expect(await org.postings(id)).toEqual([])
  })
})

describe('200: confirm', () => {
  it('a manual payin that arrived is completed and posted', async () => {
    const id = await org.start(manual())
    const answer = await confirm(id, { outcome: 'completed', comments: 'Statement of Monday' })
    expect([answer.status, answer.body.status]).toEqual([200, 'completed'])
    expect(await org.postings(id)).toMatchObject([
      { kind: 'payin', debit: 'provider:manual', credit: 'available', currency: 'UGX', minor: '5000' },
    ])
    expect((await confirm(id, { outcome: 'completed' }, org.credential)).status).toBe(409)
    expect(await org.postings(id)).toHaveLength(1)
  })

  it('a manual payout that failed releases its hold', async () => {
    const british = { currency: 'GBP', target_currency: 'GBP', country: 'GB' }
    const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary()), british))
    const answer = await confirm(id, { outcome: 'failed' })
    expect(answer.body).toMatchObject({ status: 'failed', failure: { code: 'CONFIRMED_FAILED' } })
    expect((await org.postings(id)).map(({ phase }) => phase)).toEqual(['pending', 'void'])
  })

  it('a payin at the organisation’s own manual account is its own to confirm', async () => {
    await org.ownAccount('manual', {})
    const id = await org.start(manual())
    expect((await confirm(id, { outcome: 'completed' }, org.credential)).status).toBe(403)
    const { token } = await addPerson(t, org.orgId, 'staff')
    const answer = await confirm(id, { outcome: 'completed' }, token)
    expect([answer.status, answer.body.status]).toEqual([200, 'completed'])
    expect(await org.postings(id)).toMatchObject([{ kind: 'payin', credit: 'available:own' }])
  })

  it('until a person confirms it, polling changes nothing', async () => {
    const id = await org.start(manual())
    await org.advance(id)
    expect((await org.record(id)).status).toBe('pending')
  })
})

describe('403', () => {
  it('an organisation’s word credits nothing at the installation’s account', async () => {
    const id = await org.start(manual())
    const answer = await confirm(id, { outcome: 'completed' }, org.credential)
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('the operator')])
    expect(await org.postings(id)).toEqual([])
  })

  it('a viewer may neither cancel nor confirm', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const id = await org.start(manual())
    expect((await cancel(id, viewer.token)).status).toBe(403)
    expect((await confirm(id, { outcome: 'completed' }, viewer.token)).status).toBe(403)
    expect((await org.record(id)).status).toBe('pending')
  })
})

describe('404', () => {
  it('a payment of another organisation', async () => {
    const stranger = await openPayments(t)
    const id = await org.start(manual())
    expect((await cancel(id, stranger.credential)).status).toBe(404)
    expect((await confirm(id, { outcome: 'completed' }, stranger.credential)).status).toBe(404)
    expect((await org.record(id)).status).toBe('pending')
  })
})

describe('409', () => {
  it('a provider that cannot cancel, or says that it is too late', async () => {
    const prompted = await org.start(mobileMoneyPayin())
    const paid = await org.start(mobileMoneyPayout(await org.addBeneficiary(mobileMoneyBeneficiary())))
    for (const id of [prompted, paid]) {
      const answer = await cancel(id)
      expect([answer.status, answer.body.status]).toEqual([409, 'error'])
      expect(['pending', 'processing']).toContain((await org.record(id)).status)
    }
  })

  it('a provider that does not answer: the payment continues', async () => {
    const id = await org.start(needsSecure())
    t.simulator.setFaults('stripe', [{ on: 'cancel', fault: 'down' }])
    expect((await cancel(id)).status).toBe(409)
    expect((await org.record(id)).status).toBe('pending')
  })

  it('an unknown outcome: it cannot be canceled, because money may have moved', async () => {
    t.simulator.setFaults('stripe', [{ on: 'collect', fault: 'error_500_accepted' }])
    const id = await org.start(needsSecure())
    expect((await org.record(id)).status).toBe('processing')
    expect((await cancel(id)).status).toBe(409)
    expect(t.simulator.transactions('stripe').at(-1)?.state).toBe('action_required')
    expect((await org.record(id)).status).toBe('processing')
  })

  it('a payment that has ended: completed, failed, canceled, rejected', async () => {
    const card_details = { ...cardPayin().card_details, card_number: '4000000000009995' }
    const ended = [await org.start(cardPayin()), await org.start(cardPayin({ card_details }))]
    const canceled = await org.start(needsSecure())
    await cancel(canceled)
    const rejected = await startHeld(0)
    const { token } = await addPerson(t, org.orgId, 'staff')
    await t.call('POST', `/v1/payments/${rejected}/review`, { as: token, body: { decision: 'reject' } })
    const all = [...ended, canceled, rejected]
    const statuses = async (): Promise<string[]> =>
      Promise.all(all.map(async (id) => (await org.record(id)).status))
    expect(await statuses()).toEqual(['completed', 'failed', 'canceled', 'rejected'])
    for (const id of all) expect((await cancel(id)).status).toBe(409)
    expect(await statuses()).toEqual(['completed', 'failed', 'canceled', 'rejected'])
  })

  it('only the manual provider is confirmed by hand', async () => {
    const id = await org.start(kenyanPayin())
    expect((await confirm(id, { outcome: 'completed' })).status).toBe(409)
    expect((await org.record(id)).status).toBe('pending')
  })
})
