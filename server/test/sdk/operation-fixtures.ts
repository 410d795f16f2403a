import type { Switchyard } from '@switchyard/sdk'
import { personBody } from '../app/people.ts'
import { manualConfig } from '../worlds/payment-requests.ts'
import type { Json } from '../app/test-app.ts'
import { percent, type TestEscrow } from '../worlds/test-escrow.ts'
import { kybApplication } from '../worlds/test-kyb.ts'
import { bankBeneficiary, mobileMoneyPayin } from '../worlds/test-payments.ts'
import { wholeRampBody } from '../worlds/test-ramps.ts'
import { callByName, type Override } from './sdk-calls.ts'

interface Fixtures {
  /** Values of parameters and fields by their name. */
  values: Record<string, unknown>
  /** What an operation needs beyond them. */
  overrides: Record<string, Override>
}

/** One resource of each kind, made through the SDK, and the arguments that a sample of the schema does not fit. */
export async function makeFixtures(
  sy: Switchyard,
  operator: Switchyard,
  escrow: TestEscrow,
): Promise<Fixtures> {
  const { orgId, userId } = escrow.org
  const create = (id: string, ...args: unknown[]): Promise<Json> => callByName(sy, id, args)
  const payment = await sy.payments.initiate(mobileMoneyPayin())
  const webhook = await create('webhooks.create', { endpoint_url: 'https://example.com/hook' })
  const party = await escrow.accountParty()
  const milestone = await escrow.milestone(100, [percent(party, 40)])
  const account = await escrow.org.funded(500_000)
  const other = await escrow.org.open()
  const [deposit] = await escrow.org.transactions(account.account_id)
  const link = await create('paymentLinks.create', orgId, linkBody)
  const config = await create('providerConfigs.create', { ...manualConfig, org_id: orgId })
  const key = await create('apiKeys.create', { name: 'fixture' })
  const invitation = await create('invitations.create', orgId, { email: 'a@example.test', role: 'viewer' })
  const member = personBody()
  await create('members.create', orgId, { ...member, role: 'viewer' })
  const batch = await create('payoutBatches.create', batchBody(escrow.org.beneficiaryId, 'fixture'))
  const notified = await create('webhooks.notify', notifyBody(orgId, payment.payment_id))
  const [providerAccount] = await operator.providerAccounts.list()
  const accountPath = { path: [providerAccount?.account_id ?? ''] }
  return {
    values: {
      org_id: orgId,
      user_id: userId,
      payment_id: payment.payment_id,
      transaction_id: payment.payment_id,
      beneficiary_id: escrow.org.beneficiaryId,
      webhook_id: webhook.webhook_id,
      escrow_id: escrow.escrowId,
      milestone_id: milestone.milestone_id,
      account_id: account.account_id,
      link_id: link.link_id,
      config_id: config.config_id,
      api_key_id: key.api_key_id,
      invitation_id: invitation.invitation_id,
      event_id: notified.event_id,
      batch_id: batch.batch_id,
      provider: 'manual',
      fromCurrency: 'GBP',
      toCurrency: 'NGN',
    },
    overrides: {
      ...plainOverrides,
      'ramps.initiate': { body: await wholeRampBody(escrow.org) },
      'members.delete': { path: [orgId, member.user_id] },
      'payoutBatches.create': { body: batchBody(escrow.org.beneficiaryId, 'another') },
      'escrows.fund': { body: { account_id: account.account_id, amount: '10.50' } },
      'providerConfigs.create': { body: { ...manualConfig, org_id: orgId, country: 'KE' } },
      'milestones.create': {
        body: { label: 'Roof', expected_disbursement: '10.50', parties: [percent(party, 10)] },
      },
      'milestones.setParties': { body: { parties: [percent(party, 60)] } },
      'escrowParties.create': { body: { name: 'Mason', account_id: other.account_id } },
      'webhooks.notify': { body: notifyBody(orgId, payment.payment_id) },
      'virtualAccounts.transfer': { body: { to_account_id: other.account_id, amount: '1.50' } },
      'verificationRequests.create': {
        body: verificationBody(userId, payment.payment_id),
      },
      'virtualTransactions.get': { path: [deposit.transaction_id] },
      'maintenanceWindows.create': { body: windowBody(providerAccount?.account_id ?? '') },
      'providerAccounts.get': accountPath,
      'providerAccounts.update': accountPath,
    },
  }
}

const verificationBody = (userId: string, paymentId: string): object => ({
  user_id: userId,
  target_type: 'sender',
  transaction_id: paymentId,
  verification_type: 'nin',
  triggered_by: 'fixture',
  sender_id: userId,
})

const batchBody = (beneficiaryId: string, reference: string): object => ({
  rows: [{ client_reference: reference, beneficiary_id: beneficiaryId, amount: '10.50', currency: 'NGN' }],
})

const windowBody = (accountId: string): object => ({
  account_id: accountId,
  starts_at: '2036-01-01T00:00:00Z',
  ends_at: '2036-01-01T02:00:00Z',
})

const linkBody = { amount: '25', currency: 'NGN', description: 'fixture' }

const notifyBody = (orgId: string, paymentId: string): object => ({
  org_id: orgId,
  transaction_data: {
    transaction_id: paymentId,
    status: 'completed',
    amount: '10.50',
    currency: 'UGX',
    updated_at: '2026-01-01T00:00:00Z',
  },
})

const plainOverrides: Record<string, Override> = {
  'payments.initiate': { body: mobileMoneyPayin() },
  'payments.preview': { body: mobileMoneyPayin() },
  'beneficiaries.create': { body: bankBeneficiary() },
  'members.create': { body: { ...personBody(), role: 'viewer' } },
  'kyb.initiate': { body: kybApplication() },
  'providerConfigs.update': { body: { priority: 5 } },
  'paymentLinks.create': { body: linkBody },
  'webhooks.create': { body: { endpoint_url: 'https://example.com/other' } },
  'routingPolicies.draft': { body: { document: { rules: [], otherwise: { type: 'priority' } } } },
  'routingSimulations.create': {
    body: {
      policy: { rules: [], otherwise: { type: 'priority' } },
      from: new Date(Date.now() - 86_400_000).toISOString(),
    },
  },
  'fees.summarize': { query: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' } },
}
