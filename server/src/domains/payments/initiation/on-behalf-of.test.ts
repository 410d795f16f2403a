import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../test/worlds/test-ramps.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let ann: Person
let ben: Person
beforeEach(async () => {
  org = await openPayments(t)
  ann = await addPerson(t, org.orgId, 'staff')
  ben = await addPerson(t, org.orgId, 'org-admin')
})

const initiate = (as: Person, body: Json): Promise<CallAnswer> =>
  t.call('POST', '/v1/payments-init/initiate', { as: as.token, body })
const review = (id: string, as: Person): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/review`, { as: as.token, body: { decision: 'approve' } })

describe('user_id of another member', () => {
  it('says who a payment is for; initiated_by stays the member of the credential', async () => {
    const { status, body } = await initiate(ann, mobileMoneyPayin({ user_id: ben.userId }))
    expect(status).toBe(200)
    const id = body.response.payment_id
    expect(await org.record(id)).toMatchObject({ user_id: ben.userId, initiated_by: ann.userId })
    const { data } = (await org.call('GET', '/v1/transactions')).body
    expect(data[0]).toMatchObject({ payment_id: id, user_id: ben.userId, initiated_by: ann.userId })
    const { rows } = await t.owner.query(
      `select user_id from audit_log where org_id = $1 and resource_id = $2 and action = 'payment.initiate'`,
      [org.orgId, id],
    )
    expect(rows).toEqual([{ user_id: ann.userId }])
  })

  it('a ramp is in the name of the member that it is for', async () => {
    const ramp = { ...(await wholeRampBody(org)), user_id: ann.userId }
    const { status, body } = await t.call('POST', '/v1/payments-init/ramp', { as: ben.token, body: ramp })
    expect(status).toBe(200)
    const record = await org.record(body.response.payment_id)
    expect(record).toMatchObject({ user_id: ann.userId, initiated_by: ben.userId })
    expect(record.payer_details.email).toBe(ann.email)
    // One provider carries out both legs, and our events have counted so far.
    expect(record.payment_path_method).toBe('third_party')
    expect(record.webhook_metadata.sequence).toBeGreaterThan(0)
  })

  it('who started a payout cannot approve it by naming another, and who it is for can', async () => {
    const path = `/v1/organizations/${org.orgId}/approval-policies`
    await org.call('PUT', path, { policies: [{ currency: 'NGN', payout_from: 1 }] })
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const body = bankPayout(beneficiary, { user_id: ann.userId })
    const id = (await initiate(ben, body)).body.response.payment_id
    expect((await org.record(id)).status).toBe('initiated')
    expect((await review(id, ben)).status).toBe(403)
    const other = await addPerson(t, org.orgId, 'org-admin')
    expect((await review(id, other)).status).toBe(200)
    const admin = await addPerson(t, org.orgId, 'org-admin')
    const forAdmin = await initiate(ann, { ...body, user_id: admin.userId })
    expect((await review(forAdmin.body.response.payment_id, admin)).status).toBe(200)
  })

  it('403: a stranger’s id, and a role that may only act for itself', async () => {
    const stranger = await addPerson(t, (await openPayments(t)).orgId, 'staff')
    const refused = await initiate(ann, mobileMoneyPayin({ user_id: stranger.userId }))
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
    expect(refused.body.message).toContain('not a member')
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const granted = { permissions: ['payments:write'] }
    const permissions = `/v1/organizations/${org.orgId}/members/${viewer.userId}/permissions`
    expect((await org.call('POST', permissions, granted)).status).toBeLessThan(300)
    expect((await initiate(viewer, mobileMoneyPayin())).status).toBe(200)
    const answer = await initiate(viewer, mobileMoneyPayin({ user_id: ann.userId }))
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('org-admin or staff')])
  })
})

describe('return_url of an app', () => {
  const organization = () => `/v1/organizations/${org.orgId}`
  const hosted = (return_url: string): Json =>
    cardPayin({ country: 'NG', currency: 'NGN', target_currency: 'NGN', return_url })

  it('is accepted when the organisation has registered its scheme', async () => {
    expect((await org.initiate(hosted('myapp://paid?order=7'))).status).toBe(400)
    const changed = await org.call('PATCH', organization(), {
      return_url_schemes: ['myapp', 'com.example.pay'],
    })
    expect(changed.body.data.return_url_schemes).toEqual(['myapp', 'com.example.pay'])
    for (const url of ['myapp://paid?order=7', 'com.example.pay:/done'])
      expect((await org.initiate(hosted(url))).status).toBe(200)
    const refused = ['other://paid', 'myapp://user:secret@paid', 'javascript:alert(1)', 'http://example.com/']
    for (const url of refused) expect([url, (await org.initiate(hosted(url))).status]).toEqual([url, 400])
  })

  it('the schemes of a browser cannot be registered', async () => {
    for (const scheme of ['javascript', 'data', 'https', 'file', 'intent', 'MyApp', 'my app', 'x']) {
      const answer = await org.call('PATCH', organization(), { return_url_schemes: [scheme] })
      expect([scheme, answer.status]).toEqual([scheme, 400])
    }
  })
})
