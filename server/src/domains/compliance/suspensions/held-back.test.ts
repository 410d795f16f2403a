import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit, openAccounts } from '../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { statesOf } from '../../../../test/worlds/test-disbursement.ts'
import { openEscrow, percent } from '../../../../test/worlds/test-escrow.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  installationAccountId,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { wholeRampBody } from '../../../../test/worlds/test-ramps.ts'
import { listDueParties, payLater, payShare } from '../../products/escrow/disbursements/pay-share.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { nairaRows, openBatches } from '../../products/payout-batches/testing/test-batches.ts'
import { advanceRamp } from '../../products/ramps/advance-ramp.ts'
import { addSecondRoute, lift, suspend, suspendOrganization } from './testing/suspend-as-operator.ts'

const t = usePayments({ delayMs: untilSettled })
afterAll(() => expectCleanAudit(t))
let org: OrgPayments
let payee: string
beforeAll(() => addSecondRoute(t))
beforeEach(async () => {
  org = await openPayments(t)
  payee = await org.addBeneficiary(bankBeneficiary())
})

const waitMs = (): number => t.deps.pollSchedule.suspendedMs
const payout = (): Promise<Json> => org.initiate(bankPayout(payee))
const count = async (table: 'payments' | 'attempts' | 'refunds' | 'ramp_legs', orgId = org.orgId) =>
  (await t.owner.query(`select from ${table} where org_id = $1`, [orgId])).rowCount

/** A payout that two people have approved while nobody has sent it. */
async function approvedPayout(): Promise<string> {
  const path = `/v1/organizations/${org.orgId}/approval-policies`
  const policies = [{ currency: 'NGN', payout_from: 1 }]
  expect((await org.call('PUT', path, { policies })).status).toBe(200)
  const reviewers = [await addPerson(t, org.orgId, 'staff'), await addPerson(t, org.orgId, 'org-admin')]
  const { payment_id } = (await payout()).body.response
  for (const { token } of reviewers) {
    const body = { decision: 'approve' }
    const answer = await t.call('POST', `/v1/payments/${payment_id}/review`, { as: token, body })
    expect(answer.status).toBe(200)
  }
  return payment_id
}

