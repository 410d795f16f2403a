import { expect } from 'vitest'
import { mobileMoneyPayin, openPayments, type TestPayments } from '../worlds/test-payments.ts'
import { startDroppingProxy, type Drop } from './dropping-proxy.ts'

const calls = 200
const drops: readonly Drop[] = ['before', 'after', 'during']

/** Makes a payin through an SDK, and returns the id of the payment. */
type Initiate = (body: object, index: number) => Promise<string>

/** Loses a connection before, after or during each of 200 payins, and expects one payment and one charge each. */
export async function expectOneChargeEach(
  t: TestPayments,
  connect: (url: string, credential: string) => Promise<Initiate>,
): Promise<void> {
  const org = await openPayments(t)
  const proxy = await startDroppingProxy(t.url)
  try {
    const initiate = await connect(proxy.url, org.credential)
    const ids = new Set<string>()
    for (let index = 0; index < calls; index++) {
      proxy.drop(drops[index % drops.length] ?? 'before')
      ids.add(await initiate(mobileMoneyPayin({ client_reference: `order-${index}` }), index))
    }
    expect(proxy.dropped()).toBe(calls)
    expect(ids.size).toBe(calls)
    const { rows } = await t.owner.query<{ count: string }>(
      'select count(*) from payments where org_id = $1',
      [org.orgId],
    )
    expect(Number(rows[0]?.count)).toBe(calls)
    const charges = Map.groupBy(t.simulator.log(), ({ reference }) => reference)
    expect([...charges.values()].map((entries) => entries.length).filter((times) => times !== 1)).toEqual([])
    for (const paymentId of ids) expect(await org.accepted(paymentId)).toHaveLength(1)
  } finally {
    await proxy.close()
  }
}
