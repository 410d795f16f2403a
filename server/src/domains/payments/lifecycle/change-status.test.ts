import { beforeEach, describe, expect, it } from 'vitest'
import { localChannel } from '../../../kernel/engine/outbox.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { startTestReceiver } from '../../../../test/app/test-receiver.ts'
import { webhooksPath } from '../../../../test/app/test-webhooks.ts'
import { changeStatus } from './change-status.ts'
import { loadPayment } from '../reads/get-payment.ts'

const t = usePayments()
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

/** Approved by two members, and waiting for the engine to send it. */
async function startApproved(): Promise<string> {
  const policies = [{ currency: 'NGN', payout_from: 1 }]
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
  const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
  for (let approvals = 0; approvals < 2; approvals++) {
    const { token } = await addPerson(t, org.orgId, 'org-admin')
    await t.call('POST', `/v1/payments/${id}/review`, { as: token, body: { decision: 'approve' } })
  }
  return id
}

/** Cancels the payment and returns the channels that were notified after the commit. */
async function cancelDirectly(paymentId: string): Promise<string[]> {
  const notified: string[] = []
  const db = { ...t.deps.db, wake: (channel: string) => void notified.push(channel) }
  const loaded = await loadPayment(t.deps, org.orgId, paymentId)
  await changeStatus({ ...t.deps, db }, loaded, { status: 'canceled' })
  return notified
}

const jobsOf = async (paymentId: string): Promise<Json[]> =>
  (await t.owner.query('select service from outbox where outbox_id = $1', [paymentId])).rows

describe('a payment that ends', () => {
  it('takes its supervision job out of the outbox', async () => {
    const paymentId = await startApproved()
    expect(await jobsOf(paymentId)).toEqual([{ service: 'Payments' }])
    await cancelDirectly(paymentId)
    expect(await jobsOf(paymentId)).toEqual([])
  })

  it('wakes a worker when an endpoint subscribes to its events, and only then', async () => {
    expect(await cancelDirectly(await startApproved())).toEqual([])
    const receiver = await startTestReceiver()
    const registered = await org.call('POST', webhooksPath, { endpoint_url: receiver.url })
    expect(registered.status).toBe(201)
    expect(await cancelDirectly(await startApproved())).toEqual([localChannel])
    await receiver.stop()
  })
})
