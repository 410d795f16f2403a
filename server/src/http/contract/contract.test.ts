import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { specPaths } from '../../../test/contract/spec-paths.ts'
import { manualConfig } from '../../../test/worlds/payment-requests.ts'
import * as spec from '../../../test/contract/spec/fields.ts'
import {
  createdWebhook,
  cursorMeta,
  initiation,
  listedWebhook,
  milestone,
  nullable,
  oneOf,
  ramp,
  record,
  shapeOf,
  success,
  text,
} from '../../../test/contract/spec/shapes.ts'
import { openAccounts } from '../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../test/app/test-app.ts'
import { openEscrow, percent } from '../../../test/worlds/test-escrow.ts'
import {
  bankBeneficiary,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  openUnverified,
  usePayments,
  type OrgPayments,
} from '../../../test/worlds/test-payments.ts'
import { kybApplication, kybOf } from '../../../test/worlds/test-kyb.ts'
import { wholeRampBody } from '../../../test/worlds/test-ramps.ts'

/**
 * Every endpoint of sections 4.1 to 4.18 is called over HTTP and must return each field of the specification's tables
 * with its type, whatever the server's own schemas say.
 */
const t = usePayments()
let org: OrgPayments
let payment: string
let otpPayment: string
let beneficiary: string
let me: Json
beforeAll(async () => {
  org = await openPayments(t)
  me = (await org.call('GET', '/v1/users/me')).body.data
  beneficiary = await org.addBeneficiary(bankBeneficiary())
  payment = await org.start(mobileMoneyPayin({ beneficiary_id: beneficiary }))
  otpPayment = await org.start(
    kenyanPayin({
      amount: 20.15,
      target_amount: 20.15,
      currency: 'GHS',
      target_currency: 'GHS',
      country: 'GH',
      mobile_money_details: { provider: 'MTN', phone_number: '0551234987' },
    }),
  )
  await org.call('POST', '/v1/public/webhooks', { endpoint_url: 'https://example.com/hook' })
})

interface Check {
  call: () => Promise<CallAnswer>
  status?: number
  shape: z.ZodType
}

const at = (path: string): string => path.replace('{org_id}', org.orgId).replace('{user_id}', me.user_id)
const get = (path: string) => (): Promise<CallAnswer> => org.call('GET', at(path))
const permissions = success(z.object({ user_id: text, permissions: z.array(text) }))

