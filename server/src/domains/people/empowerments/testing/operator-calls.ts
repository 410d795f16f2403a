import { createHmac } from 'node:crypto'
import { sandboxCredentials } from '@switchyard/simulator/registry.ts'
import { personBody } from '../../../../../test/app/people.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import { accountsOf } from '../../../../../test/worlds/test-accounts.ts'
import { installationAccountId } from '../../../../../test/worlds/test-payments.ts'
import { newId } from '../../../../lib/ids.ts'
import { paystackFirst } from '../../../routing/policies/testing/use-policies.ts'
import { suspend } from '../../../compliance/suspensions/testing/suspend-as-operator.ts'
import {
  agree,
  asks,
  callRoute,
  must,
  type ControlledCall,
  type ControlledWorld,
  type Request,
} from './controlled-call.ts'
import { adjustment, doubtfulPayment, openMatch } from './organization-calls.ts'

const schedules = '/v1/fees/schedules'
const members = '/v1/organizations/:org_id/members'
const role = 'platform-admin'

const schedule = ({ org }: ControlledWorld): Request => ({
  body: { org_id: org.orgId, label: 'Everything', percent: 1 },
})

async function oldSchedule(world: ControlledWorld): Promise<Request> {
  await agree(world, `POST ${schedules}`, schedule(world))
  const { root } = world.operators
  const listed = await world.t.call('GET', `${schedules}?org_id=${world.org.orgId}`, { as: root })
  return { params: { schedule_id: must(listed, 200).data[0].schedule_id } }
}

const terms: readonly ControlledCall[] = [
  asks(`POST ${schedules}`, schedule),
  asks(`DELETE ${schedules}/:schedule_id`, oldSchedule),
  asks('PUT /v1/organizations/:org_id/credit-limits', () => ({
    body: { limits: [{ currency: 'NGN', amount: 10 }] },
  })),
  asks('PATCH /v1/organizations/:org_id', () => ({ body: { rate_margin_bps: 1 } }), { about: 'margin' }),
  asks('PATCH /v1/organizations/:org_id', () => ({ body: { payouts_require_kyb: false } }), {
    about: 'verification',
  }),
  asks('POST /v1/platform/suspensions/:suspension_id/lift', async ({ t, org }) => ({
    params: { suspension_id: await suspend(t, { kind: 'organization', subject_id: org.orgId }) },
    body: { reason: 'It was a false alarm.' },
  })),
]

/** The simulator's keys of the installation, with other secrets. */
const keysOf = ({ t }: ControlledWorld, provider: string, change: Json): Json => ({
  org_id: null,
  credentials: { ...sandboxCredentials(t.simulator.url)[provider], ...change },
})

const accounts: readonly ControlledCall[] = [
  asks('POST /v1/payments/provider-accounts', (world) => ({
    body: { provider: 'mpesa', label: newId(), ...keysOf(world, 'mpesa', {}) },
  })),
  asks('PUT /v1/payments/provider-accounts/:account_id/credentials', async (world) => {
    const { credentials } = keysOf(world, 'flutterwave', { secretKey: newId() })
    return {
      params: { account_id: await installationAccountId(world.t, 'flutterwave') },
      body: { credentials },
    }
  }),
  asks('PUT /v1/payments/provider-credentials/:provider', (world) => ({
    params: { provider: 'pawapay' },
    body: keysOf(world, 'pawapay', { apiToken: newId() }),
  })),
]

const publish = 'POST /v1/routing/policies/:version/publish'
const ofInstallation = { org_id: null }

async function draftedPolicy({ t, operators }: ControlledWorld): Promise<Request> {
  const body = { ...ofInstallation, document: paystackFirst }
  const drafted = await t.call('PUT', '/v1/routing/policies/draft', { as: operators.root, body })
  return { params: { version: String(must(drafted, 200).data.version) }, body: ofInstallation }
}

