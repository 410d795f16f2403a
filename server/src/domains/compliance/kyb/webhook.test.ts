import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { creditOpenings } from '@switchyard/stack/seeds/seed-funds.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { kybOf, kybWebhookPath, kybWebhookSecret, type OrgKyb } from '../../../../test/worlds/test-kyb.ts'
import {
  ampleFunds,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
  openUnverified,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let kyb: OrgKyb
beforeEach(async () => {
  org = await openUnverified(t)
  kyb = kybOf(t, org)
})

describe('a webhook', () => {
  let customerId: string
  beforeEach(async () => {
    customerId = (await kyb.initiate()).body.data.kyb_customer_id
  })

  it('that is forged, unsigned, or signed with SHA-1 changes nothing', async () => {
    expect(await kyb.send({ customerId, signedWith: 'guess' })).toBe(401)
    expect(await kyb.send({ customerId, algorithm: 'HMAC_SHA1_HEX' })).toBe(401)
    expect((await t.call('POST', kybWebhookPath, { rawBody: '{}', unaudited: true })).status).toBe(401)
    expect(await kyb.organization()).toMatchObject({ kyb_status: 'pending' })
    expect(await kyb.events()).toEqual([])
  })

  it('that is replayed changes nothing and publishes one event', async () => {
    expect(await kyb.send({ customerId })).toBe(200)
    const before = await kyb.organization()
    for (let repeat = 0; repeat < 3; repeat++) expect(await kyb.send({ customerId })).toBe(200)
    expect(await kyb.organization()).toEqual(before)
    expect(await kyb.events()).toHaveLength(1)
  })

  it('that is replayed after a resubmission does not reject again', async () => {
    const rejection = { customerId, answer: 'RED', rejectType: 'RETRY', at: '2031-01-01 00:00:00.000' }
    await kyb.send(rejection)
    await kyb.initiate()
    await kyb.send(rejection)
    expect((await kyb.organization()).kyb_status).toBe('pending')
  })

  it('that arrives many times concurrently is applied once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => kyb.send({ customerId })))
    expect(await kyb.events()).toHaveLength(1)
  })

  it('that is older than the last applied one changes nothing', async () => {
    await kyb.send({ customerId, at: '2031-01-02 00:00:00.000' })
    await kyb.send({ customerId, type: 'applicantPending', at: '2031-01-01 00:00:00.000' })
    await kyb.send({ customerId, answer: 'RED', at: '2031-01-01 12:00:00.000' })
    expect((await kyb.organization()).kyb_status).toBe('approved')
    expect((await kyb.events()).map((event) => event.event_type)).toEqual(['kyb.approved'])
  })

  it('with the same timestamp only decides an open verification', async () => {
    const at = '2031-01-01 00:00:00.000'
    await kyb.send({ customerId, type: 'applicantPending', at })
    await kyb.send({ customerId, at })
    await kyb.send({ customerId, type: 'applicantOnHold', at })
    expect((await kyb.organization()).kyb_status).toBe('approved')
  })

  it('about an unknown customer changes nothing', async () => {
    expect(await kyb.send({ customerId: 'f'.repeat(24) })).toBe(200)
    expect((await kyb.organization()).kyb_status).toBe('pending')
  })

  it('about another customer with our id does not take over the organisation', async () => {
    expect(await kyb.send({ customerId: 'e'.repeat(24), externalUserId: org.orgId })).toBe(200)
    expect(await kyb.organization()).toMatchObject({ kyb_status: 'pending', kyb_customer_id: customerId })
  })

  it('of an unrelated type, or with an unknown answer, changes nothing', async () => {
    expect(await kyb.send({ customerId, type: 'applicantTagsChanged' })).toBe(200)
    expect(await kyb.send({ customerId, answer: 'YELLOW' })).toBe(200)
    expect((await kyb.organization()).kyb_status).toBe('pending')
  })

  it('that revokes an approval is applied and published', async () => {
    await kyb.send({ customerId, at: '2031-01-01 00:00:00.000' })
    await kyb.send({ customerId, answer: 'RED', at: '2031-02-01 00:00:00.000' })
    expect(await kyb.organization()).toMatchObject({ kyb_status: 'rejected', kyb_reason: 'Because.' })
    expect((await kyb.events()).map((event) => event.event_type)).toEqual(['kyb.approved', 'kyb.rejected'])
  })

  it('that is signed but malformed is a 400', async () => {
    const body = 'not json'
    const digest = createHmac('sha512', kybWebhookSecret).update(body).digest('hex')
    const headers = { 'x-payload-digest': digest, 'x-payload-digest-alg': 'HMAC_SHA512_HEX' }
    expect((await t.call('POST', kybWebhookPath, { rawBody: body, headers })).status).toBe(400)
  })
})

describe('payouts of an organisation that must be verified first', () => {
  beforeEach(() => creditOpenings(t.deps, org.orgId, ampleFunds))

  const demand = (isDemanded: boolean) =>
    t.call('PATCH', `/v1/organizations/${org.orgId}`, {
      as: t.seed.platformAdmin.api_key,
      body: { payouts_require_kyb: isDemanded },
    })

  it('are refused until approval, and again after it is revoked', async () => {
    const beneficiary = await org.addBeneficiary(mobileMoneyBeneficiary())
    const pay = async (): Promise<Json> => (await org.initiate(mobileMoneyPayout(beneficiary))).body
    expect(await pay()).toMatchObject({ code: 'KYB_REQUIRED' })
    const { kyb_customer_id: customerId } = (await kyb.initiate()).body.data
    expect(await pay()).toMatchObject({ code: 'KYB_REQUIRED' })
    await kyb.send({ customerId, at: '2031-01-01 00:00:00.000' })
    expect(await pay()).toMatchObject({ statusCode: 200 })
    await kyb.send({ customerId, answer: 'RED', at: '2031-02-01 00:00:00.000' })
    expect(await pay()).toMatchObject({ code: 'KYB_REQUIRED' })
    await demand(false)
    expect(await pay()).toMatchObject({ statusCode: 200 })
  })

  it('payins are not affected', async () => {
    expect((await org.initiate(mobileMoneyPayin())).status).toBe(200)
  })

  it('only the operator can require it', async () => {
    const body = { payouts_require_kyb: false }
    expect((await org.call('PATCH', `/v1/organizations/${org.orgId}`, body)).status).toBe(403)
  })
})
