import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { startTestApp } from '../../../../test/app/test-app.ts'
import { kybApplication, kybOf, kybWebhookPath, type OrgKyb } from '../../../../test/worlds/test-kyb.ts'
import { openUnverified, usePayments, type OrgPayments } from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let kyb: OrgKyb
beforeEach(async () => {
  org = await openUnverified(t)
  kyb = kybOf(t, org)
})

const document = {
  type: 'COMPANY_DOC',
  country: 'GB',
  file_name: 'certificate.pdf',
  content_type: 'application/pdf',
  content: Buffer.from('canary document').toString('base64'),
}
const person = { first_name: 'Canary', last_name: 'Director', role: 'director', date_of_birth: '1970-01-01' }

describe('200', () => {
  it('a verification is started at the provider, submitted and approved', async () => {
    const started = await kyb.initiate()
    expect(started.body.data).toEqual({
      org_id: org.orgId,
      kyb_status: 'pending',
      kyb_customer_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      provider: 'sumsub',
      verification_url: expect.stringContaining(t.simulator.url),
    })
    await kyb.decide(started.body.data.verification_url, 'approve')
    expect(await kyb.organization()).toMatchObject({
      kyb_status: 'approved',
      kyb_customer_id: started.body.data.kyb_customer_id,
      kyb_reason: null,
    })
    expect(await kyb.events()).toEqual([
      {
        event_type: 'kyb.approved',
        sequence: 1,
        data: {
          org_id: org.orgId,
          kyb_status: 'approved',
          reason: null,
          can_resubmit: false,
          updated_at: expect.any(String),
          sequence: 1,
        },
      },
    ])
  })

  it('a temporary rejection allows a resubmission under the same customer id', async () => {
    const first = (await kyb.initiate()).body.data
    await kyb.decide(first.verification_url, 'retry')
    expect(await kyb.organization()).toMatchObject({
      kyb_status: 'rejected',
      kyb_reason: 'The certificate of incorporation cannot be read.',
    })
    const second = (await kyb.initiate()).body.data
    expect(second).toMatchObject({ kyb_status: 'pending', kyb_customer_id: first.kyb_customer_id })
    expect(await kyb.organization()).toMatchObject({ kyb_status: 'pending', kyb_reason: null })
    await kyb.decide(second.verification_url, 'approve')
    expect((await kyb.events()).map((event) => event.event_type)).toEqual(['kyb.rejected', 'kyb.approved'])
  })

  it('people and documents are passed on and never stored', async () => {
    const started = await kyb.initiate(
      kybApplication({ people: [person], documents: [document], submit: true }),
    )
    expect(started.body.data.kyb_status).toBe('in_review')
    const { rows: tables } = await t.owner.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    for (const { name } of tables) {
      const { rows } = await t.owner.query(`select row_to_json(x)::text as text from ${name} x`)
      expect(JSON.stringify(rows)).not.toMatch(/Canary|canary document|Y2FuYXJ5IGRvY3VtZW50/)
    }
  })

  it('a file of several megabytes is accepted, although other bodies are limited to 256 KB', async () => {
    const content = Buffer.alloc(500 * 1024, 7).toString('base64')
    expect((await kyb.initiate(kybApplication({ documents: [{ ...document, content }] }))).status).toBe(200)
  })

  it('a webhook that arrives before the provider’s answer is not overwritten', async () => {
    const started = await kyb.initiate(kybApplication({ submit: true }))
    expect(started.body.data.kyb_status).toBe('in_review')
    expect((await kyb.organization()).kyb_status).toBe('in_review')
  })

  it('administrators are notified of a decision by mail and inbox', async () => {
    const { verification_url: url } = (await kyb.initiate()).body.data
    await kyb.decide(url, 'reject')
    const { body } = await org.call('GET', '/v1/users/notifications')
    expect(body.data[0]).toMatchObject({ template: 'kyb-decided', priority: 'high' })
    expect(body.data[0].body).toContain('We cannot verify this business.')
  })
})

describe('400', () => {
  it.each([
    {},
    { company: { legal_name: 'X' } },
    kybApplication({ people: [{ first_name: 'A', last_name: 'B', role: 'king' }] }),
    kybApplication({ documents: [{ ...document, file_name: 'a"\r\nb.pdf' }] }),
    kybApplication({ documents: [{ ...document, content: '!' }] }),
  ])('an application of %j', async (body) => {
    expect((await kyb.initiate(body)).status).toBe(400)
  })

  it('an application that the provider rejects', async () => {
    const { orgId } = org
    await t.owner.query(`update organizations set kyb_customer_id = null where org_id = $1`, [orgId])
    const answer = await kyb.initiate(
      kybApplication({ company: { ...kybApplication().company, country: 'ZZ' } }),
    )
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('refused')
  })
})

describe('403', () => {
  it('staff may not start a verification', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    expect((await kyb.initiate(kybApplication(), staff.token)).status).toBe(403)
  })
})

describe('409', () => {
  it('a verification that is in review or approved is not started again', async () => {
    const { kyb_customer_id: customerId } = (await kyb.initiate()).body.data
    await kyb.send({ customerId, type: 'applicantPending', at: '2031-01-01 00:00:00.000' })
    expect((await kyb.initiate()).status).toBe(409)
    await kyb.send({ customerId, at: '2031-01-02 00:00:00.000' })
    expect((await kyb.initiate()).status).toBe(409)
  })

  it('a permanent rejection ends it', async () => {
    await kyb.decide((await kyb.initiate()).body.data.verification_url, 'reject')
    expect((await kyb.initiate()).status).toBe(409)
  })
})

describe('503', () => {
  it.each([
    ['down', 'not_started'],
    ['error_500', 'not_started'],
    ['rate_limit', 'not_started'],
    // The provider has opened the application although its answer was lost.
    ['malformed_200', 'pending'],
    ['cut_answer', 'pending'],
  ] as const)(
    'a provider with %s: what is started is %s, and the next try goes on',
    async (fault, status) => {
      t.simulator.setFaults('sumsub', [{ on: 'account', fault }])
      expect((await kyb.initiate()).status).toBe(503)
      expect((await kyb.organization()).kyb_status).toBe(status)
      t.simulator.setFaults('sumsub', [])
      expect((await kyb.initiate()).status).toBe(200)
    },
  )
})

describe('404', () => {
  it('an installation without a KYB provider', async () => {
    const app = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
    const path = `/v1/organizations/${app.seed.platformAdmin.org_id}/kyb/initiate`
    const answer = await app.call('POST', path, {
      as: app.seed.platformAdmin.api_key,
      body: kybApplication(),
    })
    expect(answer.status).toBe(404)
    expect((await app.call('POST', kybWebhookPath, { rawBody: '{}' })).status).toBe(404)
    await app.close()
  })
})
