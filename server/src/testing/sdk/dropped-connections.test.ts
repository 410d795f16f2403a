import { afterAll, beforeAll, expect, it } from 'vitest'
import { Switchyard } from '@switchyard/sdk'
import { mobileMoneyPayin, openPayments, usePayments, type OrgPayments } from '../test-payments.ts'
import { startDroppingProxy, type DroppingProxy, type Drop } from './dropping-proxy.ts'

const calls = 200
const drops: readonly Drop[] = ['before', 'after', 'during']

const t = usePayments()
let org: OrgPayments
let proxy: DroppingProxy
let sy: Switchyard
beforeAll(async () => {
  org = await openPayments(t)
  proxy = await startDroppingProxy(t.url)
  sy = new Switchyard({
    baseUrl: proxy.url,
    accessToken: org.credential,
    runtime: { sleep: () => Promise.resolve() },
  })
})
afterAll(() => proxy.close())

const count = async (statement: string): Promise<number> => {
  const { rows } = await t.owner.query<{ count: string }>(statement, [org.orgId])
  return Number(rows[0]?.count)
}

it('a connection lost before, after or during each of 200 payins makes one payment and one charge each', async () => {
  const ids = new Set<string>()
  for (let index = 0; index < calls; index++) {
    proxy.drop(drops[index % drops.length] ?? 'before')
    const payment = await sy.payments.initiate(mobileMoneyPayin({ client_reference: `order-${index}` }))
    ids.add(payment.payment_id)
  }
  expect(proxy.dropped()).toBe(calls)
  expect(ids.size).toBe(calls)
  expect(await count('select count(*) from payments where org_id = $1')).toBe(calls)
  const charges = Map.groupBy(t.simulator.log(), ({ reference }) => reference)
  expect([...charges.values()].map((entries) => entries.length).filter((times) => times !== 1)).toEqual([])
  for (const paymentId of ids) expect(await org.accepted(paymentId)).toHaveLength(1)
}, 240_000)
