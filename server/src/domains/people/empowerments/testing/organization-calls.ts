import { addPerson, personBody } from '../../../../../test/app/people.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import { answerAgain, evidence, leaveInDoubt } from '../../../../../test/worlds/test-doubts.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  installationAccountId,
} from '../../../../../test/worlds/test-payments.ts'
import { newId } from '../../../../lib/ids.ts'
import { eraserOf, payerOf, reason } from '../../../office/privacy/testing/erase-people.ts'
import { paystackFirst } from '../../../routing/policies/testing/use-policies.ts'
import { asks, must, type ControlledCall, type ControlledWorld, type Request } from './controlled-call.ts'

const small = { amount: 150, target_amount: 150 }
const membersPath = '/v1/organizations/:org_id/members'
const permissions = ['payouts:approve']

const member = async (
  { t, org }: ControlledWorld,
  role: 'viewer' | 'org-admin',
  body?: Json,
): Promise<Request> => ({ params: { user_id: (await addPerson(t, org.orgId, role)).userId }, body })

const people: readonly ControlledCall[] = [
  asks(`POST ${membersPath}`, () => ({ body: { ...personBody(), role: 'org-admin' } })),
  asks(`PATCH ${membersPath}/:user_id`, (world) => member(world, 'viewer', { role: 'org-admin' })),
  asks(`DELETE ${membersPath}/:user_id`, (world) => member(world, 'org-admin')),
  asks(`POST ${membersPath}/:user_id/permissions`, (world) => member(world, 'viewer', { permissions })),
  asks(`PUT ${membersPath}/:user_id/permissions`, (world) => member(world, 'viewer', { permissions })),
  asks(`DELETE ${membersPath}/:user_id/permissions`, (world) => member(world, 'org-admin', { permissions })),
  asks('POST /v1/organizations/:org_id/invitations', () => ({
    body: { email: `${newId()}@example.test`, role: 'staff' },
  })),
]

