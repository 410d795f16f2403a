import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { memberCaller, operatorOf } from '@switchyard/stack/seeds/seed.ts'
import {
  expectCleanAudit,
  openAccounts,
  type TestAccounts,
} from '../../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import { untilLockAwaited } from '../../../../../test/app/test-database.ts'
import { untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'
import { setFrozen } from '../freeze-account.ts'

const path = '/v1/virtual-accounts'
const t = usePayments({ delayMs: untilSettled })
let org: TestAccounts
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  org = await openAccounts(t)
})

const statement = async (id: string, query = ''): Promise<Json> =>
  (await org.call('GET', `${path}/${id}/statement${query}`)).body

describe('201', () => {
  it('a book transfer writes and publishes both entries immediately', async () => {
    const from = await org.funded(100_000)
    const to = await org.open()
    const answer = await org.transfer(from.account_id, to.account_id, 250.5, { reference: 'invoice 7' })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      account_id: from.account_id,
      type: 'debit',
      status: 'completed',
      amount: 250.5,
      payment_rail: 'internal',
      reference: 'invoice 7',
      balance_after: 749.5,
    })
    expect(answer.text).toContain('"balance_after":749.50')
    const [credit] = await org.transactions(to.account_id)
    expect(credit).toMatchObject({
      type: 'credit',
      amount: 250.5,
      balance_after: 250.5,
      reference: 'invoice 7',
    })
    const { rows } = await t.owner.query(
      `select event_type, data::jsonb -> 'balance_after' as after from events
       where org_id = $1 and event_type like 'virtual_account.%' order by (data::jsonb -> 'balance_after')::numeric desc`,
      [org.orgId],
    )
    expect(rows).toEqual([
      { event_type: 'virtual_account.deposit', after: 1000 },
      { event_type: 'virtual_account.withdrawal', after: 749.5 },
      { event_type: 'virtual_account.deposit', after: 250.5 },
    ])
  })
})

