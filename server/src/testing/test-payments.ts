import type { Acceptance } from '../../../simulator/src/core/acceptance-log.ts'
import { startSimulator, type Simulator } from '../../../simulator/src/simulator.ts'
import { simulatedKyb } from '../../../dev/src/dev-env.ts'
import { seedProviders } from '../../../dev/src/seed-providers.ts'
import { advancePayment, type Progress } from '../domains/payments/advance-payment.ts'
import { rolePermissions, type Caller } from '../lib/access.ts'
import type { Clock } from '../lib/clock.ts'
import { openOrganization } from './people.ts'
import {
  memberOf,
  startTestApp,
  type CallAnswer,
  type CallOptions,
  type Json,
  type TestApp,
} from './test-app.ts'

/** The API with the simulator behind its providers, both over real HTTP. */
export interface TestPayments extends TestApp {
  simulator: Simulator
  /** An org-admin's key of the first organisation. */
  admin: string
  initiate(body: Json, options?: CallOptions): Promise<CallAnswer>
  record(paymentId: string): Promise<Json>
  timeline(paymentId: string): Promise<Json[]>
}

export async function startTestPayments(
  options: {
    env?: Record<string, string>
    clock?: Clock
    delayMs?: number
    logTo?: NodeJS.WritableStream
    sendDeadlineMs?: number
    /** Where the simulator keeps its state; in memory only unless told. */
    simulatorDir?: string
  } = {},
): Promise<TestPayments> {
  const simulator = await startSimulator({ delayMs: options.delayMs ?? 20, stateDir: options.simulatorDir })
  const app = await startTestApp({
    ...options,
    env: { RATE_FEED_URL: `${simulator.url}/rates`, ...simulatedKyb(simulator.url), ...options.env },
  })
  await seedProviders(app.deps, operatorOf(app), simulator.url)
  const admin = memberOf(app.seed.orgs[0], 'org-admin').api_key
  return {
    ...app,
    simulator,
    admin,
    initiate: (body, callOptions) =>
      app.call('POST', '/v1/payments-init/initiate', { as: admin, body, ...callOptions }),
    async record(paymentId) {
      return (await app.call('GET', `/v1/payments/transaction/${paymentId}`, { as: admin })).body
    },
    async timeline(paymentId) {
      return (await app.call('GET', `/v1/payments/${paymentId}/timeline`, { as: admin })).body.data
    },
    async close() {
      await simulator.stop()
      await app.close()
    },
  }
}

export const operatorOf = ({ seed }: TestApp): Caller => ({
  orgId: seed.platformAdmin.org_id,
  userId: seed.platformAdmin.user_id,
  role: 'platform-admin',
  permissions: new Set(rolePermissions['platform-admin']),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin: { ip: 'test', userAgent: undefined, requestId: 'test' },
})

/** Requests that complete, to be changed by each test. */
export const mobileMoneyPayin = (change: object = {}): Json => ({
  amount: 5000,
  target_amount: 5000,
  currency: 'UGX',
  target_currency: 'UGX',
  payment_method: 'mobile_money',
  direction: 'payin',
  country: 'UG',
  payer_details: { name: 'Grace', email: 'grace@example.com', phone: '256783456789' },
  mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
  ...change,
})

/** In a country with two providers for it: pawapay, then paystack. */
export const kenyanPayin = (change: object = {}): Json =>
  mobileMoneyPayin({
    amount: 100,
    target_amount: 100,
    currency: 'KES',
    target_currency: 'KES',
    country: 'KE',
    mobile_money_details: { provider: 'MPESA', phone_number: '254708663158' },
    ...change,
  })

/** In a country with the same two the other way round. */
export const ghanaianPayin = (change: object = {}): Json =>
  kenyanPayin({
    currency: 'GHS',
    target_currency: 'GHS',
    country: 'GH',
    mobile_money_details: { provider: 'MTN', phone_number: '233241234567' },
    ...change,
  })

export const cardPayin = (change: object = {}): Json => ({
  amount: 25,
  target_amount: 25,
  currency: 'GBP',
  target_currency: 'GBP',
  payment_method: 'card',
  direction: 'payin',
  country: 'GB',
  payer_details: { name: 'Ann', email: 'ann@example.com' },
  card_details: { card_number: '4242424242424242', expiry_month: '12', expiry_year: '2031', cvv: '123' },
  ...change,
})

export const bankTransferPayin = (change: object = {}): Json => ({
  amount: 1500.25,
  target_amount: 1500.25,
  currency: 'NGN',
  target_currency: 'NGN',
  payment_method: 'bank_transfer',
  direction: 'payin',
  country: 'NG',
  payer_details: { name: 'Tunde', email: 'tunde@example.com' },
  bank_details: {
    account_name: 'Tunde',
    account_number: '0690000031',
    bank_name: 'Access Bank',
    country: 'NG',
  },
  bank_account: { account_number: '0123456789', bank_code: '044', bank_name: 'Access Bank' },
  ...change,
})

