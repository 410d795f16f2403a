import { beforeEach, expect, describe, it } from 'vitest'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  ghanaianPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let path: string
beforeEach(async () => {
  org = await openPayments(t)
  await org.ownAccount('pawapay', {
    apiToken: 'pawapay-sandbox-token',
    baseUrl: `${t.simulator.url}/pawapay`,
    callbacks: 'unsigned',
  })
  const { body } = await org.call('GET', '/v1/payments/provider-credentials')
  path = new URL(body.data.find((row: Json) => row.org_id === org.orgId).webhook_url).pathname
})

/** The simulator does not know the account's webhook address, so only the test's claims arrive. */
const start = (phone_number: string): Promise<string> =>
  org.start(mobileMoneyPayin({ mobile_money_details: { provider: 'MTN', phone_number } }))

async function claim(id: string, status: string): Promise<string> {
  const { reference: depositId } = (await org.attempts(id)).at(-1).data
  const rawBody = JSON.stringify({
    depositId,
    status,
    amount: '5000.00',
    currency: 'UGX',
    providerTransactionId: 'x',
  })
  expect((await t.call('POST', path, { rawBody, unaudited: true })).status).toBe(200)
  return (await org.record(id)).status
}
async function claimRefund(id: string, status: string): Promise<void> {
  const [refund] = (await org.timeline(id)).filter(({ kind }) => kind === 'refund')
  const refundId = refund?.data.reference
  const rawBody = JSON.stringify({ refundId, status, amount: '5.29', currency: 'GHS' })
  expect((await t.call('POST', path, { rawBody, unaudited: true })).status).toBe(200)
}
const verdicts = async (id: string): Promise<string[]> =>
  (await org.timeline(id)).filter(({ kind }) => kind === 'webhook').map(({ data }) => data.verdict)

describe('what a provider does not sign is a hint: it is asked, and its answer counts', () => {
  it('about an open payment', async () => {
    const id = await start('256783456789')
    expect(await claim(id, 'COMPLETED')).toBe('pending')
    await t.simulator.settle()
    expect(await claim(id, 'FAILED')).toBe('completed')
    expect(await verdicts(id)).toEqual(['unsigned', 'unsigned'])
  })

  it('about a payment that failed, which may have been paid since', async () => {
    const id = await start('256783456729')
    await t.simulator.settle()
    expect(await claim(id, 'FAILED')).toBe('failed')
    await t.simulator.settle()
    expect(await claim(id, 'COMPLETED')).toBe('completed')
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'late_success' }])
  })

  it('about a payment that failed and was not paid: nothing changes', async () => {
    const id = await start('256783456714')
    await t.simulator.settle()
    expect(await claim(id, 'FAILED')).toBe('failed')
    expect(await claim(id, 'COMPLETED')).toBe('failed')
    expect(await org.exceptions(`&payment_id=${id}`)).toEqual([])
  })

  it('about a payment that failed, when the provider cannot answer: a person looks', async () => {
    const id = await start('256783456714')
    await t.simulator.settle()
    expect(await claim(id, 'FAILED')).toBe('failed')
    t.simulator.setFaults('pawapay', [{ on: 'inquire', fault: 'error_500', times: 3 }])
    expect(await claim(id, 'COMPLETED')).toBe('failed')
    t.simulator.setFaults('pawapay', [])
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'money_after_end' }])
  })

  it('about a refund that failed, which may have been paid since', async () => {
    const corridor = {
      provider: 'pawapay',
      country: 'GH',
      payment_method: 'mobile_money',
      direction: 'inbound',
    }
    const config = await org.call('POST', '/v1/payments/provider-configs', { ...corridor, priority: 1 })
    expect(config.status).toBe(201)
    const id = await org.start(ghanaianPayin())
    await t.simulator.settle()
    expect(await claim(id, 'COMPLETED')).toBe('completed')
    await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'unsigned', amount: 5.29 })
    for (const status of ['FAILED', 'COMPLETED']) {
      await t.simulator.settle()
      await claimRefund(id, status)
      expect((await org.call('GET', `/v1/payments/${id}/refunds`)).body.data).toMatchObject([
        { status: 'failed' },
      ])
    }
    expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([{ kind: 'refund_after_failure' }])
  })
})
