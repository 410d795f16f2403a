import { beforeAll, describe, expect, it } from 'vitest'
import * as spec from '../../../test/contract/spec/fields.ts'
import { expectFits, expectOk, openSpecOrg, type SpecOrg } from '../../../test/contract/spec/open-org.ts'
import { initiationBodies, rampBodies } from '../../../test/contract/spec/requests.ts'
import { openAccounts } from '../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../test/app/test-app.ts'
import { openEscrow, percent } from '../../../test/worlds/test-escrow.ts'
import { kenyanPayin, mobileMoneyBeneficiary, mobileMoneyPayin } from '../../../test/worlds/test-payments.ts'
import { useRamps } from '../../../test/worlds/test-ramps.ts'

/**
 * Requests that are made from the field tables of the API specification alone, sent to every endpoint of its sections
 * 4.1 to 4.18. Each response is compared with section 2 field by field: names, types and nulls.
 */
const t = useRamps()
let org: SpecOrg
let facts: SpecOrg['facts']
beforeAll(async () => {
  org = await openSpecOrg(t)
  facts = org.facts
})
const perFlow = 8

describe('4.1 and 4.14: initiation and its record', () => {
  it('every generated body is accepted, and both responses have the documented fields', async () => {
    for (const [flow, body] of initiationBodies(facts, perFlow)) {
      const answer = await org.initiate(body)
      expect([
        flow,
        answer.status,
        answer.status === 200 ? '' : `${JSON.stringify(body)} ${answer.text}`,
      ]).toEqual([flow, 200, ''])
      const { statusCode, response } = answer.body
      expect(statusCode).toBe(200)
      expectFits(spec.initiationResponse, response)
      expect([undefined, ...spec.specValues.next_action]).toContain(response.next_action)
      expect(answer.text).toMatch(/"amount":\d+\.\d+/)
      const record = await org.record(response.payment_id)
      expectFits(spec.paymentRecord, record)
      for (const name of ['status', 'direction', 'payment_method'] as const)
        expect(spec.specValues[name]).toContain(record[name])
    }
  })

  it.each([
    'amount',
    'target_amount',
    'currency',
    'target_currency',
    'payment_method',
    'direction',
    'payer_details',
    'mobile_money_details',
  ])('400 without %s, in the error body of section 7', async (name) => {
    const answer = await org.initiate(mobileMoneyPayin({ [name]: undefined }))
    expect(answer.status).toBe(400)
    expectFits({ error: 'string', message: 'string', code: 'string' }, answer.body)
  })
})

describe('4.2: ramps', () => {
  it('every generated body is accepted, and the response has the documented fields', async () => {
    const onRate = await org.rate('UGX', 'USDC')
    const offRate = await org.rate('USDC', 'UGX')
    const known = {
      orgId: org.orgId,
      userId: facts.userId,
      beneficiary: facts.momoBeneficiary,
      onRate,
      offRate,
    }
    for (const body of rampBodies(known, perFlow)) {
      const { response } = expectOk(await org.ramp(body))
      expectFits(spec.rampResponse, response)
      expect(response.direction).toBe(body.wallet_address === undefined ? 'off_ramp' : 'on_ramp')
      expect(response.status).toBe('pending')
      expectFits(spec.paymentRecord, await org.record(response.payment_id))
    }
  })
})

describe('4.3 to 4.5: action, rate and networks', () => {
  it('a one-time password is submitted with `action`', async () => {
    const mobile_money_details = { provider: 'MTN', phone_number: '0551234987' }
    const pair = { currency: 'GHS', target_currency: 'GHS', amount: 20.15, target_amount: 20.15 }
    const id = await org.start(kenyanPayin({ ...pair, country: 'GH', mobile_money_details }))
    const path = `/v1/payments-init/${id}/action`
    const { response } = expectOk(await org.call('POST', path, { action: 'submit_otp', otp: '123456' }))
    expectFits(spec.initiationResponse, response)
  })

  it('every network that is listed can be named, by its provider and by its name', async () => {
    const { data } = expectOk(await org.networks({ country: 'UG' }))
    const phones: Json = { MTN: '256783456789', AIRTEL: '256753456789' }
    for (const { provider, name } of data)
      for (const sent of [provider, name, name.toUpperCase()]) {
        const mobile_money_details = { provider: sent, phone_number: phones[provider] }
        expectOk(await org.initiate(mobileMoneyPayin({ mobile_money_details })))
      }
  })
})

