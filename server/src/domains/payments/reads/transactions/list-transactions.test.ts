import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../../test/app/people.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  createTestClock,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'

const dayMs = 24 * 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
/** One of each kind, the first of them two days before the others. */
let early: string
let card: string
let failed: string
let bank: string
let payout: string
beforeAll(async () => {
  org = await openPayments(t)
  clock.pass(-2 * dayMs)
  early = await org.start(mobileMoneyPayin({ client_reference: 'order 7', description: 'Seven' }))
  clock.pass(2 * dayMs)
  card = await org.start(cardPayin({ client_reference: 'order 8' }))
  const card_details = { ...cardPayin().card_details, card_number: '4000000000009995' }
  failed = await org.start(cardPayin({ card_details }))
  bank = await org.start(bankTransferPayin())
  payout = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
  await (await openPayments(t)).start(cardPayin())
})

const list = async (query = ''): Promise<Json> =>
  (await org.call('GET', `/v1/transactions?limit=100${query}`)).body
const idsOf = async (query: string): Promise<string[]> =>
  (await list(query)).data.map((row: Json) => row.payment_id).sort()

describe('200', () => {
  it('every payment of the organisation and of no other, newest first', async () => {
    const { status, data, meta } = await list()
    expect([status, meta]).toEqual(['success', { count: 5, last_evaluated_key: null, partial: false }])
    expect(data.map((row: Json) => row.payment_id).sort()).toEqual([early, card, failed, bank, payout].sort())
    expect(data.at(-1).payment_id).toBe(early)
    const moments: string[] = data.map((row: Json) => row.created_at)
    expect(moments).toEqual(moments.toSorted().reverse())
  })

  it('each row has the whole of a transaction, with its digits', async () => {
    const { text } = await org.call(
      'GET',
      `/v1/transactions?client_reference=${encodeURIComponent('order 7')}`,
    )
    const { updated_at: updatedAt, created_at: createdAt, ...row } = JSON.parse(text).data[0]
    expect(row).toEqual({
      transaction_id: early,
      payment_id: early,
      org_id: org.orgId,
      user_id: expect.any(String),
      initiated_by: expect.any(String),
      status: 'pending',
      direction: 'inbound',
      payment_method: 'mobile_money',
      country: 'UG',
      amount: 5000,
      currency: 'UGX',
      target_amount: 5000,
      target_currency: 'UGX',
      provider: 'pawapay',
      client_reference: 'order 7',
      description: 'Seven',
      payer_name: 'Grace',
      payer_email: 'g***@example.com',
      payer_phone: '********6789',
      beneficiary_id: null,
      beneficiary_name: null,
      beneficiary_account: null,
      failure_code: null,
      failure_message: null,
      fee_ids: [],
      total_fees: null,
      fees_currency: null,
      personal_data_erased_at: null,
    })
    expect(new Date(createdAt).getTime()).toBeLessThanOrEqual(new Date(updatedAt).getTime())
    expect(text).toContain('"amount":5000.0,')
  })

  it.each([
    ['status=completed', () => [card]],
    ['status=failed', () => [failed]],
    ['status=canceled', () => []],
    ['direction=outbound', () => [payout]],
    ['direction=inbound', () => [early, card, failed, bank]],
    ['method=card', () => [card, failed]],
    ['method=bank_transfer', () => [bank, payout]],
    ['currency=NGN', () => [bank, payout]],
    ['currency=KES', () => []],
    ['provider=stripe', () => [card]],
    ['provider=paystack', () => [bank, payout]],
    ['client_reference=order%208', () => [card]],
    ['client_reference=order', () => []],
    ['method=bank_transfer&direction=inbound', () => [bank]],
    ['status=completed&currency=NGN', () => []],
    ['status=completed,failed', () => [card, failed]],
    ['status=completed&status=failed', () => [card, failed]],
    ['status=pending,failed', () => [early, bank, failed]],
    ['status=failed,canceled&method=card', () => [failed]],
    ['country=NG', () => [bank, payout]],
    ['country=KE', () => []],
    ['country=GB&status=failed', () => [failed]],
    ['currency=UGX&min_amount=5000', () => [early]],
    ['currency=UGX&min_amount=5000&max_amount=5000', () => [early]],
    ['currency=UGX&min_amount=5001', () => []],
    ['currency=UGX&max_amount=4999', () => []],
  ])('filtered by %s', async (query, expected) => {
    expect(await idsOf(`&${query}`)).toEqual(expected().sort())
  })

  it('from a moment on, up to and without another', async () => {
    const { data } = await list()
    const oldest = data.at(-1).created_at
    const dayAgo = new Date(Date.now() - dayMs).toISOString()
    expect(await idsOf(`&to=${dayAgo}`)).toEqual([early])
    expect(await idsOf(`&from=${dayAgo}`)).toEqual([card, failed, bank, payout].sort())
    expect(await idsOf(`&from=${oldest}&to=${dayAgo}`)).toEqual([early])
    expect(await idsOf(`&to=${oldest}`)).toEqual([])
    expect(await idsOf(`&from=${oldest.slice(0, 10)}`)).toHaveLength(5)
  })

  it('in pages, each payment once, with the filters kept', async () => {
    for (const filter of ['', '&direction=inbound']) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const from: string = cursor === '' ? '' : `&last_evaluated_key=${encodeURIComponent(cursor)}`
        const { body } = await org.call('GET', `/v1/transactions?limit=2${filter}${from}`)
        expect(body.meta.count).toBe(body.data.length)
        seen.push(...body.data.map((row: Json) => row.payment_id))
        cursor = body.meta.last_evaluated_key
      }
      expect(seen).toEqual((await list(filter)).data.map((row: Json) => row.payment_id))
    }
  })

  it('a viewer may read it', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await t.call('GET', '/v1/transactions', { as: viewer.token })).body.data).toHaveLength(5)
  })
})

describe('400', () => {
  it.each([
    'status=lost',
    'direction=payin',
    'method=cheque',
    'from=yesterday',
    'to=2026-13-01',
    'limit=0',
    'limit=101',
    'limit=two',
    'last_evaluated_key=abc',
  ])('%s', async (query) => {
    const answer = await org.call('GET', `/v1/transactions?${query}`)
    expect([answer.status, answer.body.status]).toEqual([400, 'error'])
  })

  it('a cursor of other filters, or of another organisation', async () => {
    const cursor = (await org.call('GET', '/v1/transactions?limit=1')).body.meta.last_evaluated_key
    const path = `/v1/transactions?limit=1&last_evaluated_key=${encodeURIComponent(cursor)}`
    expect((await org.call('GET', path)).status).toBe(200)
    expect((await org.call('GET', `${path}&currency=NGN`)).status).toBe(400)
    expect((await (await openPayments(t)).call('GET', path)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', '/v1/transactions')).status).toBe(401)
  })
})
