import type { Acceptance } from '@switchyard/simulator/core/acceptance-log.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import { simulatedKyb } from '@switchyard/stack/seeds/simulated-kyb.ts'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { advancePayment, type Progress } from '../../src/domains/payments/supervision/advance-payment.ts'
import { rolePermissions, type Caller } from '../../src/lib/requests/access.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { closeInOrder } from '../app/close-in-order.ts'
import { openOrganization } from '../app/people.ts'
import {
  memberOf,
  startTestApp,
  type CallAnswer,
  type CallOptions,
  type Json,
  type TestApp,
  type TestAppOptions,
} from '../app/test-app.ts'
import { useStarted } from '../app/use-started.ts'

export {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  ghanaianPayin,
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
} from './payment-requests.ts'

/** The API with the simulator behind its providers, both over real HTTP. */
export interface TestPayments extends TestApp {
  simulator: Simulator
  /** An org-admin's key of the first organisation. */
  admin: string
  initiate(body: Json, options?: CallOptions): Promise<CallAnswer>
  record(paymentId: string): Promise<Json>
  timeline(paymentId: string): Promise<Json[]>
}

interface TestPaymentsOptions extends TestAppOptions {
  delayMs?: number
  /** Where the simulator keeps its state; without it, in memory only. */
  simulatorDir?: string
}

/** `startTestPayments` for the tests of a file. */
export const usePayments = (options: TestPaymentsOptions = {}): TestPayments =>
  useStarted(
    () => startTestPayments(options),
    (payments) => payments.close(),
  )

export async function startTestPayments(options: TestPaymentsOptions = {}): Promise<TestPayments> {
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
      await closeInOrder({ 'the simulator': () => simulator.stop() })
      await app.close()
    },
  }
}

/** Replaces the installation's keys at a provider, as the operator. */
export const storeInstallationKeys = (t: TestApp, provider: string, credentials: Json): Promise<CallAnswer> =>
  t.call('PUT', `/v1/payments/provider-credentials/${provider}`, {
    as: t.seed.platformAdmin.api_key,
    body: { org_id: null, credentials },
  })

export const installationAccountId = async (t: TestApp, provider: string): Promise<string> => {
  const { body } = await t.call('GET', `/v1/payments/provider-accounts?provider=${provider}`, {
    as: t.seed.platformAdmin.api_key,
  })
  return body.data.find((account: Json) => account.org_id === null).account_id
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

/** With this delay the simulator settles nothing until the test calls `settle`. */
export const untilSettled = 3_600_000

/** A clock that a test can advance. */
export function createTestClock(): Clock & { pass(ms: number): void } {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    pass(ms) {
      offsetMs += ms
    },
  }
}

/** Rates are quoted only while the market's are recent by the clock that judges them. */
export const renewRates = (t: TestApp, clock: Clock): Promise<unknown> =>
  t.owner.query('update market_rates set as_of = $1', [clock.now()])

