import { insertException } from '../../src/domains/people/exceptions/raise-exception.ts'
import { newId } from '../../src/lib/ids.ts'
import { addPerson } from '../app/people.ts'
import type { Json } from '../app/test-app.ts'
import { percent, type TestEscrow } from '../worlds/test-escrow.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  openPayments,
  openUnverified,
  type TestPayments,
} from '../worlds/test-payments.ts'

/** Where and as whom an example of the OpenAPI document is sent. */
export interface Target {
  as: string
  /** The parameters of the path. */
  path?: Record<string, string>
  /** What replaces the sample values of fields with these names, at any depth. */
  values?: Record<string, unknown>
}

/** The organisation that the examples are sent to; its payments wait until the test settles them. */
export interface World {
  t: TestPayments
  escrow: TestEscrow
  org: TestEscrow['org']
}

const operator = (w: World): string => w.t.seed.platformAdmin.api_key
export const admin = (
  w: World,
  path: Record<string, string> = {},
  values: Record<string, unknown> = {},
): Target => ({
  as: w.org.credential,
  path,
  values,
})
export const inOrg = (w: World, values?: Record<string, unknown>): Target =>
  admin(w, { org_id: w.org.orgId }, values)
export const asOperator = (
  w: World,
  path: Record<string, string> = {},
  values: Record<string, unknown> = {},
): Target => ({
  as: operator(w),
  path,
  values,
})
export const dataOf = async (w: World, method: string, path: string, body?: Json): Promise<Json> => {
  const answer = await w.org.call(method, path, body)
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body.data
}
const rateOf = async (w: World, from: string, to: string): Promise<Json> =>
  dataOf(w, 'GET', `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`)

export async function initiation(w: World, example: Json): Promise<Target> {
  if (example.org_rate_id) {
    const { org_rate_id, rate } = await rateOf(w, 'GBP', 'NGN')
    return admin(w, {}, { org_rate_id, target_amount: Math.round(25 * Number(rate) * 100) / 100 })
  }
  const isMobile = example.payment_method === 'mobile_money'
  const payee = isMobile ? mobileMoneyBeneficiary() : bankBeneficiary()
  return admin(w, {}, { beneficiary_id: await w.org.addBeneficiary(payee) })
}

export async function ramp(w: World, example: Json): Promise<Target> {
  const [from, to] = example.wallet_address ? ['NGN', 'USDC'] : ['USDC', 'NGN']
  const { rate } = await rateOf(w, from, to)
  return admin(
    w,
    {},
    { client_rate: Number(rate), beneficiary_id: await w.org.addBeneficiary(bankBeneficiary()) },
  )
}

export async function otpPayment(w: World): Promise<Target> {
  const body = kenyanPayin({
    amount: 20.15,
    target_amount: 20.15,
    currency: 'GHS',
    target_currency: 'GHS',
    country: 'GH',
    mobile_money_details: { provider: 'MTN', phone_number: '0551234987' },
  })
  return admin(w, { payment_id: await w.org.start(body) })
}

export const member = async (w: World): Promise<Target> =>
  admin(w, { org_id: w.org.orgId, user_id: (await addPerson(w.t, w.org.orgId, 'staff')).userId })

/** A change of another administrator, which waits for a second person. */
export async function pendingChange(w: World): Promise<Target> {
  const other = await openPayments(w.t)
  const path = `/v1/organizations/${other.orgId}/approval-policies`
  await other.call('PUT', path, { policies: [{ currency: 'GBP', payout_from: 1000 }] })
  const held = await other.call('PUT', path, { policies: [] })
  return asOperator(w, { org_id: other.orgId, request_id: held.body.data.request_id })
}

/** Of an organisation of its own, so that the other examples still pay out. */
export async function suspension(w: World): Promise<Target> {
  const subject_id = (await openPayments(w.t)).orgId
  const body = { kind: 'organization', subject_id, reason: 'A stolen key' }
  const { body: answer } = await w.t.call('POST', '/v1/platform/suspensions', { as: operator(w), body })
  return asOperator(w, { suspension_id: answer.data.suspension_id })
}

export async function legalHold(w: World): Promise<Target> {
  const body = { subject: 'payment', subject_id: await w.org.start(mobileMoneyPayin()), reason: 'Case 14' }
  const { body: answer } = await w.org.call('POST', '/v1/privacy/holds', body)
  return admin(w, { hold_id: answer.data.hold_id })
}

export async function waitingBatch(w: World): Promise<Target> {
  const other = await openPayments(w.t)
  const second = await addPerson(w.t, other.orgId, 'org-admin')
  const path = `/v1/organizations/${other.orgId}/approval-policies`
  await other.call('PUT', path, { policies: [{ currency: 'NGN', payout_from: 1 }] })
  const beneficiary_id = await other.addBeneficiary(bankBeneficiary())
  const rows = [{ client_reference: 'r1', beneficiary_id, amount: 100, currency: 'NGN' }]
  const stored = await other.call('POST', '/v1/payouts/batches', { rows })
  return { as: second.token, path: { batch_id: stored.body.data.batch_id } }
}