export const mobileMoneyPayout = (beneficiaryId: string, change: object = {}): Json => {
  const { payer_details: _payer, ...body } = mobileMoneyPayin()
  return { ...body, direction: 'payout', beneficiary_id: beneficiaryId, ...change }
}

export const bankPayout = (beneficiaryId: string, change: object = {}): Json => {
  const { payer_details: _payer, ...body } = bankTransferPayin()
  const bank_account = { account_number: '0690000040', bank_code: '044', bank_name: 'Access Bank' }
  return { ...body, direction: 'payout', bank_account, beneficiary_id: beneficiaryId, ...change }
}

/** The recipients of the two payouts above. */
export const mobileMoneyBeneficiary = (change: object = {}): Json => ({
  account_type: 'mobile_money',
  country: 'UG',
  currency: 'UGX',
  fname: 'Grace',
  lname: 'Akello',
  momo_details: { provider: 'MTN', phone_number: '256783456789' },
  ...change,
})

export const bankBeneficiary = (change: object = {}): Json => ({
  account_type: 'bank',
  country: 'NG',
  currency: 'NGN',
  fname: 'Ngozi',
  lname: 'Eze',
  email: 'ngozi@example.com',
  bank_details: { account_number: '0690000040', bank_code: '044', bank_name: 'Access Bank' },
  ...change,
})

/** With this delay of the simulator nothing moves by itself: a test calls `settle`. */
export const untilSettled = 3_600_000

/** A clock that a test moves on. */
export function createTestClock(): Clock & { pass(ms: number): void } {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    pass(ms) {
      offsetMs += ms
    },
  }
}

/** One organisation's payments, from every side: the API, the engine's step, the ledger and the providers. */
export interface OrgPayments {
  orgId: string
  credential: string
  call(method: string, path: string, body?: Json): Promise<CallAnswer>
  initiate(body: Json, options?: CallOptions): Promise<CallAnswer>
  /** As initiate, for a test that goes on from a payment that was taken. */
  start(body: Json): Promise<string>
  addBeneficiary(body: Json): Promise<string>
  networks(body: Json): Promise<CallAnswer>
  record(paymentId: string): Promise<Json>
  timeline(paymentId: string): Promise<Json[]>
  /** The entries of the timeline about attempts. */
  attempts(paymentId: string): Promise<Json[]>
  advance(paymentId: string): Promise<Progress>
  /** What the providers have taken on for the payment: the ground truth. */
  accepted(paymentId: string): Promise<Acceptance[]>
  postings(causeId: string): Promise<Json[]>
  eventTypes(paymentId: string): Promise<string[]>
  exceptions(filter?: string): Promise<Json[]>
}

export function paymentsOf(t: TestPayments, orgId: string, credential: string): OrgPayments {
  const call: OrgPayments['call'] = (method, path, body) =>
    t.call(method, path, { as: credential, ...(body !== undefined && { body }) })
  const initiate: OrgPayments['initiate'] = (body, options) =>
    t.call('POST', '/v1/payments-init/initiate', { as: credential, body, ...options })
  const timeline = async (paymentId: string): Promise<Json[]> =>
    (await call('GET', `/v1/payments/${paymentId}/timeline`)).body.data
  const attempts = async (paymentId: string): Promise<Json[]> =>
    (await timeline(paymentId)).filter((entry) => entry.kind === 'attempt')
  return {
    orgId,
    credential,
    call,
    initiate,
    timeline,
    attempts,
    async start(body) {
      const answer = await initiate(body)
      if (answer.status !== 200) throw new Error(`the payment was not taken: ${answer.text}`)
      return answer.body.response.payment_id
    },
    async addBeneficiary(body) {
      return (await call('POST', '/v1/beneficiaries', body)).body.data.beneficiary_id
    },
    networks: (body) => t.call('POST', '/v1/externals/networks', { as: credential, body, unaudited: true }),
    record: async (paymentId) => (await call('GET', `/v1/payments/transaction/${paymentId}`)).body,
    advance: (paymentId) => advancePayment(t.deps, { orgId, paymentId }),
    async accepted(paymentId) {
      const references = (await attempts(paymentId)).map((attempt) => attempt.data.reference)
      return t.simulator.log().filter((entry) => references.includes(entry.reference))
    },
    async postings(causeId) {
      const { rows } = await t.owner.query(
        `select kind, phase, debit_account as debit, credit_account as credit, currency, amount_minor as minor
         from ledger_transfers where org_id = $1 and cause_id = $2 order by kind`,
        [orgId, causeId],
      )
      return rows
    },
    async eventTypes(paymentId) {
      const { rows } = await t.owner.query<{ event_type: string }>(
        'select event_type from events where org_id = $1 and resource_id = $2 order by sequence',
        [orgId, paymentId],
      )
      return rows.map((row) => row.event_type)
    },
    async exceptions(filter = '') {
      return (await call('GET', `/v1/payments/exceptions?limit=100${filter}`)).body.data
    },
  }
}

/** An organisation of the test's own, so that its configurations and credentials meet no other test. */
export async function openPayments(t: TestPayments): Promise<OrgPayments> {
  const { orgId, admin } = await openOrganization(t)
  return paymentsOf(t, orgId, admin.token)
}
