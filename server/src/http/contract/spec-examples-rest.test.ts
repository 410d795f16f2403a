import { beforeAll, describe, expect, it } from 'vitest'
import * as spec from '../../../test/contract/spec/fields.ts'
import { expectFits, expectOk, openSpecOrg, type SpecOrg } from '../../../test/contract/spec/open-org.ts'
import { mobileMoneyPayin } from '../../../test/worlds/test-payments.ts'
import { useRamps } from '../../../test/worlds/test-ramps.ts'

/** Continues spec-examples.test.ts with the sections 4.15 to 4.18. */
const t = useRamps()
let org: SpecOrg
let facts: SpecOrg['facts']
beforeAll(async () => {
  org = await openSpecOrg(t)
  facts = org.facts
})

describe('4.15 to 4.18: configurations, analytics, verification and the rest', () => {
  it.each([{}, { min_amount: 1, max_amount: 500.5, description: 'Small', priority: 3 }])(
    'a provider configuration with %j is returned bare',
    async (more) => {
      const corridor = {
        provider: 'manual',
        country: 'FR',
        payment_method: 'bank_transfer',
        direction: 'inbound',
      }
      const made = expectOk(
        await org.call('POST', '/v1/payments/provider-configs', { ...corridor, ...more }),
        201,
      )
      const path = `/v1/payments/provider-configs/manual/${made.data.config_id}`
      expectFits(spec.providerConfig, expectOk(await org.call('GET', path)))
    },
  )

  it.each([
    '/v1/users/analytics/geographic-distribution',
    '/v1/transactions/analytics/trends?dateFrom=2026-01-01&dateTo=2026-12-31',
  ])('%s', async (path) => {
    expectFits({ status: 'string', data: 'object' }, expectOk(await org.call('GET', path)))
  })

  it.each(['beneficiary', 'sender', 'both'])('a verification request to %s', async (target_type) => {
    const payout = { ...mobileMoneyPayin(), direction: 'payout', payer_details: undefined }
    const id = await org.start({ ...payout, beneficiary_id: facts.momoBeneficiary })
    for (const more of [
      { verification_type: 'bvn' },
      { verification_type: 'nin', message: 'Please answer', priority: 'urgent' },
    ]) {
      const answer = await org.call('POST', '/v1/users/notifications/verification-request', {
        user_id: facts.userId,
        target_type,
        transaction_id: id,
        triggered_by: 'compliance',
        ...(target_type !== 'sender' && { beneficiary_id: facts.momoBeneficiary }),
        ...(target_type !== 'beneficiary' && { sender_id: facts.userId }),
        ...more,
      })
      expect([200, 207]).toContain(answer.status)
      expectFits(spec.verificationResponse, answer.body)
      for (const one of answer.body.results ?? []) expectFits(spec.verificationResult, one)
      expect(Array.isArray(answer.body.results)).toBe(target_type === 'both')
    }
  })

  it.each(['GET /v1/organizations/{org_id}', 'GET /v1/transactions', 'GET /v1/users/list'])(
    '%s',
    async (endpoint) => {
      const [method = '', path = ''] = endpoint.replace('{org_id}', org.orgId).split(' ')
      const body = expectOk(await org.call(method, path))
      expectFits({ status: 'string', message: 'string' }, body)
      if (!endpoint.includes('{org_id}'))
        expectFits({ count: 'integer', last_evaluated_key: 'string|null' }, body.meta)
    },
  )

  it('403, 404 and 401 have the standard error body', async () => {
    const stranger = await t.call('GET', '/v1/beneficiaries')
    const missing = await org.call('GET', '/v1/payments/transaction/not-an-id')
    const refused = await org.call('GET', '/v1/organizations/0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f')
    expect([stranger.status, missing.status]).toEqual([401, 404])
    expect([403, 404]).toContain(refused.status)
    for (const { body } of [stranger, missing, refused]) {
      expectFits({ status: 'string', message: 'string' }, body)
      expect(body.status).toBe('error')
    }
  })
})