/** The organisation's own account at paystack, where the simulator takes its payments. */
async function ownPaystack({ t, org }: ControlledWorld): Promise<string> {
  const secret_key = `sk_own_${org.orgId}`
  t.simulator.configure('paystack', { account: org.orgId, secrets: { secret_key } })
  const credentials = { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` }
  await org.ownAccount('paystack', credentials, org.orgId)
  t.deps.corridors.invalidate()
  const { data } = must(await org.call('GET', '/v1/payments/provider-accounts?provider=paystack'), 200)
  return data.find(({ org_id }: Json) => org_id === org.orgId).account_id
}

const otherKeys = { credentials: { secretKey: 'sk_test_other' } }

async function draftedPolicy({ org }: ControlledWorld): Promise<string> {
  const drafted = await org.call('PUT', '/v1/routing/policies/draft', { document: paystackFirst })
  return String(must(drafted, 200).data.version)
}

async function publishedPolicy(world: ControlledWorld): Promise<Request> {
  const version = await draftedPolicy(world)
  must(await world.org.call('POST', `/v1/routing/policies/${version}/publish`, {}), 200)
  return { body: {} }
}

async function paidBeneficiary({ t, org }: ControlledWorld): Promise<Request> {
  const beneficiary_id = await org.addBeneficiary(bankBeneficiary())
  await org.start(bankPayout(beneficiary_id, small))
  await t.simulator.settle({ all: true })
  const bank_details = { account_number: '0123456785', bank_code: '058' }
  return { params: { beneficiary_id }, body: { bank_details } }
}

async function paidPerson({ t, org }: ControlledWorld): Promise<Request> {
  const payment_id = await eraserOf(t).paid(org, cardPayin(payerOf('paid')))
  return { body: { reason, payment_id } }
}

async function hostedCards({ org }: ControlledWorld): Promise<Request> {
  must(await org.call('PATCH', `/v1/organizations/${org.orgId}`, { cards: 'hosted_only' }), 200)
  return { body: { cards: 'allowed' } }
}

const settings: readonly ControlledCall[] = [
  asks('PUT /v1/organizations/:org_id/approval-policies', () => ({ body: { policies: [] } })),
  asks('PATCH /v1/organizations/:org_id', hostedCards, { about: 'cards' }),
  asks('POST /v1/payments/provider-accounts', () => ({
    body: { provider: 'paystack', label: 'other', ...otherKeys },
  })),
  asks('PUT /v1/payments/provider-accounts/:account_id/credentials', async (world) => ({
    params: { account_id: await ownPaystack(world) },
    body: otherKeys,
  })),
  asks('PUT /v1/payments/provider-credentials/:provider', () => ({
    params: { provider: 'paystack' },
    body: otherKeys,
  })),
  asks('POST /v1/routing/policies/:version/publish', async (world) => ({
    params: { version: await draftedPolicy(world) },
    body: {},
  })),
  asks('POST /v1/routing/policies/withdraw', publishedPolicy),
  asks('PATCH /v1/beneficiaries/:beneficiary_id', paidBeneficiary),
  asks('POST /v1/privacy/erasures', paidPerson),
]

const outcome = { outcome: 'completed', evidence }

/** Makes what was sent to a provider so old that people may decide about it. */
const age = ({ t }: ControlledWorld, table: 'attempts' | 'refunds', paymentId: string): Promise<unknown> => {
  const column = table === 'refunds' ? 'begun_at' : 'created_at'
  return t.owner.query(
    `update ${table} set ${column} = ${column} - interval '15 days' where payment_id = $1`,
    [paymentId],
  )
}

/** A payin of which paystack has not told the outcome. */
export async function doubtfulPayment(world: ControlledWorld): Promise<Request> {
  leaveInDoubt(world.t)
  const payment_id = await world.org.start(bankTransferPayin(small))
  answerAgain(world.t)
  await age(world, 'attempts', payment_id)
  return { params: { payment_id }, body: outcome }
}

async function doubtfulRefund(world: ControlledWorld): Promise<Request> {
  const { t, org } = world
  const payment_id = await org.start(bankTransferPayin(small))
  await t.simulator.settle({ all: true })
  leaveInDoubt(t)
  const refunded = await org.call('POST', `/v1/payments/${payment_id}/refund`, { reason: 'Returned goods' })
  answerAgain(t)
  await age(world, 'refunds', payment_id)
  return { params: { payment_id, refund_id: refunded.body.data.refund_id }, body: outcome }
}

export const adjustment = { currency: 'NGN', amount: 12.5, reason: 'The statement shows a bank charge.' }

/** A payin of somebody whose name is on a sanctions list. */
export async function openMatch({ org }: ControlledWorld): Promise<Request> {
  const plain = cardPayin()
  const card_details = { ...plain.card_details, card_holder_name: 'Oluakin Nduezemi' }
  must(await org.initiate({ ...plain, card_details }), 200)
  const [match] = must(await org.call('GET', '/v1/screening/matches'), 200).data
  return { params: { match_id: match.match_id }, body: { reason: 'Compared the passports.' } }
}

const resolve = 'POST /v1/payments/:payment_id/resolve'
const resolveRefund = 'POST /v1/payments/:payment_id/refunds/:refund_id/resolve'
const own = { about: 'own money' }
const atOwnAccount =
  (prepare: (world: ControlledWorld) => Promise<Request>) =>
  async (world: ControlledWorld): Promise<Request> => {
    await ownPaystack(world)
    return prepare(world)
  }
const ownMoney: readonly ControlledCall[] = [
  asks(resolve, atOwnAccount(doubtfulPayment), own),
  asks(resolveRefund, atOwnAccount(doubtfulRefund), own),
  asks(
    'POST /v1/ledger/adjustments',
    async (world) => ({
      body: {
        debit: `provider:paystack:${await ownPaystack(world)}`,
        credit: 'available:own',
        ...adjustment,
      },
    }),
    own,
  ),
]

/** Another administrator decides about these. */
export const organizationCalls = [...people, ...settings, ...ownMoney]

/** The operator decides about these. */
export const pooledCalls: readonly ControlledCall[] = [
  asks(resolve, doubtfulPayment),
  asks(resolveRefund, doubtfulRefund),
  asks('POST /v1/ledger/adjustments', async ({ t }) => ({
    body: {
      debit: 'available',
      credit: `provider:paystack:${await installationAccountId(t, 'paystack')}`,
      ...adjustment,
    },
  })),
  asks('POST /v1/screening/matches/:match_id/clear', openMatch),
]
