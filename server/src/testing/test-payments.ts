import { startSimulator, type Simulator } from '../../../simulator/src/simulator.ts'
import { seedProviders } from '../../../dev/src/seed-providers.ts'
import { rolePermissions, type Caller } from '../lib/access.ts'
import type { Clock } from '../lib/clock.ts'
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
  } = {},
): Promise<TestPayments> {
  const simulator = await startSimulator({ delayMs: options.delayMs ?? 20 })
  const app = await startTestApp({
    ...options,
    env: { RATE_FEED_URL: `${simulator.url}/rates`, ...options.env },
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
