import { createHmac } from 'node:crypto'
import { request } from 'undici'
import type { CallAnswer, Json } from '../app/test-app.ts'
import type { OrgPayments, TestPayments } from './test-payments.ts'

export const kybWebhookPath = '/v1/organizations/webhook/kyb'
export const kybWebhookSecret = 'switchyard-sandbox-webhook'

export const kybApplication = (change: object = {}): Json => ({
  company: { legal_name: 'Thames Ltd', registration_number: '12345678', country: 'GB' },
  ...change,
})

interface SentWebhook {
  customerId: string
  externalUserId?: string
  type?: string
  answer?: string
  rejectType?: string
  at?: string
  signedWith?: string
  algorithm?: string
}

/** The verification of one organisation, as its own and as the provider's calls. */
export interface OrgKyb {
  initiate(body?: Json, as?: string): Promise<CallAnswer>
  organization(): Promise<Json>
  events(): Promise<Json[]>
  /** Submits the provider's page as the customer, with the decision of the review. */
  decide(url: string, decision: 'approve' | 'retry' | 'reject'): Promise<void>
  /** Sends a webhook made by the test. */
  send(webhook: SentWebhook): Promise<number>
}

export const kybOf = (t: TestPayments, org: OrgPayments): OrgKyb => ({
  initiate: (body = kybApplication(), as = org.credential) =>
    t.call('POST', `/v1/organizations/${org.orgId}/kyb/initiate`, { as, body }),
  organization: async () => (await org.call('GET', `/v1/organizations/${org.orgId}`)).body.data,
  async events() {
    const { rows } = await t.owner.query(
      'select event_type, sequence, data::jsonb as data from events where org_id = $1 order by sequence',
      [org.orgId],
    )
    return rows
  },
  async decide(url, decision) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await request(url, { method: 'POST', headers, body: `decision=${decision}` })
    await answer.body.dump()
  },
  async send(webhook) {
    const body = bodyOf(webhook)
    const digest = createHmac('sha256', webhook.signedWith ?? kybWebhookSecret)
      .update(body)
      .digest('hex')
    const headers = {
      'x-payload-digest': digest,
      'x-payload-digest-alg': webhook.algorithm ?? 'HMAC_SHA256_HEX',
    }
    return (await t.call('POST', kybWebhookPath, { rawBody: body, headers, unaudited: true })).status
  },
})

const bodyOf = (webhook: SentWebhook): string =>
  JSON.stringify({
    applicantId: webhook.customerId,
    externalUserId: webhook.externalUserId,
    type: webhook.type ?? 'applicantReviewed',
    createdAtMs: webhook.at ?? '2031-01-01 00:00:00.000',
    reviewResult: {
      reviewAnswer: webhook.answer ?? 'GREEN',
      reviewRejectType: webhook.rejectType,
      moderationComment: 'Because.',
    },
  })