describe('4.6 and 4.7: keys and webhooks', () => {
  it('keys, page by page', async () => {
    for (const name of ['one', 'two', 'three']) await org.call('POST', '/v1/public/api-keys', { name })
    let cursor: string | undefined
    for (let pages = 0; pages < 10 && cursor !== ''; pages++) {
      const query = new URLSearchParams({
        org_id: org.orgId,
        limit: '2',
        ...(cursor && { last_evaluated_key: cursor }),
      })
      const body = expectOk(await org.call('GET', `/v1/public/api-keys?${query.toString()}`))
      expectFits({ status: 'string', message: 'string', data: 'array', meta: 'object' }, body)
      const meta = {
        count: 'integer',
        total_count: 'integer',
        last_evaluated_key: 'string|null',
        has_more: 'boolean',
      }
      expectFits(meta, body.meta)
      expect(body.last_evaluated_key).toBe(body.meta.last_evaluated_key)
      for (const key of body.data) expectFits(spec.apiKey, key)
      cursor = body.last_evaluated_key ?? ''
    }
    expect(cursor).toBe('')
    for (const limit of [0, 101, 'x'])
      expect((await org.call('GET', `/v1/public/api-keys?limit=${limit}`)).status).toBe(400)
  })

  it('webhooks', async () => {
    const made = expectOk(
      await org.call('POST', '/v1/public/webhooks', { endpoint_url: 'https://example.com/a' }),
      201,
    )
    expectFits(spec.webhook, made.data)
    expect(made.data.secret_key).toEqual(expect.any(String))
    const listed = expectOk(await org.call('GET', '/v1/public/webhooks'))
    for (const one of listed.data) {
      expectFits(spec.webhook, one)
      expect(one).not.toHaveProperty('secret_key')
    }
    const transaction_data = {
      transaction_id: 'tx-1',
      status: 'completed',
      amount: 10.5,
      currency: 'UGX',
      updated_at: '2026-01-01T00:00:00Z',
    }
    expectOk(await org.call('POST', '/v1/public/webhooks/notify', { org_id: org.orgId, transaction_data }))
  })
})

describe('4.8 to 4.13: escrow, banks, links, beneficiaries and virtual accounts', () => {
  it('party splits: a wrapper, a bare array and one object', async () => {
    const escrow = await openEscrow(t)
    const party = await escrow.accountParty()
    const { milestone_id: id } = await escrow.milestone(100, [percent(party, 40)])
    const update = { party_id: party.party_id, split_value: 62.5 }
    for (const body of [{ parties: [update] }, [update], update]) {
      const { data } = expectOk(await escrow.call('PUT', `/milestones/${id}/parties`, body))
      expectFits(spec.milestone, data)
      for (const split of data.parties)
        expectFits({ party_id: 'string', split_type: 'string', split_value: 'number' }, split)
    }
  })

  it.each(['12-34-56', '123456', ''])('a UK account with the sort code %j', async (sortCode) => {
    const path = '/v1/payments/bank-validation/validate-uk-account'
    const body = { sortCode, accountNumber: '12345678' }
    const answer = expectOk(await t.call('POST', path, { as: org.credential, body, unaudited: true }))
    expectFits(spec.ukAccount, answer)
    expectFits(spec.ukAccountDetails, answer.accountDetails)
  })

  it('payment links, with and without what is optional', async () => {
    const path = `/v1/orgs/${org.orgId}/payment-links`
    for (const more of [{}, { email: 'ann@example.com', description: 'Order 7', amount_type: 'open' }])
      expectOk(await org.call('POST', path, { amount: 25, currency: 'UGX', ...more }), 201)
    const body = expectOk(await org.call('GET', path))
    expect(body.count).toBe(body.data.length)
    for (const link of body.data) expectFits(spec.paymentLink, link)
  })

  it('beneficiaries, of every kind', async () => {
    const loan = { beneficiary_type: 'loan_client', loan_client_details: { loan_id: 'L-1' } }
    await org.addBeneficiary(mobileMoneyBeneficiary(loan))
    const body = expectOk(await org.call('GET', `/v1/beneficiaries?user_id=${facts.userId}&limit=2`))
    expectFits({ count: 'integer', last_evaluated_key: 'string|null' }, body.meta)
    const next = new URLSearchParams({
      user_id: facts.userId,
      limit: '2',
      last_evaluated_key: body.last_evaluated_key,
    })
    const second = expectOk(await org.call('GET', `/v1/beneficiaries?${next.toString()}`))
    for (const one of [...body.data, ...second.data]) expectFits(spec.beneficiary, one)
    expect((await org.call('GET', '/v1/beneficiaries?last_evaluated_key=bad')).status).toBe(400)
  })

  it.each([{}, { customer_id: 'C-1' }, { org_name: 'Kampala Traders', currency: 'USD' }])(
    'a virtual account with %j',
    async (more) => {
      const body = { org_id: org.orgId, user_id: facts.userId, currency: 'UGX', ...more }
      const answer = expectOk(await org.call('POST', '/v1/virtual-accounts/internal/bank', body), 201)
      expectFits({ status: 'string', message: 'string', data: 'object' }, answer)
      expectFits(spec.virtualAccount, answer.data)
    },
  )

  it('a virtual transaction', async () => {
    const accounts = await openAccounts(t)
    const { account_id: id } = await accounts.funded(5_000)
    const [deposit] = await accounts.transactions(id)
    const path = `/v1/virtual-accounts/transactions/${deposit.transaction_id}?user_id=${accounts.userId}`
    expectFits(spec.virtualTransaction, expectOk(await accounts.call('GET', path)).data)
  })
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
