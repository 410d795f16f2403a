import { sealEntries } from '../../src/domains/records/audit-log/blocks/seal-entries.ts'
import { completeEvidence } from '../../src/domains/after/disputes/testing/disputed-payments.ts'
import { dispute } from './example-findings.ts'
import {
  accounts,
  admin,
  asOperator,
  config,
  dataOf,
  exception,
  legalHold,
  milestone,
  policyDraft,
  suspension,
  waitingBatch,
  waitingPayout,
  waitingRefund,
  type Target,
  type World,
} from './example-worlds.ts'
import { openEscrow, percent } from '../worlds/test-escrow.ts'
import { bankBeneficiary, openPayments } from '../worlds/test-payments.ts'

type Targets = Readonly<Record<string, (w: World) => Promise<Target>>>

/** The queries of operations that need one. */
export const exampleQueries: Readonly<Record<string, string>> = {
  'catalog.listBanks': 'country=NG',
  'fees.summarize': 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z',
  'fees.quote': 'direction=payout&payment_method=bank_transfer&country=NG&currency=NGN&amount=1000',
  'rates.get': 'fromCurrency=GBP&toCurrency=NGN',
  'permissions.check': 'permission=payments:read',
}

async function batch(w: World): Promise<Target> {
  const beneficiary_id = await w.org.addBeneficiary(bankBeneficiary())
  const rows = [{ client_reference: `row-${beneficiary_id}`, beneficiary_id, amount: 100, currency: 'NGN' }]
  const stored = await dataOf(w, 'POST', '/v1/payouts/batches?allow_duplicate=true', { rows })
  return admin(w, { batch_id: stored.batch_id })
}

/** A change that its author can still take back. */
async function ownChange(w: World): Promise<Target> {
  const other = await openPayments(w.t)
  const path = `/v1/organizations/${other.orgId}/approval-policies`
  await other.call('PUT', path, { policies: [{ currency: 'GBP', payout_from: 1000 }] })
  const held = await other.call('PUT', path, { policies: [] })
  return { as: other.credential, path: { org_id: other.orgId, request_id: held.body.data.request_id } }
}

async function sealedEntry(w: World): Promise<Target> {
  await sealEntries(w.t.deps)
  const [{ audit_id }] = (await dataOf(w, 'GET', `/v1/organizations/${w.org.orgId}/audit-log`)).toReversed()
  return admin(w, { org_id: w.org.orgId, audit_id })
}

async function providerAccount(w: World): Promise<Target> {
  const { as } = asOperator(w)
  const { body } = await w.t.call('GET', '/v1/payments/provider-accounts', { as })
  return asOperator(w, { account_id: body.data[0].account_id })
}

async function movedMoney(w: World): Promise<Target> {
  const { path } = await accounts(w)
  const [{ transaction_id }] = await dataOf(
    w,
    'GET',
    `/v1/virtual-accounts/${path?.['account_id']}/transactions`,
  )
  return admin(w, { transaction_id, account_id: path?.['account_id'] ?? '' })
}

const contracted = async (w: World): Promise<Target> => {
  const target = await milestone(w)
  const { escrow_id, milestone_id } = target.path ?? {}
  const path = `/v1/virtual-accounts/escrow/${escrow_id}/milestones/${milestone_id}/contract`
  await dataOf(w, 'POST', path, { reference: 'C-2026-17' })
  return target
}

/** Operations without a body that need something of their own; all others read what the examples have made. */
export const exampleReads: Targets = {
  'disputes.list': dispute,
  'disputes.get': dispute,
  'disputes.accept': dispute,
  'disputes.submit': async (w) => {
    const target = await dispute(w)
    const path = `/v1/disputes/${target.path?.['dispute_id']}/evidence`
    await w.t.call('POST', path, { as: target.as, body: completeEvidence })
    return target
  },
  'changeRequests.list': ownChange,
  'changeRequests.get': ownChange,
  'changeRequests.cancel': ownChange,
  'payments.listAwaitingReview': waitingPayout,
  'refunds.listAwaitingReview': async (w) => (await waitingRefund(w)).approver,
  'refunds.withdraw': async (w) => (await waitingRefund(w)).requester,
  'payments.cancel': waitingPayout,
  'payoutBatches.cancel': waitingBatch,
  'payoutBatches.pause': batch,
  'payoutBatches.resume': async (w) => {
    const target = await batch(w)
    await dataOf(w, 'POST', `/v1/payouts/batches/${target.path?.['batch_id']}/pause`)
    return target
  },
  'providerAccounts.get': providerAccount,
  'providerConfigs.get': config,
  'exceptions.list': exception,
  'exceptions.get': exception,
  'auditLog.getHead': sealedEntry,
  'auditLog.getProof': sealedEntry,
  'suspensions.list': suspension,
  'suspensions.get': suspension,
  'legalHolds.lift': legalHold,
  'routingPolicies.get': async (w) => admin(w, { version: await policyDraft(w) }),
  'routingPolicies.diff': async (w) => admin(w, { version: await policyDraft(w) }),
  'virtualTransactions.get': movedMoney,
  'virtualAccounts.statement': movedMoney,
  'virtualAccounts.listTransactions': movedMoney,
  'milestones.approve': contracted,
  'milestones.disburse': async (w) => {
    // Milestones are funded in sequence, so this one must be the first of its escrow.
    const escrow = await openEscrow(w.t)
    const { milestone_id } = await escrow.milestone(100, [percent(await escrow.accountParty(), 100)])
    await escrow.fund(100)
    await escrow.approve(milestone_id)
    return { as: escrow.org.credential, path: { escrow_id: escrow.escrowId, milestone_id } }
  },
}
