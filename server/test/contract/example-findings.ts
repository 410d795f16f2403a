import { createHmac } from 'node:crypto'
import { disputable, onlyDispute, paid } from '../../src/domains/after/disputes/testing/disputed-payments.ts'
import { newId } from '../../src/lib/ids.ts'
import { asOperator, type Target, type World } from './example-worlds.ts'
import type { Json } from '../app/test-app.ts'
import { answerAgain, leaveInDoubt, openDoubts } from '../worlds/test-doubts.ts'
import { cardPayin, openPayments } from '../worlds/test-payments.ts'

export async function dispute(w: World): Promise<Target> {
  const org = await openPayments(w.t)
  const { reference } = await paid(w.t, org, disputable.stripe)
  await w.t.simulator.dispute('stripe', { reference })
  return { as: org.credential, path: { dispute_id: (await onlyDispute(org)).dispute_id } }
}

/** A deposit to an account that nobody has, as paystack reports it. */
export async function unmatchedDeposit(w: World): Promise<Target> {
  const as = w.t.seed.platformAdmin.api_key
  const credentials = await w.t.call('GET', '/v1/payments/provider-credentials', { as })
  const { webhook_url } = credentials.body.data.find(({ provider }: Json) => provider === 'paystack')
  const reference = `deposit${newId()}`
  const rawBody = JSON.stringify({
    event: 'charge.success',
    data: {
      id: Date.now(),
      status: 'success',
      reference,
      amount: 12_345,
      currency: 'NGN',
      channel: 'dedicated_nuban',
      authorization: { receiver_bank_account_number: '5555555555', sender_name: 'Tunde Bello' },
    },
  })
  const signature = createHmac('sha512', 'sk_test_switchyard_sandbox').update(rawBody).digest('hex')
  await w.t.call('POST', new URL(webhook_url).pathname, {
    rawBody,
    headers: { 'x-paystack-signature': signature },
    unaudited: true,
  })
  const list = await w.t.call('GET', '/v1/payments/exceptions?kind=unmatched_deposit&limit=100', { as })
  const { exception_id } = list.body.data.find(({ summary }: Json) => summary.includes(reference))
  return asOperator(w, { exception_id }, { account_id: (await w.escrow.org.open()).account_id })
}

/** The provider refunded more than the payment, and the excess is missing. */
export async function heldMoney(w: World): Promise<Target> {
  const org = await openPayments(w.t)
  const { reference } = await paid(w.t, org, cardPayin())
  for (const amount of ['24.00', '3.00']) await w.t.simulator.refund('stripe', { reference, amount })
  const [found] = await org.exceptions('&kind=refund_exceeds_payment')
  return { as: org.credential, path: { exception_id: found.exception_id } }
}

/** A payout that its provider has not told about for a day, or one that it has completed. */
export async function decidablePayout(w: World, { outcome }: Json): Promise<Target> {
  const org = await openDoubts(w.t, 'pooled')
  if (outcome !== 'returned') leaveInDoubt(w.t)
  const payment_id = await org.startPayout()
  answerAgain(w.t)
  if (outcome === 'returned') await w.t.simulator.settle({ all: true })
  else await age(w, 'attempts', { payment_id })
  return { as: org.credential, path: { payment_id } }
}

/** A refund that its provider has not told about for two weeks. */
export async function decidableRefund(w: World): Promise<Target> {
  const org = await openDoubts(w.t, 'pooled')
  const payment_id = await org.startPayin()
  await w.t.simulator.settle({ all: true })
  leaveInDoubt(w.t)
  const { body } = await org.call('POST', `/v1/payments/${payment_id}/refund`, { reason: 'Returned goods' })
  answerAgain(w.t)
  await age(w, 'refunds', { payment_id })
  return { as: org.credential, path: { payment_id, refund_id: body.data.refund_id } }
}

const age = (w: World, table: 'attempts' | 'refunds', { payment_id }: { payment_id: string }) => {
  const column = table === 'refunds' ? 'begun_at' : 'created_at'
  return w.t.owner.query(
    `update ${table} set ${column} = ${column} - interval '15 days' where payment_id = $1`,
    [payment_id],
  )
}