/** A member whose permissions the tests change, because nobody may change their own. */
async function changePermissions(method: string): Promise<CallAnswer> {
  const person = { user_id: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.test` }
  const names = { first_name: 'P', last_name: 'P', role: 'viewer' }
  await org.call('POST', at('/v1/organizations/{org_id}/members'), { ...person, ...names })
  const path = `/v1/organizations/${org.orgId}/members/${person.user_id}/permissions`
  return org.call(method, path, { permissions: ['payments:read'] })
}

const checks: Readonly<Record<string, Check>> = {
  'POST /v1/payments-init/initiate': { call: () => org.initiate(mobileMoneyPayin()), shape: initiation },
  'POST /v1/payments-init/ramp': {
    call: async () => org.call('POST', '/v1/payments-init/ramp', await wholeRampBody(org)),
    shape: ramp,
  },
  'POST /v1/payments-init/{payment_id}/action': {
    call: () =>
      org.call('POST', `/v1/payments-init/${otpPayment}/action`, { action: 'submit_otp', otp: '123456' }),
    shape: initiation,
  },
  'GET /v1/organizations/admin/exchange-rate': {
    call: get('/v1/organizations/admin/exchange-rate?fromCurrency=GBP&toCurrency=NGN'),
    shape: success(z.object({ org_rate_id: text, fromCurrency: text, toCurrency: text, rate: z.number() })),
  },
  'POST /v1/externals/networks': {
    call: () => org.networks({ country: 'UG' }),
    shape: success(z.array(z.object({ provider: text, name: text, country: text })).min(1)),
  },
  'GET /v1/public/api-keys': {
    call: async () => {
      await org.call('POST', '/v1/public/api-keys', { name: 'contract' })
      return org.call('GET', '/v1/public/api-keys')
    },
    shape: success(z.array(shapeOf(spec.apiKey)).min(1)).extend({
      message: text,
      meta: z.object({
        count: z.int(),
        total_count: z.int(),
        last_evaluated_key: nullable,
        has_more: z.boolean(),
      }),
    }),
  },
  'POST /v1/public/webhooks': {
    call: () => org.call('POST', '/v1/public/webhooks', { endpoint_url: 'https://example.com/other' }),
    status: 201,
    shape: success(createdWebhook),
  },
  'GET /v1/public/webhooks': {
    call: get('/v1/public/webhooks'),
    shape: success(z.array(listedWebhook).min(1)),
  },
  'POST /v1/public/webhooks/notify': {
    call: () =>
      org.call('POST', '/v1/public/webhooks/notify', {
        org_id: org.orgId,
        transaction_data: {
          transaction_id: payment,
          status: 'completed',
          amount: 10,
          currency: 'UGX',
          updated_at: '2026-01-01T00:00:00Z',
        },
      }),
    shape: success(z.object({ event_id: text })),
  },
  'GET /v1/beneficiaries': {
    call: get('/v1/beneficiaries'),
    shape: z.object({
      data: z.array(shapeOf(spec.beneficiary)).min(1),
      meta: cursorMeta,
    }),
  },
  'GET /v1/payments/transaction/{transaction_id}': {
    call: () => org.call('GET', `/v1/payments/transaction/${payment}`),
    shape: record,
  },
  'GET /v1/payments/provider-configs/{provider}/{config_id}': {
    call: async () => {
      const { body } = await org.call('POST', '/v1/payments/provider-configs', {
        ...manualConfig,
        org_id: org.orgId,
      })
      const id: string = (body.data ?? body).config_id
      return org.call('GET', `/v1/payments/provider-configs/manual/${id}`)
    },
    shape: shapeOf(spec.providerConfig, { direction: oneOf(spec.specValues.direction) }),
  },
  'GET /v1/users/analytics/geographic-distribution': {
    call: get('/v1/users/analytics/geographic-distribution?org_id={org_id}'),
    shape: success(z.record(z.string(), z.unknown())),
  },
  'GET /v1/transactions/analytics/trends': {
    call: get('/v1/transactions/analytics/trends?dateFrom=2026-01-01&dateTo=2026-12-31'),
    shape: success(z.record(z.string(), z.unknown())),
  },
  'POST /v1/users/notifications/verification-request': {
    call: () =>
      org.call('POST', '/v1/users/notifications/verification-request', {
        user_id: me.user_id,
        target_type: 'both',
        transaction_id: payment,
        verification_type: 'nin',
        triggered_by: 'contract',
        beneficiary_id: beneficiary,
        sender_id: me.user_id,
      }),
    shape: shapeOf(spec.verificationResponse, {
      target_type: z.literal('both'),
      verification_type: z.literal('nin'),
      results: z.array(shapeOf(spec.verificationResult)).length(2),
      all_success: z.literal(true),
    }),
  },
  'GET /v1/organizations/{org_id}': {
    call: get('/v1/organizations/{org_id}'),
    shape: success(z.object({ org_id: text, kyb_status: text, kyb_customer_id: nullable })),
  },
  'GET /v1/transactions': {
    call: get('/v1/transactions'),
    shape: success(z.array(z.object({ transaction_id: text })).min(1)).extend({ meta: cursorMeta }),
  },
  'GET /v1/users/list': {
    call: get('/v1/users/list'),
    shape: success(z.array(z.object({ user_id: text, org_id: text })).min(1)).extend({ meta: cursorMeta }),
  },
  'POST /v1/organizations/{org_id}/kyb/initiate': {
    call: async () => kybOf(t, await openUnverified(t)).initiate(kybApplication()),
    shape: success(z.object({ kyb_customer_id: text, kyb_status: text })),
  },
  'POST /v1/organizations/webhook/kyb': {
    call: () => t.call('POST', '/v1/organizations/webhook/kyb', { rawBody: '{}' }),
    status: 401,
    shape: z.object({ status: z.literal('error'), message: text }),
  },
  'POST /v1/organizations/{org_id}/members/{user_id}/permissions': {
    call: () => changePermissions('POST'),
    shape: permissions,
  },
  'PUT /v1/organizations/{org_id}/members/{user_id}/permissions': {
    call: () => changePermissions('PUT'),
    shape: permissions,
  },
  'DELETE /v1/organizations/{org_id}/members/{user_id}/permissions': {
    call: () => changePermissions('DELETE'),
    shape: permissions,
  },
  'GET /v1/organizations/{org_id}/members/{user_id}/permissions/check': {
    call: get('/v1/organizations/{org_id}/members/{user_id}/permissions/check?permission=payments:read'),
    shape: success(z.object({ allowed: z.literal(true) })),
  },
}

const accountChecks: Readonly<Record<string, Check>> = {
  'PUT /v1/virtual-accounts/escrow/{escrow_id}/milestones/{milestone_id}/parties': {
    call: async () => {
      const escrow = await openEscrow(t)
      const party = await escrow.accountParty()
      const { milestone_id: id } = await escrow.milestone(100, [percent(party, 40)])
      return escrow.call('PUT', `/milestones/${id}/parties`, { parties: [percent(party, 60)] })
    },
    shape: success(milestone).extend({ message: text }),
  },
  'POST /v1/payments/bank-validation/validate-uk-account': {
    call: () =>
      t.call('POST', '/v1/payments/bank-validation/validate-uk-account', {
        as: org.credential,
        body: { sortCode: '12-34-56', accountNumber: '12345678' },
        unaudited: true,
      }),
    shape: shapeOf(spec.ukAccount, { accountDetails: shapeOf(spec.ukAccountDetails) }),
  },
  'GET /v1/orgs/{org_id}/payment-links': {
    call: async () => {
      const path = at('/v1/orgs/{org_id}/payment-links')
      await org.call('POST', path, { amount: 25, currency: 'UGX', description: 'contract' })
      return org.call('GET', path)
    },
    shape: z.object({
      data: z.array(shapeOf(spec.paymentLink, { status: z.literal('active') })).min(1),
      count: z.int(),
    }),
  },
  'POST /v1/virtual-accounts/internal/bank': {
    call: () =>
      org.call('POST', '/v1/virtual-accounts/internal/bank', {
        org_id: org.orgId,
        user_id: me.user_id,
        currency: 'UGX',
      }),
    status: 201,
    shape: success(
      shapeOf(spec.virtualAccount, { status: z.literal('active'), account_type: z.literal('currency') }),
    ).extend({ message: text }),
  },
  'GET /v1/virtual-accounts/transactions/{transaction_id}': {
    call: async () => {
      const accounts = await openAccounts(t)
      const { account_id: id } = await accounts.funded(5_000)
      const [deposit] = await accounts.transactions(id)
      return accounts.call('GET', `/v1/virtual-accounts/transactions/${deposit.transaction_id}`)
    },
    shape: success(shapeOf(spec.virtualTransaction, { type: z.literal('credit') })).extend({ message: text }),
  },
}

describe('every endpoint of the specification answers with the documented shape', () => {
  it.each(specPaths)('%s %s', async (_section, endpoint) => {
    const check = checks[endpoint] ?? accountChecks[endpoint]
    expect(check).toBeDefined()
    const answer = await check?.call()
    expect(answer?.status).toBe(check?.status ?? 200)
    const fits = check?.shape.safeParse(answer?.body)
    expect(fits?.error ? z.prettifyError(fits.error) : '').toBe('')
  })
})
