import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../../test/app/people.ts'
import { credentialHeaders, type Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { countUnreadableAcrossOrgs } from './count-unreadable.ts'
import { recordTerms } from './record-terms.ts'
import { removeTerms } from './remove-terms.ts'
import { requeueUnreadable } from './requeue-unreadable.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let stranger: OrgPayments
let phone: string
let card: string
let other: string
let payout: string
const zoe = { name: 'Zoë van der Berg', email: 'Zoe@Example.com' }
beforeAll(async () => {
  org = await openPayments(t)
  stranger = await openPayments(t)
  phone = await org.start(mobileMoneyPayin({ client_reference: 'shop/2026/7' }))
  card = await org.start(cardPayin({ payer_details: zoe, client_reference: 'shop/2026/8' }))
  other = await org.start(
    cardPayin({ payer_details: { ...zoe, name: 'Zoe Berger' }, amount: 30, target_amount: 30 }),
  )
  payout = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
  await stranger.start(cardPayin({ payer_details: zoe, client_reference: 'shop/2026/8' }))
  await recordTerms(t.deps)
})

const search = async (q: string, more = '', by: OrgPayments = org): Promise<string[]> => {
  const { status, body } = await by.call(
    'GET',
    `/v1/transactions?limit=100&q=${encodeURIComponent(q)}${more}`,
  )
  expect(status).toBe(200)
  return body.data.map((row: Json) => row.payment_id).sort()
}

describe('200', () => {
  it('somebody who sees numbers and addresses masked does not find them by guesses, but names and references', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const by = { ...org, call: (method: string, path: string) => t.call(method, path, { as: viewer.token }) }
    for (const guess of ['zoe@example.com', '+256 783 456789', '0783456789'])
      expect([await search(guess, '', by), (await search(guess)).length > 0]).toEqual([[], true])
    expect(await search('zoe', '', by)).toEqual([card, other].sort())
    expect(await search('shop/2026/7', '', by)).toEqual([phone])
  })

  it.each([
    ['the whole of a name', 'Zoë van der Berg', () => [card]],
    ['its words in another order, without accents and capitals', 'berg zoe', () => [card]],
    ['one word of it', 'zoe', () => [card, other]],
    ['no part of a word', 'berge', () => []],
    ['a word that is in no name', 'zoe muster', () => []],
    ['an e-mail address in other letters', 'zoe@example.COM', () => [card, other]],
    ['no part of an e-mail address', 'zoe@', () => []],
    ['a phone number with its country code', '+256 783 456789', () => [phone]],
    ['a phone number without it', '0783456789', () => [phone]],
    ['the recipient of a payout', 'Ngozi Eze', () => [payout]],
    ["the recipient's e-mail address", 'ngozi@example.com', () => [payout]],
    ['the beginning of the reference', 'shop/2026/', () => [phone, card]],
    ['the whole reference', 'shop/2026/8', () => [card]],
    ['an amount', '25', () => [card]],
    ['an amount with its decimals', '25.00', () => [card]],
    ['an amount with more decimals than the currency has', '25.001', () => []],
    ['an amount of another currency', '5000', () => [phone]],
    ['a sign of Postgres patterns', '%', () => []],
  ])('by %s', async (_, q, expected) => {
    expect(await search(q)).toEqual(expected().sort())
  })

  it('by the beginning of the id, with and without its dashes', async () => {
    expect(await search(card)).toEqual([card])
    expect(await search(card.slice(0, 28))).toEqual([card])
    expect(await search(card.replaceAll('-', ''))).toEqual([card])
    expect(await search(card.toUpperCase())).toEqual([card])
    // A minute and some: all of them.
    expect(await search(card.slice(0, 8))).toContain(phone)
  })

  it("by the provider's reference, whole or its beginning", async () => {
    const [{ data }] = await org.attempts(card)
    expect(await search(data.provider_ref)).toEqual([card])
    expect(await search(data.provider_ref.slice(0, -2))).toContain(card)
  })

  it('together with filters and in pages', async () => {
    expect(await search('zoe', '&status=failed')).toEqual([])
    expect(await search('zoe', '&currency=GBP&min_amount=26')).toEqual([other])
    const first = (await org.call('GET', '/v1/transactions?q=zoe&limit=1')).body
    expect([first.meta.count, first.data[0].payment_id]).toEqual([1, other])
    const cursor = encodeURIComponent(first.meta.last_evaluated_key)
    const second = (await org.call('GET', `/v1/transactions?q=zoe&limit=1&last_evaluated_key=${cursor}`)).body
    expect([second.data[0].payment_id, second.meta.last_evaluated_key]).toEqual([card, null])
    expect(
      (await org.call('GET', `/v1/transactions?q=ann&limit=1&last_evaluated_key=${cursor}`)).status,
    ).toBe(400)
  })

  it('finds nothing of another organisation, by whatever text', async () => {
    const [own] = (await stranger.call('GET', '/v1/transactions')).body.data
    const [{ data }] = await org.attempts(card)
    for (const q of ['zoe', 'zoe@example.com', 'shop/2026/8', '25'])
      expect(await search(q, '', stranger)).toEqual([own.payment_id])
    for (const q of [card, '0783456789', data.reference]) expect(await search(q, '', stranger)).toEqual([])
  })

  it('a viewer searches too, and sees numbers and addresses masked', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const { text, body } = await t.call('GET', '/v1/transactions?q=ngozi', { as: viewer.token })
    expect(body.data[0]).toMatchObject({
      payer_name: null,
      beneficiary_name: 'Ngozi Eze',
      beneficiary_account: '******0049',
    })
    expect(text).not.toContain('0690000049')
  })

  it('a CSV has the people, the failure and the fees in columns of their own', async () => {
    const answer = await request(`${t.url}/v1/transactions?q=zoe%20berger`, {
      headers: { ...credentialHeaders(org.credential), accept: 'text/csv' },
    })
    const text = await answer.body.text()
    const [head = '', row = ''] = text.split('\r\n')
    expect(head.split(',')).toEqual(
      expect.arrayContaining([
        'payer_name',
        'payer_email',
        'beneficiary_account',
        'failure_code',
        'total_fees',
      ]),
    )
    expect(row).toContain('Zoe Berger,Z***@Example.com')
  })
})

