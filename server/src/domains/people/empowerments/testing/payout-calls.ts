import type { CallAnswer } from '../../../../../test/app/test-app.ts'
import { accountsOf } from '../../../../../test/worlds/test-accounts.ts'
import { runDisbursement } from '../../../../../test/worlds/test-disbursement.ts'
import { addEscrow, giveFeature, percent } from '../../../../../test/worlds/test-escrow.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
} from '../../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../../test/worlds/test-ramps.ts'
import {
  asks,
  must,
  waitingBatch,
  waitingPayment,
  waitingRefund,
  type ControlledCall,
  type ControlledWorld,
  type Decide,
  type Request,
} from './controlled-call.ts'

const amount = 5000
const amounts = { amount, target_amount: amount }
const payee = ({ org }: ControlledWorld): Promise<string> => org.addBeneficiary(bankBeneficiary())

/** The rates of the start are a month old by the clock of the test. */
async function currentRamp({ t, org }: ControlledWorld): Promise<Request> {
  await t.owner.query('update market_rates set as_of = $1', [t.deps.clock.now()])
  return { body: await wholeRampBody(org) }
}

async function fundedAccount({ t, org, adminId }: ControlledWorld): Promise<Request> {
  const accounts = await accountsOf(t, org, adminId)
  const { account_id } = await accounts.funded(1_000_000)
  return { params: { account_id }, body: { beneficiary_id: accounts.beneficiaryId, amount } }
}

async function approvedMilestone({ t, org, adminId }: ControlledWorld): Promise<Request> {
  const accounts = await accountsOf(t, org, adminId)
  await giveFeature(t, org.orgId)
  const escrow = await addEscrow(accounts, await accounts.funded(1_000_000))
  const { milestone_id } = await escrow.milestone(amount, [percent(await escrow.payoutParty(), 100)])
  must(await escrow.fund(amount), 200)
  await escrow.approve(milestone_id)
  return { params: { escrow_id: escrow.escrowId, milestone_id } }
}

async function disbursedPayment(
  world: ControlledWorld,
  answer: CallAnswer,
  { params }: Request,
): Promise<Decide> {
  must(answer, 200)
  const { milestone_id: milestoneId = '', escrow_id } = params ?? {}
  await runDisbursement(world.t, { orgId: world.org.orgId, milestoneId })
  const path = `/v1/virtual-accounts/escrow/${escrow_id}/milestones/${milestoneId}`
  const { disbursements } = must(await world.org.call('GET', path), 200).data
  return waitingPayment(world, disbursements[0].transaction_id)
}

/** Whoever starts a payment of the manual provider has proposed what somebody else confirms. */
const confirmation: ControlledCall = {
  route: 'POST /v1/payments/:payment_id/confirm',
  async arrange({ t, org }) {
    await org.ownAccount('manual', {})
    const body = bankTransferPayin({ ...amounts, country: 'UG', currency: 'UGX', target_currency: 'UGX' })
    return async (as) => {
      const { response } = must(await org.initiate(body, { as }), 200)
      const path = `/v1/payments/${response.payment_id}/confirm`
      return (decider) => t.call('POST', path, { as: decider, body: { outcome: 'completed' } })
    }
  },
}

/** These take two approvals, of which each row has the first, or a confirmation. */
export const payoutCalls: readonly ControlledCall[] = [
  asks(
    'POST /v1/payments-init/initiate',
    async (world) => ({ body: bankPayout(await payee(world), amounts) }),
    { waits: (world, answer) => waitingPayment(world, must(answer, 200).response.payment_id) },
  ),
  asks('POST /v1/payments-init/ramp', currentRamp, {
    waits: (world, answer) => waitingPayment(world, must(answer, 200).response.payment_id),
  }),
  asks('POST /v1/virtual-accounts/:account_id/withdraw', fundedAccount, {
    waits: (world, answer) => waitingPayment(world, must(answer, 201).data.transaction_id),
  }),
  asks('POST /v1/virtual-accounts/escrow/:escrow_id/milestones/:milestone_id/disburse', approvedMilestone, {
    waits: disbursedPayment,
  }),
  asks(
    'POST /v1/payouts/batches',
    async (world) => {
      const beneficiary_id = await payee(world)
      return { body: { rows: [{ client_reference: 'r1', beneficiary_id, amount, currency: 'NGN' }] } }
    },
    { waits: waitingBatch },
  ),
  asks(
    'POST /v1/payments/:payment_id/refund',
    async ({ org }) => ({
      params: { payment_id: await org.start(cardPayin()) },
      body: { reason: 'Returned goods' },
    }),
    { waits: waitingRefund },
  ),
  confirmation,
]
