import { seedYear } from '@switchyard/stack/seeds/seed-year.ts'
import { loadList } from '../../src/domains/compliance/sanctions/lists/load-list.ts'
import { ofacXml, writeListFile } from '../../src/domains/compliance/sanctions/testing/list-files.ts'
import { attemptDelivery } from '../../src/domains/events/webhooks/deliveries/attempt-delivery.ts'
import { addPerson } from '../app/people.ts'
import { accountsOf } from '../worlds/test-accounts.ts'
import { memberOf, type CallAnswer, type Json } from '../app/test-app.ts'
import { addEscrow, giveFeature, percent } from '../worlds/test-escrow.ts'
import {
  bankBeneficiary,
  bankPayout,
  fundedPayments,
  mobileMoneyPayin,
  type OrgPayments,
  type TestPayments,
} from '../worlds/test-payments.ts'
import { transactionData, webhooksPath } from '../app/test-webhooks.ts'

/** The values of the parameters in the addresses of the dashboard. */
export type Subjects = Record<string, string>

const yearOfPayments = 120
const longName = 'Oluwaseun Adébáyọ̀-Okonkwo and Daughters International Trading Company of Lagos Limited'
const longWord = 'INV-2026-000000000001-Warehouse-Foundations-And-Everything-Else'

/**
 * Fills the first organisation so that every screen of the dashboard has something to show, with names and references
 * that are too long for their place.
 */
export async function fillDashboard(t: TestPayments): Promise<Subjects> {
  const org = await fundedPayments(t)
  const staff = memberOf(t.seed.orgs[0], 'staff')
  const beneficiary = await org.addBeneficiary(bankBeneficiary({ fname: 'Oluwaseun', lname: longName }))
  await seedYear(t.deps, { orgId: org.orgId, country: 'NG', userId: staff.user_id }, yearOfPayments)
  const second = await addPerson(t, org.orgId, 'org-admin')
  await t.owner.query('update members set first_name = $1, last_name = $2 where user_id = $3', [
    'Wilhelmina-Alexandrina',
    longName,
    second.userId,
  ])
  const money = await fillMoney(t, org)
  await fillDevelopers(t, org)
  await fillRouting(t, org)
  const held = await fillApprovals(org, beneficiary)
  const matched = await fillSanctions(t, org)
  return {
    ...(await idsOf(t, org.orgId)),
    ...money,
    ...held,
    ...matched,
    beneficiaryId: beneficiary,
    userId: second.userId,
  }
}

const must = (answer: CallAnswer): Json => {
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body.data
}

async function fillMoney(t: TestPayments, org: OrgPayments): Promise<Subjects> {
  await giveFeature(t, org.orgId)
  const accounts = await accountsOf(t, org, memberOf(t.seed.orgs[0], 'org-admin').user_id)
  const account = await accounts.funded(1_000_000)
  const escrow = await addEscrow(accounts, account)
  const party = await escrow.accountParty()
  await escrow.milestone(500, [percent(party, 100)], { label: longName })
  await escrow.fund(500)
  must(
    await org.call('POST', `/v1/orgs/${org.orgId}/payment-links`, {
      amount: 129,
      currency: 'GBP',
      country: 'GB',
      description: `Order 2004 of ${longName}`,
    }),
  )
  const paymentId = await org.start(
    mobileMoneyPayin({ client_reference: longWord, description: `Instalment of ${longName}` }),
  )
  return { paymentId, accountId: account.account_id, escrowId: escrow.escrowId }
}

/** Endpoints, a delivery that failed for good, a key and an invitation. */
async function fillDevelopers(t: TestPayments, org: OrgPayments): Promise<void> {
  const webhook = must(
    await org.call('POST', webhooksPath, {
      endpoint_url: `https://127.0.0.1:1/webhooks/${longWord}/${longWord}`,
      description: longName,
    }),
  )
  const { deliveries } = must(
    await org.call('POST', `${webhooksPath}/notify`, {
      org_id: org.orgId,
      transaction_data: transactionData(),
    }),
  )
  const made = deliveries.find(({ webhook_id }: Json) => webhook_id === webhook.webhook_id)
  await attemptDelivery(
    { ...t.deps, chance: () => 0, deliveryScheduleMs: [0] },
    { orgId: org.orgId, deliveryId: made.delivery_id, hasWaited: false },
  )
  must(
    await org.call('POST', `/v1/organizations/${org.orgId}/invitations`, {
      email: `${longWord.toLowerCase()}@example.test`,
      role: 'viewer',
    }),
  )
}

