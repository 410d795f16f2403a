import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayout,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { createConfig } from '../../providers/configs/create-config.ts'
import { fromNewConfig } from '../../providers/configs/schema.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let address: string
beforeAll(async () => {
  org = await openPayments(t)
  for (const direction of ['inbound', 'outbound'] as const) {
    const terms = { provider: 'mpesa', country: 'KE', payment_method: 'mobile_money', priority: 1 } as const
    const config = fromNewConfig({ ...terms, direction })
    await createConfig(t.deps, operatorOf(t), { orgId: null, config })
  }
  const { body } = await t.call('GET', '/v1/payments/provider-accounts?provider=mpesa', {
    as: t.seed.platformAdmin.api_key,
  })
  address = body.data[0].webhook_url
})

const phone = { provider: 'MPESA', phone_number: '254708663500' }
const payin = kenyanPayin({ mobile_money_details: phone })

async function payOut(): Promise<string> {
  const inKenya = { country: 'KE', currency: 'KES', momo_details: phone }
  const beneficiary = await org.addBeneficiary(mobileMoneyBeneficiary(inKenya))
  return org.start(mobileMoneyPayout(beneficiary, { ...payin, payer_details: null, direction: 'payout' }))
}

async function settled(id: string): Promise<void> {
  await t.simulator.settle()
  await vi.waitFor(async () => expect((await org.record(id)).status).toBe('completed'), defaultWaitMs)
}

interface Asked {
  table: 'attempts' | 'refunds'
  subject: 'attempt' | 'refund'
}

/** Safaricom answers our inquiry at the address of that inquiry. */
async function answer(id: string, { table, subject }: Asked, named: Json): Promise<void> {
  const { rows } = await t.owner.query(
    `select reference::text, provider_ref from ${table} where payment_id = $1`,
    [id],
  )
  const [{ reference, provider_ref: originator }] = rows
  const at = String(Date.now())
  const text = ['callback', subject, 'inquiry', reference, at].join(' ')
  const secret = String(simulatorCredentials(t.simulator.url)['mpesa']?.['consumerSecret'])
  const proof = createHmac('sha256', secret).update(text).digest().subarray(0, 24).toString('base64url')
  const query = new URLSearchParams({ reference, subject, kind: 'inquiry', at, proof })
  const parameters = { OriginatorConversationID: originator, ...named }
  const rawBody = JSON.stringify({
    Result: {
      ResultCode: 0,
      OriginatorConversationID: 'status',
      ResultParameters: {
        ResultParameter: Object.entries(parameters).map(([Key, Value]) => ({ Key, Value })),
      },
    },
  })
  const path = `${new URL(address).pathname}?${query.toString()}`
  expect((await t.call('POST', path, { rawBody, unaudited: true })).status).toBe(200)
}

const attempt: Asked = { table: 'attempts', subject: 'attempt' }
const refund: Asked = { table: 'refunds', subject: 'refund' }
const kindsOf = async (id: string): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${id}`)).map(({ kind }) => kind)
const lastResult = async (id: string): Promise<string> => {
  const { rows } = await t.owner.query<{ result: string }>(
    'select result from inbox where payment_id = $1 order by created_at desc limit 1',
    [id],
  )
  return rows[0]?.result ?? ''
}
const notApplied = 'an answer that does not name the amount: not applied'

describe('an answer to our own inquiry', () => {
  it('completes a payout if it names the amount', async () => {
    const id = await payOut()
    await answer(id, attempt, { TransactionStatus: 'Completed', Amount: 100 })
    expect((await org.record(id)).status).toBe('completed')
  })

  it('completes no payout without an amount, and the next one that names it does', async () => {
    const id = await payOut()
    await answer(id, attempt, { TransactionStatus: 'Completed' })
    expect((await org.record(id)).status).toBe('processing')
    expect(await lastResult(id)).toBe(notApplied)
    expect(await kindsOf(id)).toEqual([])
    await settled(id)
  })

  it('completes no payout of another amount', async () => {
    const id = await payOut()
    await answer(id, attempt, { TransactionStatus: 'Completed', Amount: 1 })
    expect((await org.record(id)).status).toBe('processing')
    expect(await kindsOf(id)).toEqual(['amount_differs'])
  })

  it.each([[{}], [{ Amount: 1 }]])('with %j returns no completed payout, and is raised', async (named) => {
    const id = await payOut()
    await settled(id)
    await answer(id, attempt, { TransactionStatus: 'Reversed', ...named })
    expect((await org.record(id)).status).toBe('completed')
    expect(await kindsOf(id)).toEqual(['reversed_after_completion'])
  })

  it('returns a completed payout if it names the amount', async () => {
    const id = await payOut()
    await settled(id)
    await answer(id, attempt, { TransactionStatus: 'Reversed', Amount: 100 })
    expect((await org.record(id)).status).toBe('refunded')
  })

  it('without an amount does not complete a payout that failed, and is raised', async () => {
    const id = await payOut()
    await answer(id, attempt, { TransactionStatus: 'Failed', ReasonType: '2040' })
    expect((await org.record(id)).status).toBe('failed')
    await answer(id, attempt, { TransactionStatus: 'Completed' })
    expect((await org.record(id)).status).toBe('failed')
    expect(await kindsOf(id)).toEqual(['money_after_end'])
  })

  it('completes a refund only if it names the amount', async () => {
    const id = await org.start(payin)
    await settled(id)
    const asked = await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'All of it' })
    expect(asked.status).toBeLessThan(300)
    const statusOf = async (): Promise<string> =>
      (await org.call('GET', `/v1/payments/${id}/refunds`)).body.data[0].status
    await answer(id, refund, { TransactionStatus: 'Completed' })
    expect([await statusOf(), await lastResult(id)]).toEqual(['processing', notApplied])
    await answer(id, refund, { TransactionStatus: 'Completed', Amount: 100 })
    expect(await statusOf()).toBe('completed')
  })
})
