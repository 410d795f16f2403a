import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'

const t = usePayments()
let org: OrgPayments
let card: string
let mobile: string
beforeAll(async () => {
  org = await openPayments(t)
  card = await org.start(cardPayin())
  mobile = await org.start(mobileMoneyPayin())
  await until('the payin to complete', async () => (await org.record(mobile)).status === 'completed')
  for (const amount of [5, 6])
    await org.call('POST', `/v1/payments/${card}/refund`, { reason: 'list', amount })
  const { reference } = (await org.attempts(mobile)).at(-1)?.data ?? {}
  await t.simulator.refund('pawapay', { reference, amount: '1000' })
})

const list = (query = ''): Promise<CallAnswer> => org.call('GET', `/v1/refunds?${query}`)
const amounts = async (query = ''): Promise<number[]> =>
  (await list(query)).body.data.map(({ amount }: Json) => amount)

describe('200', () => {
  it('refunds of all payments, newest first', async () => {
    expect(await amounts()).toEqual([1000, 6, 5])
  })

  it.each<[string, number[]]>([
    ['status=completed', [1000, 6, 5]],
    ['status=failed', []],
    ['status=processing', []],
    ['origin=provider', [1000]],
    ['origin=api', [6, 5]],
    ['provider=stripe', [6, 5]],
    ['currency=UGX', [1000]],
    ['from=2020-01-01&to=2020-02-01', []],
    ['from=2020-01-01', [1000, 6, 5]],
  ])('filtered by %s', async (query, expected) => {
    expect(await amounts(query)).toEqual(expected)
  })

  it('filtered by payment', async () => {
    expect(await amounts(`payment_id=${mobile}`)).toEqual([1000])
  })

  it('from the moment at which one was made, and until the moment before', async () => {
    const { created_at: at } = (await list('origin=provider')).body.data[0]
    expect(await amounts(`from=${at}`)).toEqual([1000])
    expect(await amounts(`to=${at}`)).toEqual([6, 5])
  })

  it('in pages, each refund once', async () => {
    const first = await list('limit=2')
    const key = first.body.meta.last_evaluated_key
    const second = await list(`limit=2&last_evaluated_key=${encodeURIComponent(key)}`)
    expect([...first.body.data, ...second.body.data].map(({ amount }: Json) => amount)).toEqual([1000, 6, 5])
    expect(second.body.meta.last_evaluated_key).toBeNull()
  })

  it('a stranger sees none of them, whatever they ask for', async () => {
    const stranger = await openPayments(t)
    for (const query of ['', `payment_id=${card}`])
      expect((await stranger.call('GET', `/v1/refunds?${query}`)).body.data).toEqual([])
  })

  it('a viewer may read them', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await t.call('GET', '/v1/refunds', { as: viewer.token })).status).toBe(200)
  })
})

describe('400', () => {
  it.each(['status=lost', 'origin=mine', 'payment_id=1', 'from=yesterday', 'limit=0'])(
    '%s',
    async (query) => {
      expect((await list(query)).status).toBe(400)
    },
  )
})

describe('401', () => {
  it('without credentials', async () => {
    expect((await t.call('GET', '/v1/refunds')).status).toBe(401)
  })
})