export async function exception(w: World): Promise<Target> {
  const finding = {
    kind: 'amount_differs',
    paymentId: null,
    provider: 'paystack',
    summary: 'It differs',
  } as const
  await w.t.deps.db.batchInOrg(w.org.orgId, [
    insertException(w.org.orgId, { ...finding, findingKey: newId() }),
  ])
  const { user_id } = await dataOf(w, 'GET', '/v1/users/me')
  const [found] = await w.org.exceptions('&status=open')
  return admin(w, { exception_id: found.exception_id }, { user_id })
}

export const escrowTarget = (w: World, values: Record<string, unknown> = {}): Target =>
  admin(w, { escrow_id: w.escrow.escrowId }, values)

export async function milestone(w: World): Promise<Target> {
  const party = await w.escrow.accountParty()
  const { milestone_id } = await w.escrow.milestone(100, [percent(party, 90)])
  return admin(w, { escrow_id: w.escrow.escrowId, milestone_id }, { party_id: party.party_id })
}

export async function accounts(w: World): Promise<Target> {
  const { account_id } = await w.escrow.org.funded(100_000)
  const to_account_id = (await w.escrow.org.open()).account_id
  return admin(w, { account_id }, { to_account_id, beneficiary_id: w.escrow.org.beneficiaryId })
}

export async function webhook(w: World): Promise<Target> {
  const { webhook_id } = await dataOf(w, 'POST', '/v1/public/webhooks', {
    endpoint_url: `https://example.com/${newId()}`,
  })
  return admin(w, { webhook_id })
}

export async function event(w: World): Promise<Target> {
  await w.org.start(mobileMoneyPayin())
  const [{ event_id }] = await dataOf(w, 'GET', '/v1/public/webhooks/events')
  const [{ webhook_id }] = await dataOf(w, 'GET', '/v1/public/webhooks')
  return admin(w, { event_id }, { webhook_id })
}

export async function config(w: World): Promise<Target> {
  const body = { provider: 'paystack', country: 'NG', payment_method: 'card', direction: 'outbound' }
  const created = await w.org.call('POST', '/v1/payments/provider-configs', { ...body, direction: 'inbound' })
  return admin(w, { provider: 'paystack', config_id: created.body.data.config_id })
}

export async function fresh(w: World): Promise<Target> {
  const { orgId, credential } = await openUnverified(w.t)
  return { as: credential, path: { org_id: orgId } }
}

/** A payout that waits for its first approval. */
export async function waitingPayout(w: World): Promise<Target> {
  const other = await openPayments(w.t)
  const second = await addPerson(w.t, other.orgId, 'org-admin')
  const path = `/v1/organizations/${other.orgId}/approval-policies`
  await other.call('PUT', path, { policies: [{ currency: 'NGN', payout_from: 1 }] })
  const payment_id = await other.start(bankPayout(await other.addBeneficiary(bankBeneficiary())))
  return { as: second.token, path: { payment_id } }
}

/** A refund that waits, and the two people: its requester, and one who may approve it. */
export async function waitingRefund(
  w: World,
): Promise<{ refundId: string; requester: Target; approver: Target }> {
  const other = await openPayments(w.t)
  const second = await addPerson(w.t, other.orgId, 'org-admin')
  const path = `/v1/organizations/${other.orgId}/approval-policies`
  await other.call('PUT', path, { policies: [{ currency: 'GBP', payout_from: 1, refund_from: 1 }] })
  const payment_id = await other.start(cardPayin())
  const refund = await other.call('POST', `/v1/payments/${payment_id}/refund`, { reason: 'Returned goods' })
  const refundId: string = refund.body.data.refund_id
  const target = { path: { refund_id: refundId } }
  return {
    refundId,
    requester: { as: other.credential, ...target },
    approver: { as: second.token, ...target },
  }
}

/** In Uganda the operator carries out bank transfers. */
export async function manualPayin(w: World): Promise<Target> {
  const money = { amount: 5000, target_amount: 5000, currency: 'UGX', target_currency: 'UGX' }
  return asOperator(w, { payment_id: await w.org.start(bankTransferPayin({ country: 'UG', ...money })) })
}

/** Keys of an account of its own, which the simulator knows. */
export async function ownKeys(w: World, isStored: boolean): Promise<Target> {
  const other = await openPayments(w.t)
  const secret_key = `sk_own_${other.orgId}`
  w.t.simulator.configure('paystack', { account: other.orgId, secrets: { secret_key } })
  const credentials = { secretKey: secret_key, baseUrl: `${w.t.simulator.url}/paystack` }
  const path: Record<string, string> = { provider: 'paystack' }
  if (isStored) {
    await other.ownAccount('paystack', credentials, other.orgId)
    const { body } = await other.call('GET', '/v1/payments/provider-accounts')
    path['account_id'] = body.data.find((account: Json) => account.org_id !== null).account_id
  }
  return { as: other.credential, path, values: { credentials } }
}

const priorityOnly = { rules: [], otherwise: { type: 'priority' } }

/** The version of a new draft of the organisation's routing policy. */
export async function policyDraft(w: World): Promise<string> {
  const { version } = await dataOf(w, 'PUT', '/v1/routing/policies/draft', { document: priorityOnly })
  return String(version)
}

export async function publishedPolicy(w: World): Promise<string> {
  const version = await policyDraft(w)
  await dataOf(w, 'POST', `/v1/routing/policies/${version}/publish`, {})
  return version
}