/** The operator, who sees most, edits the policy of the installation. */
async function fillRouting(t: TestPayments, org: OrgPayments): Promise<void> {
  const rule = {
    name: longName,
    when: { country: ['KE', 'UG', 'GH', 'NG'], method: ['mobile_money'] },
    strategy: { type: 'priority', order: [{ provider: 'paystack' }, { provider: 'pawapay' }] },
  }
  const body = { document: { rules: [rule], otherwise: { type: 'cost' } }, note: longName }
  const as = t.seed.platformAdmin.api_key
  must(await t.call('PUT', '/v1/routing/policies/draft', { as, body }))
  const path = '/v1/screening/addresses/0x52908400098527886E0F7030069857D2E4169EE7'
  must(await org.call('PUT', path, { verdict: 'deny', reason: `Reported by ${longName}` }))
  const since = new Date(Date.now() - 3_600_000).toISOString()
  must(await org.call('POST', '/v1/payments/reconciliation', { provider: 'stripe', since }))
}

/** With the policy, a payout, a batch and the next change of the policy wait for a second person. */
async function fillApprovals(org: OrgPayments, beneficiary: string): Promise<Subjects> {
  const path = `/v1/organizations/${org.orgId}/approval-policies`
  must(await org.call('PUT', path, { policies: [{ currency: 'NGN', payout_from: 1000 }] }))
  await org.start(
    bankPayout(beneficiary, { amount: 1500, target_amount: 1500, description: `Invoice of ${longName}` }),
  )
  const rows = [1, 2].map((number) => ({
    client_reference: `${longWord}-${number}`,
    beneficiary_id: beneficiary,
    amount: 1500.5,
    currency: 'NGN',
    description: longName,
  }))
  const { batch_id: batchId } = must(await org.call('POST', '/v1/payouts/batches', { rows }))
  const { request_id: requestId } = must(
    await org.call('PUT', path, { policies: [{ currency: 'NGN', payout_from: 5000 }] }),
  )
  return { batchId, requestId }
}

/** A beneficiary who possibly is on a list, and whose payout waits; somebody has asked to clear the match. */
async function fillSanctions(t: TestPayments, org: OrgPayments): Promise<Subjects> {
  const entry = { uid: '36', first: 'Oluakin', last: 'NDUEZEMI', born: '10 Dec 1948', aka: longName }
  const path = await writeListFile(`${longWord}.xml`, ofacXml([entry]))
  await loadList(t.deps, { path, loadedBy: longName, allowsShrinking: true })
  await t.deps.sanctions.refresh()
  const beneficiary = await org.addBeneficiary(bankBeneficiary({ fname: 'Olu Akin', lname: 'Nduezemi' }))
  await org.start(bankPayout(beneficiary, { amount: 900, target_amount: 900, client_reference: longWord }))
  const [match] = must(await org.call('GET', `/v1/screening/matches?beneficiary_id=${beneficiary}`))
  const reason = `Another date of birth, by the passport that ${longName} has sent`
  must(await org.call('POST', `/v1/screening/matches/${match.match_id}/clear`, { reason }))
  return { matchId: match.match_id }
}

const idQueries = {
  exceptionId: 'select exception_id as id from exceptions where org_id = $1 limit 1',
  disputeId: 'select dispute_id as id from disputes where org_id = $1 limit 1',
  webhookId: 'select webhook_id as id from deliveries where org_id = $1 limit 1',
  deliveryId: 'select delivery_id as id from deliveries where org_id = $1 limit 1',
  eventId: 'select event_id as id from events where org_id = $1 limit 1',
}

async function idsOf(t: TestPayments, orgId: string): Promise<Subjects> {
  const found: Subjects = { orgId }
  for (const [name, query] of Object.entries(idQueries)) {
    const { rows } = await t.owner.query<{ id: string }>(query, [orgId])
    if (!rows[0]) throw new Error(`the dashboard has no ${name}`)
    found[name] = rows[0].id
  }
  return found
}
