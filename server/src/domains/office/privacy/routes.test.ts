import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { addPerson } from '../../../../test/app/people.ts'
import { createPersonKeysDir } from '../../../../test/app/person-keys.ts'
import {
  bankBeneficiary,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { erasuresPath, eraserOf, payerOf, reason } from './testing/erase-people.ts'

const directory = createPersonKeysDir()
const t = usePayments({ delayMs: untilSettled, env: { PERSON_KEYS_DIR: directory } })
const by = eraserOf(t)
afterAll(() => rmSync(directory, { recursive: true }))

let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

describe('201', () => {
  it('a repeat finds nothing left', async () => {
    const id = await by.paid(org, cardPayin(payerOf('repeated')))
    await by.erase(org, { email: 'repeated.canary@example.com' })
    for (const body of [{ email: 'repeated.canary@example.com' }, { payment_id: id }])
      expect((await by.request(org, body)).body.data).toMatchObject({ status: 'done', payment_ids: [] })
  })

  it('who pays again after the erasure is a new person', async () => {
    await by.paid(org, cardPayin(payerOf('again')))
    await by.erase(org, { email: 'again.canary@example.com' })
    const id = await by.paid(org, cardPayin(payerOf('again')))
    expect((await org.record(id)).payer_details.email).toBe('again.canary@example.com')
    expect((await by.erase(org, { email: 'again.canary@example.com' })).payment_ids).toEqual([id])
  })
})

describe('202', () => {
  it('where changes need a second person, nothing is erased before they approve', async () => {
    const four = await openPayments(t)
    const second = await addPerson(t, four.orgId, 'org-admin')
    await four.call('PUT', `/v1/organizations/${four.orgId}/approval-policies`, {
      policies: [{ currency: 'USD', payout_from: 100 }],
    })
    const id = await by.paid(four, cardPayin(payerOf('approved')))
    const held = await by.request(four, { email: 'approved.canary@example.com' })
    expect(held.status).toBe(202)
    expect(held.text).not.toMatch(/canary/i)
    expect((await four.record(id)).payer_details.email).toBe('approved.canary@example.com')
    const approval = await t.call(
      'POST',
      `/v1/organizations/${four.orgId}/change-requests/${held.body.data.request_id}/approve`,
      { as: second.token },
    )
    expect(approval.status).toBe(200)
    const [erasure] = (await four.call('GET', erasuresPath)).body.data
    expect(erasure).toMatchObject({ status: 'pending', approved_by: second.userId })
    await by.run(four, erasure)
    expect((await four.record(id)).payer_details).toEqual({})
  })
})

describe('400', () => {
  it.each([[{}], [{ email: 'a@example.com', phone: '+256783456789' }], [{ phone: '0783456789' }]])(
    'the person is not named by exactly one valid thing: %j',
    async (body) => {
      expect((await by.request(org, body)).status).toBe(400)
    },
  )
})

describe('403', () => {
  it('staff may not erase, and not lift a hold', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    for (const refused of [erasuresPath, '/v1/privacy/holds', `/v1/privacy/holds/${newId()}/lift`])
      expect((await t.call('POST', refused, { as: staff.token, body: {} })).status).toBe(403)
  })
})

describe('404', () => {
  it('records of another organisation cannot be erased, held or seen', async () => {
    const stranger = await openPayments(t)
    const id = await by.paid(org, cardPayin(payerOf('strange')))
    const beneficiaryId = await org.addBeneficiary(bankBeneficiary())
    const erasure = (await by.request(stranger, { payment_id: newId() })).status
    expect(erasure).toBe(404)
    expect((await by.request(stranger, { payment_id: id })).status).toBe(404)
    expect((await by.request(stranger, { beneficiary_id: beneficiaryId })).status).toBe(404)
    expect(
      (await by.request(stranger, { email: 'strange.canary@example.com' })).body.data.payment_ids,
    ).toEqual([])
    expect((await org.record(id)).payer_details.email).toBe('strange.canary@example.com')
    const own = (await by.request(org, { email: 'nobody@example.com' })).body.data
    expect((await stranger.call('GET', `${erasuresPath}/${own.erasure_id}`)).status).toBe(404)
    const hold = { subject: 'payment', subject_id: id, reason }
    expect((await stranger.call('POST', '/v1/privacy/holds', hold)).status).toBe(404)
    const whole = { subject: 'organization', subject_id: org.orgId, reason }
    expect((await stranger.call('POST', '/v1/privacy/holds', whole)).status).toBe(404)
  })
})

describe('409', () => {
  it('while a payment of the person has not ended', async () => {
    const id = await org.start(mobileMoneyPayin(payerOf('open')))
    const refused = await by.request(org, { email: 'open.canary@example.com' })
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_ERASABLE'])
    expect(refused.text).toContain(id)
    expect((await org.record(id)).payer_details.email).toBe('open.canary@example.com')
  })

  it('while a payment of the person is under a legal hold, also if it was placed after the request', async () => {
    const id = await by.paid(org, cardPayin(payerOf('held')))
    const { body } = await by.request(org, { payment_id: id })
    const hold = await org.call('POST', '/v1/privacy/holds', { subject: 'payment', subject_id: id, reason })
    expect(hold.status).toBe(201)
    await by.run(org, body.data)
    expect((await by.read(org, body.data)).status).toBe('refused')
    expect((await by.request(org, { payment_id: id })).body.code).toBe('NOT_ERASABLE')
    expect((await org.record(id)).payer_details.email).toBe('held.canary@example.com')
    const lifted = await org.call('POST', `/v1/privacy/holds/${hold.body.data.hold_id}/lift`)
    expect(lifted.body.data.lifted_at).not.toBeNull()
    expect((await by.erase(org, { payment_id: id })).status).toBe('done')
    expect((await org.call('GET', '/v1/privacy/holds')).body.data).toHaveLength(1)
  })

  it('while the whole organisation is under a legal hold', async () => {
    const id = await by.paid(org, cardPayin(payerOf('whole')))
    const whole = { subject: 'organization', subject_id: org.orgId, reason }
    const hold = await org.call('POST', '/v1/privacy/holds', whole)
    expect(hold.status).toBe(201)
    const refused = await by.request(org, { payment_id: id })
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_ERASABLE'])
    await org.call('POST', `/v1/privacy/holds/${hold.body.data.hold_id}/lift`)
    expect((await by.erase(org, { payment_id: id })).status).toBe('done')
  })

  it('while a payment of the person is disputed', async () => {
    const id = await by.paid(org, cardPayin(payerOf('disputed')))
    await t.owner.query(
      `insert into disputes (org_id, dispute_id, payment_id, provider, account_id, custody, provider_ref, state, reason,
         provider_reason, provider_status, amount_minor, currency)
       select org_id, $2, payment_id, provider, account_id, custody, 'dp', 'needs_response', 'fraudulent', 'x', 'x',
         amount_minor, currency from payments where payment_id = $1`,
      [id, newId()],
    )
    expect((await by.request(org, { payment_id: id })).body.code).toBe('NOT_ERASABLE')
  })
})