describe('what is stored', () => {
  it('neither names nor numbers are in the tables of the search, and equal people of two organisations differ', async () => {
    const { rows } = await t.owner.query('select * from payment_search_terms')
    expect(JSON.stringify(rows).toLowerCase()).not.toMatch(/zoe|berg|example|783456789/)
    const termsOf = (orgId: string) => rows.filter((row) => row.org_id === orgId).map((row) => row.term)
    const own = new Set(termsOf(org.orgId))
    expect(termsOf(stranger.orgId)).toHaveLength(5)
    expect(termsOf(stranger.orgId).filter((term) => own.has(term))).toEqual([])
  })

  it('a payment is queued when it is written, and its terms are written once', async () => {
    const id = await org.start(cardPayin({ payer_details: { name: 'Odd Person' } }))
    expect(await search('odd person')).toEqual([])
    expect(await recordTerms(t.deps)).toBe(1)
    expect(await recordTerms(t.deps)).toBe(0)
    expect(await search('odd person')).toEqual([id])
    await t.owner.query('insert into payment_search_queue values ($1, $2, now())', [org.orgId, id])
    expect(await recordTerms(t.deps)).toBe(1)
    expect(await search('odd person')).toEqual([id])
  })

  it('a payment whose details cannot be opened is set aside, and no other payment waits for it', async () => {
    const withPayer = (name: string) => org.start(cardPayin({ payer_details: { name } }))
    const damage = (id: string, sealed: string) =>
      t.owner.query(`update payments set private_sealed = ${sealed} where payment_id = $1`, [id])
    const changed = await withPayer('Changed Details')
    await damage(changed, `set_byte(private_sealed, 60, get_byte(private_sealed, 60) # 1)`)
    const short = await withPayer('Short Details')
    await damage(short, `'\\x0102'`)
    const keyless = await withPayer('Keyless Details')
    const { rows } = await t.owner.query<{ sealed: string }>(
      'select private_sealed::text as sealed from payments where payment_id = $1',
      [keyless],
    )
    await damage(keyless, `uuid_send(gen_random_uuid()) || substring(private_sealed from 17)`)
    const whole = await stranger.start(cardPayin({ payer_details: { name: 'Whole Details' } }))

    expect(await recordTerms(t.deps)).toBe(1)
    expect(await search('whole details', '', stranger)).toEqual([whole])
    expect(await recordTerms(t.deps)).toBe(0)
    expect(await countUnreadableAcrossOrgs(t.deps)).toBe(3)

    const listed = (await org.call('GET', '/v1/transactions?limit=100')).body.data
    expect(listed.find((row: Json) => row.payment_id === changed)).toMatchObject({ payer_name: null })

    await damage(keyless, `'${rows[0]?.sealed}'::bytea`)
    expect(await requeueUnreadable(t.deps)).toBe(3)
    expect(await recordTerms(t.deps)).toBe(1)
    expect(await search('keyless details')).toEqual([keyless])
    expect(await countUnreadableAcrossOrgs(t.deps)).toBe(2)
    const reasons = await t.owner.query(
      'select payment_id, set_aside_reason from payment_search_queue order by payment_id',
    )
    expect(reasons.rows).toEqual([
      { payment_id: changed, set_aside_reason: 'a sealed value does not belong to its row' },
      { payment_id: short, set_aside_reason: 'a sealed value is too short to name its data key' },
    ])
  })

  it('an outage of the database sets nothing aside', async () => {
    const id = await org.start(cardPayin({ payer_details: { name: 'Patient Person' } }))
    const vault = { ...t.deps.vault, open: () => Promise.reject(new Error('connection refused')) }
    await expect(recordTerms({ ...t.deps, vault })).rejects.toThrow('connection refused')
    expect(await recordTerms(t.deps)).toBe(1)
    expect(await search('patient person')).toEqual([id])
  })

  it('an erasure removes the terms of one payment and of no other', async () => {
    const payer_details = { name: 'Gone Person', email: 'gone@example.com' }
    const gone = await org.start(cardPayin({ payer_details }))
    const kept = await org.start(cardPayin({ payer_details }))
    await recordTerms(t.deps)
    expect(await removeTerms(t.deps, { orgId: org.orgId, paymentId: gone })).toBe(3)
    expect(await search('gone@example.com')).toEqual([kept])
    expect(await search('gone person')).toEqual([kept])
    await t.owner.query(`update payments set private_sealed = '' where payment_id = $1`, [gone])
    const rows = (await org.call('GET', `/v1/transactions?q=${gone}`)).body.data
    expect(rows[0]).toMatchObject({ payment_id: gone, payer_name: null, payer_email: null })
  })
})

describe('400', () => {
  it.each([
    'q=',
    `q=${'x'.repeat(201)}`,
    'min_amount=5',
    'currency=UGX&max_amount=5.5',
    'currency=UGX&min_amount=-1',
  ])('%s', async (query) => {
    expect((await org.call('GET', `/v1/transactions?${query}`)).status).toBe(400)
  })

  it.each([
    'country=uganda',
    'beneficiary_id=7',
    'updated_since=yesterday',
    'status=failed,lost',
    'status=failed,',
  ])('%s', async (query) => {
    expect((await org.call('GET', `/v1/transactions?${query}`)).status).toBe(400)
  })
})