/** The payments of one organisation, as the API, the workflow, the ledger and the providers see them. */
export interface OrgPayments {
  orgId: string
  credential: string
  call(method: string, path: string, body?: Json): Promise<CallAnswer>
  initiate(body: Json, options?: CallOptions): Promise<CallAnswer>
  /** As initiate, but throws unless the payment was accepted, and returns its id. */
  start(body: Json): Promise<string>
  addBeneficiary(body: Json): Promise<string>
  networks(body: Json): Promise<CallAnswer>
  /**
   * Stores keys of an account of its own, and prefers it in every corridor of the provider. `simulated` is the account
   * at the simulator that sends its webhooks there.
   */
  ownAccount(provider: string, credentials: Json, simulated?: string): Promise<Json>
  record(paymentId: string): Promise<Json>
  timeline(paymentId: string): Promise<Json[]>
  /** The attempts in the timeline, with our references also where only the operator sees them. */
  attempts(paymentId: string): Promise<Json[]>
  advance(paymentId: string): Promise<Progress>
  /** What the providers have accepted for the payment: the ground truth. */
  accepted(paymentId: string): Promise<Acceptance[]>
  /** Without the accounts' ids in the names of the providers' ledger accounts. */
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
  const attempts = async (paymentId: string): Promise<Json[]> => {
    const { rows } = await t.owner.query<{ attempt_no: number; reference: string }>(
      'select attempt_no, reference::text from attempts where org_id = $1 and payment_id = $2',
      [orgId, paymentId],
    )
    const references = new Map(rows.map((row) => [row.attempt_no, row.reference]))
    const shown = (await timeline(paymentId)).filter((entry) => entry.kind === 'attempt')
    return shown.map((entry) => ({
      ...entry,
      data: { ...entry.data, reference: references.get(entry.attempt_no) },
    }))
  }
  return {
    orgId,
    credential,
    call,
    initiate,
    timeline,
    attempts,
    async start(body) {
      const { status, body: answered, text } = await initiate(body)
      // A payment that is refused at once exists too.
      const paymentId = status === 502 ? answered.payment_id : answered.response?.payment_id
      if (paymentId === undefined) throw new Error(`the payment was not begun: ${text}`)
      return paymentId
    },
    async addBeneficiary(body) {
      return (await call('POST', '/v1/beneficiaries', body)).body.data.beneficiary_id
    },
    networks: (body) => t.call('POST', '/v1/externals/networks', { as: credential, body, unaudited: true }),
    ownAccount: ownAccountOf(t, call),
    record: async (paymentId) => (await call('GET', `/v1/payments/transaction/${paymentId}`)).body,
    advance: (paymentId) => advancePayment(t.deps, { orgId, paymentId }),
    async accepted(paymentId) {
      const references = (await attempts(paymentId)).map((attempt) => attempt.data.reference)
      return t.simulator.log().filter((entry) => references.includes(entry.reference))
    },
    async postings(causeId) {
      const { rows } = await t.owner.query(
        `select kind, phase, regexp_replace(debit_account, '^(provider:[^:]+):.*', '\\1') as debit,
                regexp_replace(credit_account, '^(provider:[^:]+):.*', '\\1') as credit, currency, amount_minor as minor
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

/** Stores the organisation's own keys at a provider, and routes to them wherever the installation routes to it. */
const ownAccountOf =
  (t: TestPayments, call: OrgPayments['call']): OrgPayments['ownAccount'] =>
  async (provider, credentials, simulated) => {
    const stored = await call('PUT', `/v1/payments/provider-credentials/${provider}`, { credentials })
    if (stored.status !== 200) throw new Error(`the keys were not stored: ${stored.text}`)
    const { webhook_url } = stored.body.data
    if (simulated !== undefined) t.simulator.configure(provider, { account: simulated, webhook_url })
    const { body } = await call('GET', `/v1/payments/provider-configs?provider=${provider}&limit=100`)
    const own = body.data.filter((config: Json) => config.org_id !== null)
    if (own.length > 0) return stored.body.data
    for (const { country, payment_method, direction } of body.data)
      await call('POST', '/v1/payments/provider-configs', {
        provider,
        country,
        payment_method,
        direction,
        priority: 0,
      })
    return stored.body.data
  }

/** More than the payouts and refunds of any test need, in whole units. */
export const ampleFunds = 1_000_000_000_000n

/** Opens an organisation for one test, so that its configurations and credentials affect no other. */
export async function openPayments(t: TestPayments): Promise<OrgPayments> {
  const org = await openUnverified(t)
  await seedFunds(t.deps, org.orgId, ampleFunds)
  return org
}

/** The first organisation of the seed, verified and with an ample balance: its members can sign in too. */
export async function fundedPayments(t: TestPayments): Promise<OrgPayments> {
  const orgId = t.seed.orgs[0]?.org_id ?? ''
  await seedFunds(t.deps, orgId, ampleFunds)
  return paymentsOf(t, orgId, t.admin)
}

/** An organisation as it is created: without a verification and with an empty balance. */
export async function openUnverified(t: TestPayments): Promise<OrgPayments> {
  const { orgId, admin } = await openOrganization(t)
  return paymentsOf(t, orgId, admin.token)
}