describe('a suspended organisation', () => {
  it('starts no payout, and nothing of it is stored; afterwards it does', async () => {
    const suspension = await suspendOrganization(t, org.orgId)
    expect(await payout()).toMatchObject({ status: 403, body: { code: 'ORGANIZATION_SUSPENDED' } })
    expect([await count('payments'), await count('attempts')]).toEqual([0, 0])
    await lift(t, suspension)
    expect((await payout()).status).toBe(200)
  })

  it('starts no payout that would wait for approval either', async () => {
    const path = `/v1/organizations/${org.orgId}/approval-policies`
    await org.call('PUT', path, { policies: [{ currency: 'NGN', payout_from: 1 }] })
    await suspendOrganization(t, org.orgId)
    expect(await payout()).toMatchObject({ status: 403, body: { code: 'ORGANIZATION_SUSPENDED' } })
    expect(await count('payments')).toBe(0)
  })

  it('still reads and collects, and what was sent is followed to its end', async () => {
    const sent = (await payout()).body.response.payment_id
    await suspendOrganization(t, org.orgId)
    expect((await org.initiate(cardPayin())).status).toBe(200)
    await t.simulator.settle()
    expect((await org.record(sent)).status).toBe('completed')
  })

  it('an approved payout waits and is sent once when the suspension is lifted', async () => {
    const id = await approvedPayout()
    const suspension = await suspendOrganization(t, org.orgId)
    expect((await org.advance(id)).nextPollMs).toBe(waitMs())
    expect([await org.accepted(id), (await org.record(id)).status]).toEqual([[], 'confirmed'])
    await lift(t, suspension)
    await org.advance(id)
    expect(await org.accepted(id)).toHaveLength(1)
  })

  it('a payout that a provider declines waits for the next provider instead of failing', async () => {
    t.simulator.setFaults('paystack', [
      { on: 'payout', fault: 'latency', ms: 1_500 },
      { on: 'payout', fault: 'decline' },
    ])
    const answer = payout()
    await until('the first attempt', async () => (await count('attempts')) === 1)
    const suspension = await suspendOrganization(t, org.orgId)
    const { payment_id: id, status } = (await answer).body.response
    expect([status, (await org.attempts(id)).length, await org.accepted(id)]).toEqual(['confirmed', 1, []])
    expect((await org.advance(id)).nextPollMs).toBe(waitMs())
    await expectCleanAudit(t)
    await lift(t, suspension)
    await org.advance(id)
    expect((await org.accepted(id)).map(({ provider }) => provider)).toEqual(['flutterwave'])
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
  })

  it('refunds nothing, neither itself nor through a payment link', async () => {
    const id = await org.start(cardPayin())
    await t.simulator.settle()
    const suspension = await suspendOrganization(t, org.orgId)
    const refund = () => org.call('POST', `/v1/payments/${id}/refund`, { reason: 'Returned.' })
    expect(await refund()).toMatchObject({ status: 403, body: { code: 'ORGANIZATION_SUSPENDED' } })
    expect(await count('refunds')).toBe(0)
    await lift(t, suspension)
    expect((await refund()).status).toBe(201)
  })

  it('withdraws nothing from its virtual accounts; between its own accounts money moves', async () => {
    const accounts = await openAccounts(t)
    const [from, to] = [await accounts.funded(100_000), await accounts.open()]
    const outside = await (await openAccounts(t)).open()
    await suspendOrganization(t, accounts.orgId)
    expect(await accounts.withdraw(from.account_id, 10)).toMatchObject({
      status: 403,
      body: { code: 'ORGANIZATION_SUSPENDED' },
    })
    expect((await accounts.account(from.account_id)).held_balance).toBe(0)
    expect((await accounts.transfer(from.account_id, outside.account_id, 10)).status).toBe(400)
    expect((await accounts.transfer(from.account_id, to.account_id, 10)).status).toBe(201)
  })

  it('a share of an escrow waits: it does not count as a failed try, and its job is queued again', async () => {
    const escrow = await openEscrow(t)
    const party = await escrow.payoutParty()
    const { milestone_id: milestoneId } = await escrow.milestone(100, [percent(party, 100)])
    await escrow.fund(100)
    await escrow.approve(milestoneId)
    await escrow.disburse(milestoneId)
    const ids = { orgId: escrow.org.orgId, milestoneId }
    const pay = () => payShare(t.deps, { ...ids, partyId: party.party_id })
    const suspension = await suspendOrganization(t, escrow.org.orgId)
    expect(await pay()).toBe('held_back')
    expect(statesOf(await escrow.readMilestone(milestoneId))).toEqual({ [party.party_id]: 'pending 100' })
    await payLater(t.deps, ids)
    const { rowCount } = await t.owner.query(
      `select from outbox where org_id = $1 and service = 'Disbursements' and due_at > now()`,
      [escrow.org.orgId],
    )
    expect(rowCount).toBe(1)
    await lift(t, suspension)
    expect(await listDueParties(t.deps, ids)).toEqual([party.party_id])
    expect(await pay()).toBe('done')
    await t.simulator.settle()
    expect(statesOf(await escrow.readMilestone(milestoneId))).toEqual({ [party.party_id]: 'paid 100' })
  })

  it('the rows of a batch wait, and the batch is neither paused nor failed', async () => {
    const batches = await openBatches(t)
    const batchId = await batches.create(nairaRows(batches.banked, 12))
    const suspension = await suspendOrganization(t, batches.orgId)
    expect(await batches.advance(batchId)).toBe(waitMs())
    expect(await batches.batch(batchId)).toMatchObject({ status: 'sending', progress: { pending: 12 } })
    expect(await count('payments', batches.orgId)).toBe(0)
    await lift(t, suspension)
    await batches.advance(batchId)
    expect(await count('attempts', batches.orgId)).toBe(12)
  })

  it('starts no ramp, and one that was approved before waits', async () => {
    const policies = [{ currency: 'NGN', payout_from: 1 }]
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
    const reviewers = [await addPerson(t, org.orgId, 'staff'), await addPerson(t, org.orgId, 'org-admin')]
    const ramp = async () => org.call('POST', '/v1/payments-init/ramp', await wholeRampBody(org))
    const { payment_id: paymentId } = (await ramp()).body.response
    for (const { token: as } of reviewers)
      await t.call('POST', `/v1/payments/${paymentId}/review`, { as, body: { decision: 'approve' } })
    const suspension = await suspendOrganization(t, org.orgId)
    expect(await ramp()).toMatchObject({ status: 403, body: { code: 'ORGANIZATION_SUSPENDED' } })
    const advance = () => advanceRamp(t.deps, { orgId: org.orgId, paymentId })
    expect((await advance()).nextPollMs).toBe(waitMs())
    expect(await count('ramp_legs')).toBe(0)
    await lift(t, suspension)
    await advance()
    expect(await count('ramp_legs')).toBe(1)
  })
})

