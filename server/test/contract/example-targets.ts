import { disputable, paid } from '../../src/domains/after/disputes/testing/disputed-payments.ts'
import { newId } from '../../src/lib/ids.ts'
import { decidablePayout, decidableRefund, dispute, heldMoney, unmatchedDeposit } from './example-findings.ts'
import { openMatch } from './example-matches.ts'
import {
  admin,
  inOrg,
  asOperator,
  dataOf,
  initiation,
  ramp,
  otpPayment,
  member,
  pendingChange,
  waitingBatch,
  exception,
  escrowTarget,
  milestone,
  accounts,
  webhook,
  event,
  config,
  fresh,
  waitingPayout,
  waitingRefund,
  manualPayin,
  ownKeys,
  policyDraft,
  publishedPolicy,
  suspension,
  type Target,
  type World,
} from './example-worlds.ts'
import type { Json } from '../app/test-app.ts'
import { bankBeneficiary, bankPayout, mobileMoneyPayin, openPayments } from '../worlds/test-payments.ts'

type Targets = Readonly<Record<string, (w: World, example: Json) => Promise<Target> | Target>>

/** For each operation, makes what its example needs: a payment in the right state, a second person, an account. */
export const exampleTargets: Targets = {
  'payments.initiate': initiation,
  'payments.preview': (w) => admin(w),
  'payments.act': otpPayment,
  'ramps.initiate': ramp,
  'refunds.create': async (w) =>
    admin(w, { payment_id: (await paid(w.t, w.org, disputable.stripe)).id }, { amount: 10 }),
  'payments.inquire': async (w) => admin(w, { payment_id: await w.org.start(mobileMoneyPayin()) }),
  'payments.review': waitingPayout,
  'refunds.review': async (w) => (await waitingRefund(w)).approver,
  'payments.confirm': manualPayin,
  'ledgerAdjustments.create': (w) => asOperator(w, {}, { org_id: w.org.orgId }),
  'providerCredentials.set': (w) => ownKeys(w, false),
  'providerCredentials.check': (w) => ownKeys(w, true),
  'providerAccounts.create': (w) => ownKeys(w, false),
  'providerAccounts.setCredentials': (w) => ownKeys(w, true),
  'payoutBatches.create': async (w) =>
    admin(w, {}, { beneficiary_id: await w.org.addBeneficiary(bankBeneficiary()) }),
  'payoutBatches.approve': waitingBatch,
  'payoutBatches.reject': waitingBatch,
  'paymentLinks.create': (w) => inOrg(w),
  'paymentLinks.update': async (w) => {
    const link = { amount: 10, currency: 'NGN', country: 'NG', description: 'One' }
    const { link_id } = await dataOf(w, 'POST', `/v1/orgs/${w.org.orgId}/payment-links`, link)
    return admin(w, { org_id: w.org.orgId, link_id })
  },
  'networks.list': (w) => admin(w),
  'bankValidation.validateUkAccount': (w) => admin(w),
  'beneficiaries.create': (w) => admin(w),
  'beneficiaries.update': async (w) =>
    admin(w, { beneficiary_id: await w.org.addBeneficiary(bankBeneficiary()) }),
  'verificationRequests.create': async (w) => {
    const { user_id } = await dataOf(w, 'GET', '/v1/users/me')
    const transaction_id = await w.org.start(bankPayout(await w.org.addBeneficiary(bankBeneficiary())))
    return admin(w, {}, { user_id, sender_id: user_id, transaction_id })
  },
  'virtualAccounts.create': async (w) =>
    admin(w, {}, { org_id: w.org.orgId, user_id: (await dataOf(w, 'GET', '/v1/users/me')).user_id }),
  'virtualAccounts.transfer': accounts,
  'virtualAccounts.withdraw': accounts,
  'virtualAccounts.freeze': accounts,
  'virtualAccounts.unfreeze': async (w) => {
    const target = await accounts(w)
    await dataOf(w, 'POST', `/v1/virtual-accounts/${target.path?.['account_id']}/freeze`, {})
    return target
  },
  'escrows.create': (w) => admin(w),
  'escrows.fund': async (w) => {
    await w.escrow.milestone(100, [])
    return escrowTarget(w, { account_id: w.escrow.fundingAccount.account_id })
  },
  'escrows.cancel': async (w) => {
    const created = await dataOf(w, 'POST', '/v1/virtual-accounts/escrow', { name: 'Short', currency: 'NGN' })
    return admin(w, { escrow_id: created.escrow_id })
  },
  'escrowParties.create': async (w) =>
    escrowTarget(w, {
      account_id: (await w.escrow.org.open()).account_id,
      beneficiary_id: await w.org.addBeneficiary(bankBeneficiary()),
    }),
  'milestones.create': async (w) => escrowTarget(w, { party_id: (await w.escrow.accountParty()).party_id }),
  'milestones.update': milestone,
  'milestones.setParties': milestone,
  'milestones.submitContract': milestone,
  'webhooks.create': (w) => admin(w),
  'webhooks.update': webhook,
  'webhooks.test': webhook,
  'webhooks.recover': webhook,
  'webhooks.notify': (w) => admin(w, {}, { org_id: w.org.orgId, transaction_id: newId() }),
  'events.replay': event,
  'deadLetters.replay': (w) => admin(w),
  'apiKeys.create': (w) => admin(w),
  'apiKeys.rotate': async (w) =>
    admin(w, { api_key_id: (await dataOf(w, 'POST', '/v1/public/api-keys', { name: 'Old' })).api_key_id }),
  'organizations.create': (w) => asOperator(w),
  'organizations.update': (w) => inOrg(w),
  'kyb.initiate': fresh,
  'members.create': (w) => inOrg(w),
  'members.update': member,
  'invitations.create': (w) => inOrg(w),
  'permissions.grant': member,
  'permissions.set': member,
  'permissions.revoke': member,
  'routingSimulations.create': (w) => admin(w, {}, { from: new Date(Date.now() - 86_400_000).toISOString() }),
  'maintenanceWindows.create': async (w) => {
    const accounts = await dataOf(w, 'GET', '/v1/payments/provider-accounts')
    const { account_id } = accounts.find(({ org_id }: Json) => org_id === null)
    return asOperator(w, {}, { account_id })
  },
  'suspensions.create': async (w) => asOperator(w, {}, { subject_id: (await openPayments(w.t)).orgId }),
  'suspensions.lift': suspension,
  'erasures.request': (w) => admin(w),
  'legalHolds.create': async (w) => admin(w, {}, { subject_id: await w.org.start(mobileMoneyPayin()) }),
  'approvalPolicies.set': fresh,
  'changeControl.set': fresh,
  'changeRequests.approve': pendingChange,
  'changeRequests.reject': pendingChange,
  'creditLimits.set': (w) => asOperator(w, { org_id: w.org.orgId }),
  'feeSchedules.create': (w) => asOperator(w, {}, { org_id: w.org.orgId }),
  'screening.setAddress': (w) => admin(w, { address: '0x52908400098527886E0F7030069857D2E4169EE7' }),
  'screening.clearMatch': openMatch,
  'screening.confirmMatch': openMatch,
  'exceptions.assign': exception,
  'exceptions.addNote': exception,
  'exceptions.close': exception,
  'exceptions.assignDeposit': unmatchedDeposit,
  'exceptions.returnDeposit': unmatchedDeposit,
  'exceptions.releaseMoney': heldMoney,
  'payments.resolve': decidablePayout,
  'refunds.resolve': decidableRefund,
  'disputes.addEvidence': dispute,
  'providerConfigs.create': (w) => admin(w),
  'providerConfigs.update': config,
  'routingPolicies.draft': (w) => admin(w),
  'routingPolicies.publish': async (w) => admin(w, { version: await policyDraft(w) }),
  'routingPolicies.rollback': async (w) => {
    const version = await publishedPolicy(w)
    await publishedPolicy(w)
    return admin(w, { version })
  },
  'routingPolicies.withdraw': async (w) => {
    await publishedPolicy(w)
    return admin(w)
  },
  'providerAccounts.update': async (w) => {
    const { body } = await w.t.call('GET', '/v1/payments/provider-accounts', {
      as: w.t.seed.platformAdmin.api_key,
    })
    return asOperator(w, { account_id: body.data[0].account_id })
  },
  'reconciliation.run': (w) => asOperator(w),
}