const routing: readonly ControlledCall[] = [
  asks(publish, draftedPolicy, { about: 'installation' }),
  asks(
    'POST /v1/routing/policies/withdraw',
    async (world) => {
      await agree(world, publish, await draftedPolicy(world))
      return { body: ofInstallation }
    },
    { about: 'installation' },
  ),
]

/** A deposit to an account number of the installation that nobody has, and who it belongs to. */
async function unmatchedDeposit({ t, org, adminId, operators }: ControlledWorld): Promise<Request> {
  const { account_id } = await (await accountsOf(t, org, adminId)).open()
  const as = operators.root
  const credentials = must(await t.call('GET', '/v1/payments/provider-credentials', { as }), 200)
  const { webhook_url } = credentials.data.find(({ provider }: Json) => provider === 'paystack')
  const reference = newId()
  const authorization = { receiver_bank_account_number: '9999999999', sender_name: 'Ann' }
  const data = { id: 1, status: 'success', reference, amount: 12_345, currency: 'NGN' }
  const rawBody = JSON.stringify({
    event: 'charge.success',
    data: { ...data, channel: 'dedicated_nuban', authorization },
  })
  const signature = createHmac('sha512', 'sk_test_switchyard_sandbox').update(rawBody).digest('hex')
  const headers = { 'x-paystack-signature': signature }
  must(await t.call('POST', new URL(webhook_url).pathname, { rawBody, headers, unaudited: true }), 200)
  const listed = await t.call('GET', '/v1/payments/exceptions?kind=unmatched_deposit', { as })
  const found = must(listed, 200).data.find(({ summary }: Json) => summary.includes(reference))
  return { params: { exception_id: found.exception_id }, body: { account_id } }
}

const inOperators = ({ t }: ControlledWorld, userId?: string): Record<string, string> => ({
  org_id: t.seed.platformAdmin.org_id,
  ...(userId !== undefined && { user_id: userId }),
})

async function furtherViewer(world: ControlledWorld): Promise<Request> {
  const { user_id, ...person } = personBody()
  const body = { user_id, ...person, role: 'viewer' }
  const { root } = world.operators
  must(await callRoute(world, `POST ${members}`, { params: inOperators(world), body }, root), 201)
  return { params: inOperators(world, user_id), body: { role } }
}

async function furtherOperator(world: ControlledWorld): Promise<Request> {
  const person = personBody()
  await agree(world, `POST ${members}`, { params: inOperators(world), body: { ...person, role } })
  return { params: inOperators(world, person.user_id) }
}

const people: readonly ControlledCall[] = [
  asks(`POST ${members}`, (world) => ({ params: inOperators(world), body: { ...personBody(), role } })),
  asks(`PATCH ${members}/:user_id`, furtherViewer),
  asks(`DELETE ${members}/:user_id`, furtherOperator),
  asks('POST /v1/organizations/:org_id/invitations', (world) => ({
    params: inOperators(world),
    body: { email: `${newId()}@example.test`, role },
  })),
]

/** What the operator asks for in the name of an organisation. */
const forOrganizations: readonly ControlledCall[] = [
  asks('POST /v1/payments/exceptions/:exception_id/assign-deposit', unmatchedDeposit),
  asks('POST /v1/payments/:payment_id/resolve', async (world) => {
    const { params, body } = await doubtfulPayment(world)
    return { ...(params && { params }), body: { ...body, org_id: world.org.orgId } }
  }),
  asks('POST /v1/ledger/adjustments', ({ org }) => ({
    body: { debit: 'opening', credit: 'available', org_id: org.orgId, ...adjustment },
  })),
  asks('POST /v1/screening/matches/:match_id/clear', openMatch),
  asks('PUT /v1/organizations/:org_id/approval-policies', () => ({ body: { policies: [] } })),
]

/** One of the operator's people asks for these, and another one decides. */
export const operatorCalls = [...terms, ...accounts, ...routing, ...people, ...forOrganizations]