describe('422', () => {
  it('more than the balance; nothing is written', async () => {
    const [from, to] = [await org.funded(1_000), await org.open()]
    const answer = await org.transfer(from.account_id, to.account_id, 10.01)
    expect([answer.status, answer.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS'])
    expect(await org.transactions(to.account_id)).toEqual([])
  })

  const config = { provider: 'fiat', country: 'NG', payment_method: 'wallet', direction: 'external' }
  const configs = '/v1/payments/provider-configs'

  it('a book transfer outside the configurations for wallet', async () => {
    const from = await org.funded(100_000)
    const to = await org.open()
    const transfer = (amount: number) => org.transfer(from.account_id, to.account_id, amount)
    const made = await org.call('POST', configs, { ...config, min_amount: 5, max_amount: 100 })
    expect(made.status).toBe(201)
    expect((await transfer(4.99)).body.message).toContain('wallet')
    expect([(await transfer(100.01)).status, (await transfer(100)).status]).toEqual([422, 201])
    await org.call('PATCH', `${configs}/fiat/${made.body.data.config_id}`, { is_active: false })
    expect((await transfer(50)).status).toBe(422)
    await org.call('DELETE', `${configs}/fiat/${made.body.data.config_id}`)
    expect((await transfer(50)).status).toBe(201)
  })

  it('an organisation cannot widen what the operator allows', async () => {
    const from = await org.funded(100_000)
    const to = await org.open()
    const operator = t.seed.platformAdmin.api_key
    const made = await t.call('POST', configs, {
      as: operator,
      body: { ...config, org_id: null, max_amount: 10 },
    })
    await org.call('POST', configs, { ...config, max_amount: 500 })
    expect((await org.transfer(from.account_id, to.account_id, 11)).status).toBe(422)
    expect((await org.transfer(from.account_id, to.account_id, 10)).status).toBe(201)
    await t.call('DELETE', `${configs}/fiat/${made.body.data.config_id}`, { as: operator })
  })
})

describe('200', () => {
  it('reads one transaction, optionally limited to a user', async () => {
    const account = await org.funded(5_000)
    const [line] = await org.transactions(account.account_id)
    const one = `${path}/transactions/${line.transaction_id}`
    expect((await org.call('GET', one)).body.data).toEqual(line)
    expect((await org.call('GET', `${one}?user_id=${org.userId}`)).body.data).toEqual(line)
    expect((await org.call('GET', `${one}?user_id=somebody`)).status).toBe(404)
  })

  it('the transactions of an account, filtered and in pages', async () => {
    const from = await org.funded(100_000)
    const to = await org.open()
    for (let index = 1; index <= 5; index++) await org.transfer(from.account_id, to.account_id, index)
    const list = async (query: string): Promise<Json> =>
      (await org.call('GET', `${path}/${from.account_id}/transactions${query}`)).body
    expect((await list('?type=credit')).data).toHaveLength(1)
    expect((await list('?status=pending')).data).toHaveLength(0)
    const first = await list('?limit=4')
    const rest = await list(
      `?limit=4&last_evaluated_key=${encodeURIComponent(first.meta.last_evaluated_key)}`,
    )
    const amounts = [...first.data, ...rest.data].map(({ amount }) => amount)
    expect(amounts).toEqual([5, 4, 3, 2, 1, 1000])
  })

  it('a statement: opening and closing balance, the running one between, in order and in pages', async () => {
    const from = await org.funded(100_000)
    const to = await org.open()
    const before = new Date().toISOString()
    for (const amount of [10, 20, 30]) await org.transfer(from.account_id, to.account_id, amount)
    const whole = await statement(from.account_id)
    expect(whole.data).toMatchObject({ currency: 'NGN', opening_balance: 0, closing_balance: 940 })
    expect(whole.data.entries.map((entry: Json) => [entry.entry_no, entry.balance_after])).toEqual([
      [1, 1000],
      [2, 990],
      [3, 970],
      [4, 940],
    ])
    const period = `?from=${before}&limit=2`
    const first = await statement(from.account_id, period)
    expect(first.data).toMatchObject({ opening_balance: 1000, closing_balance: 940 })
    const key = encodeURIComponent(first.meta.last_evaluated_key)
    const rest = await statement(from.account_id, `${period}&last_evaluated_key=${key}`)
    const numbers = [...first.data.entries, ...rest.data.entries].map(({ entry_no }: Json) => entry_no)
    expect(numbers).toEqual([2, 3, 4])
    expect((await statement(from.account_id, `?to=${before}`)).data.entries).toHaveLength(1)
  })

  it('the full statement as CSV, with formulas escaped', async () => {
    const from = await org.funded(100_000)
    const to = await org.open()
    await org.transfer(from.account_id, to.account_id, 10, { description: '＝1+1; "x"', reference: '-r' })
    const answer = await org.call('GET', `${path}/${from.account_id}/statement.csv`)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [header, first, second, end] = answer.text.split('\r\n')
    expect(header).toMatch(/^entry_no,booked_at,transaction_id,type,amount,currency,balance_after,/)
    expect(first).toMatch(/^1,.*,credit,1000\.00,NGN,1000\.00,/)
    expect(second).toMatch(/^2,.*,debit,10\.00,NGN,990\.00,"'＝1\+1; ""x""",internal,'-r,completed$/)
    expect(end).toBe('')
  })

  it('a statement of many pages has every entry once, and is read page by page', async () => {
    const { account_id } = await org.open()
    const many = 1_234
    await t.owner.query(
      `with lines as (
         insert into virtual_transactions (org_id, transaction_id, account_id, user_id, type, status, amount_minor,
           currency, description, payment_rail, reference, entry_no, balance_after_minor, booked_at)
         select $1, gen_random_uuid(), $2, 'u', 'credit', 'completed', 1, 'NGN', '', 'internal', '', n, n, now()
         from generate_series(1, $3::integer) n returning transaction_id, entry_no
       ), told as (
         insert into events (org_id, event_id, event_type, resource_id, sequence, data)
         select $1, uuidv7(), 'virtual_account.deposit', $2, entry_no, '{"test":true}' from lines
       ), moved as (
         insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
         select $1, transaction_id, 'va.deposit', 'posted', 'provider:x', 'va:' || $2::text, 'NGN', 1 from lines
       )
       update guarded_balances set entry_count = $3, available_minor = $3
       where org_id = $1 and account = 'va:' || $2::text`,
      [org.orgId, account_id, many],
    )
    let transactions = 0
    const { db } = t.deps
    const counting = { ...db, inOrg: ((...args) => (transactions++, db.inOrg(...args))) as typeof db.inOrg }
    const { exportStatement } = await import('./export-statement.ts')
    const caller = { orgId: org.orgId } as Parameters<typeof exportStatement>[1]
    const period = { accountId: account_id, from: undefined, to: undefined }
    const stream = await exportStatement({ ...t.deps, db: counting }, caller, period)
    const chunks: string[] = []
    for await (const chunk of stream) chunks.push(String(chunk))
    expect(chunks.length).toBe(4)
    expect(transactions).toBe(4)
    const numbers = chunks
      .join('')
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]))
    expect(numbers).toEqual(Array.from({ length: many }, (_, index) => index + 1))
  })
})