describe('all payouts of the installation', () => {
  it('nothing leaves any organisation, and payins go on', async () => {
    const id = await approvedPayout()
    const other = await openPayments(t)
    const body = bankPayout(await other.addBeneficiary(bankBeneficiary()))
    const suspension = await suspend(t, { kind: 'payouts' })
    try {
      expect(await other.initiate(body)).toMatchObject({ status: 403, body: { code: 'PAYOUTS_SUSPENDED' } })
      expect((await org.advance(id)).nextPollMs).toBe(waitMs())
      expect((await other.initiate(cardPayin())).status).toBe(200)
    } finally {
      await lift(t, suspension)
    }
    await org.advance(id)
    expect(await org.accepted(id)).toHaveLength(1)
    expect((await other.initiate(body)).status).toBe(200)
  })
})

describe('a provider account', () => {
  const providerOf = async (id: string): Promise<string[]> =>
    (await org.accepted(id)).map(({ provider }) => provider)

  it('is not routed to, also where the routes of the last seconds still name it', async () => {
    const [first] = await providerOf((await payout()).body.response.payment_id)
    const accountId = await installationAccountId(t, first ?? '')
    // Another process has suspended it: this one still has the routes in its cache.
    const { rows } = await t.owner.query<{ suspension_id: string }>(
      `insert into suspensions (org_id, suspension_id, kind, subject_id, reason, suspended_by, suspended_at)
       values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'provider_account', $1, 'x', 'x', now())
       returning suspension_id`,
      [accountId],
    )
    try {
      const [second] = await providerOf((await payout()).body.response.payment_id)
      expect([typeof second, second]).not.toEqual(['string', first])
      const account = await t.call('GET', `/v1/payments/provider-accounts/${accountId}`, {
        as: org.credential,
      })
      expect(account.body.data.suspended).toBe(true)
    } finally {
      await lift(t, rows[0]?.suspension_id ?? '')
    }
  })

  it('what was queued for it goes to the next account; what has no other one waits', async () => {
    const id = await approvedPayout()
    const { candidates } = (await loadPayment(t.deps, org.orgId, id)).payment.routing
    const accountIds = [...new Set(candidates.map(({ accountId }) => accountId))]
    const suspensions: string[] = []
    for (const subject_id of accountIds)
      suspensions.push(await suspend(t, { kind: 'provider_account', subject_id }))
    try {
      expect((await org.advance(id)).nextPollMs).toBe(waitMs())
    } finally {
      for (const one of suspensions.slice(1)) await lift(t, one)
    }
    await org.advance(id)
    expect(await providerOf(id)).toEqual([candidates[1]?.provider])
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
    await lift(t, suspensions[0] ?? '')
  })

  it('its webhooks are still taken', async () => {
    const id = (await payout()).body.response.payment_id
    const [provider] = await providerOf(id)
    const subject_id = await installationAccountId(t, provider ?? '')
    const suspension = await suspend(t, { kind: 'provider_account', subject_id })
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
    await lift(t, suspension)
  })
})
