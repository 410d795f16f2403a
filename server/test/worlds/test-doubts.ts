import { addPerson, type Person } from '../app/people.ts'
import type { CallAnswer, Json } from '../app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  openPayments,
  type OrgPayments,
  type TestPayments,
} from './test-payments.ts'

/** Payments of an organisation that paystack has accepted without saying so, and does not answer about. */
export interface Doubts extends OrgPayments {
  staff: Person
  /** Another administrator than the one whose credential the organisation's calls use. */
  second: Person
  startPayin(this: void): Promise<string>
  startPayout(this: void): Promise<string>
  resolve(paymentId: string, outcome: string, as?: string, change?: Json): Promise<CallAnswer>
  decide(held: CallAnswer, verb: 'approve' | 'reject', as: string): Promise<CallAnswer>
}

export const evidence = 'The statement of the provider shows it, line 4711.'

/** The provider takes the payment, its answer is lost, and it answers no inquiry. */
export const leaveInDoubt = (t: TestPayments): void =>
  t.simulator.setFaults('paystack', [
    { on: 'collect', fault: 'error_500_accepted', times: 100 },
    { on: 'payout', fault: 'error_500_accepted', times: 100 },
    { on: 'refund', fault: 'error_500_accepted', times: 100 },
    { on: 'inquire', fault: 'error_500', times: 100 },
    { on: 'webhook', fault: 'webhook_drop', times: 100 },
  ])

export const answerAgain = (t: TestPayments): void => t.simulator.setFaults('paystack', [])

export async function openDoubts(t: TestPayments, custody: 'pooled' | 'own'): Promise<Doubts> {
  const org = await openPayments(t)
  if (custody === 'own') {
    const secret_key = `sk_own_${org.orgId}`
    t.simulator.configure('paystack', { account: org.orgId, secrets: { secret_key } })
    const credentials = { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` }
    await org.ownAccount('paystack', credentials, org.orgId)
    t.deps.corridors.invalidate()
  }
  const payee = await org.addBeneficiary(bankBeneficiary())
  return {
    ...org,
    staff: await addPerson(t, org.orgId, 'staff'),
    second: await addPerson(t, org.orgId, 'org-admin'),
    startPayin: () => org.start(bankTransferPayin({ amount: 150, target_amount: 150 })),
    startPayout: () => org.start(bankPayout(payee, { amount: 150, target_amount: 150 })),
    resolve: (paymentId, outcome, as = org.credential, change = {}) =>
      t.call('POST', `/v1/payments/${paymentId}/resolve`, { as, body: { outcome, evidence, ...change } }),
    decide: (held, verb, as) =>
      t.call('POST', `/v1/organizations/${org.orgId}/change-requests/${held.body.data.request_id}/${verb}`, {
        as,
        body: {},
      }),
  }
}