describe('400', () => {
  it.each([{ amount: 0 }, { amount: 1.001 }, { to_account_id: undefined }, { reference: '' }])(
    'a transfer with %j',
    async (change) => {
      const [from, to] = [await org.funded(1_000), await org.open()]
      expect((await org.transfer(from.account_id, to.account_id, 1, change)).status).toBe(400)
    },
  )

  it('to the same account, one in another currency, or another organisation’s', async () => {
    const from = await org.funded(1_000)
    const other = await org.open({ currency: 'UGX' })
    const foreign = await (await openAccounts(t)).open()
    for (const to of [from, other, foreign])
      expect((await org.transfer(from.account_id, to.account_id, 1)).status).toBe(400)
    expect((await org.account(from.account_id)).balance).toBe(10)
  })

  it.each(['?from=yesterday', '?limit=0', '?last_evaluated_key=abc'])('a statement %s', async (query) => {
    const { account_id } = await org.open()
    expect((await org.call('GET', `${path}/${account_id}/statement${query}`)).status).toBe(400)
  })
})

describe('403', () => {
  it('a viewer may read but not transfer', async () => {
    const as = await org.staff('viewer')
    const [from, to] = [await org.funded(1_000), await org.open()]
    const body = { to_account_id: to.account_id, amount: 1 }
    expect((await t.call('POST', `${path}/${from.account_id}/transfer`, { as, body })).status).toBe(403)
    expect((await t.call('GET', `${path}/${from.account_id}/statement`, { as })).status).toBe(200)
  })
})

describe('404', () => {
  it('another organisation’s account and transaction, and unknown ones', async () => {
    const account = await org.funded(1_000)
    const [line] = await org.transactions(account.account_id)
    const stranger = await openAccounts(t)
    for (const id of [account.account_id, '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'])
      for (const what of ['transactions', 'statement', 'statement.csv'])
        expect((await stranger.call('GET', `${path}/${id}/${what}`)).status).toBe(404)
    expect((await stranger.call('GET', `${path}/transactions/${line.transaction_id}`)).status).toBe(404)
    expect((await stranger.transfer(account.account_id, account.account_id, 1)).status).toBe(400)
    const own = await stranger.open()
    expect((await stranger.transfer(account.account_id, own.account_id, 1)).status).toBe(404)
  })
})

describe('409', () => {
  it('from or to a frozen account; deposits are still credited', async () => {
    const [from, to] = [await org.funded(1_000), await org.funded(1_000)]
    await org.call('POST', `${path}/${from.account_id}/freeze`)
    for (const [debited, credited] of [
      [from, to],
      [to, from],
    ]) {
      const { status, body } = await org.transfer(debited.account_id, credited.account_id, 1)
      expect([status, body.message]).toEqual([409, expect.stringContaining('frozen or closed')])
    }
    await org.deposit(from, 500)
    expect((await org.account(from.account_id)).balance).toBe(15)
  })

  it('a transfer that meets a freeze before its commit waits for it and is refused', async () => {
    const [from, to] = [await org.funded(1_000), await org.open()]
    const { db, vault, clock } = t.deps
    let transfer: ReturnType<typeof org.transfer> | undefined
    const freezing: typeof db = {
      ...db,
      inOrg: (orgId, work) =>
        db.inOrg(orgId, async (tx) => {
          const result = await work(tx)
          transfer ??= org.transfer(from.account_id, to.account_id, 1)
          await Promise.race([transfer, untilLockAwaited(t.owner)])
          return result
        }),
    }
    const admin = memberCaller(operatorOf(t.seed), {
      orgId: org.orgId,
      userId: org.userId,
      role: 'org-admin',
    })
    const frozen = { accountId: from.account_id, frozen: true, reason: null }
    await setFrozen({ db: freezing, vault, clock }, admin, frozen)
    const answer = await transfer
    expect([answer?.status, answer?.body.message]).toEqual([409, expect.stringContaining('frozen or closed')])
    expect((await org.account(from.account_id)).balance).toBe(10)
  })
})
