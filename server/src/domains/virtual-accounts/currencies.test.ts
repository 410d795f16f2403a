import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectCleanAudit,
  openAccounts,
  postToSimulator,
  type TestAccounts,
} from '../../testing/test-accounts.ts'
import { untilSettled, usePayments } from '../../testing/test-payments.ts'
import { until } from '../../testing/test-relay.ts'

const t = usePayments({ delayMs: untilSettled })
let org: TestAccounts
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  org = await openAccounts(t)
})

const deposit = (account_number: string, currency: string) =>
  postToSimulator(t, '/stripe/_bank/deposit', {
    account_number,
    amount: 12_345,
    currency,
    reference: 'INV-7',
  })

describe('an account in a currency that a provider of another country opens', () => {
  it.each([
    ['GBP', /^\d{8}$/, /^\d{6}$/],
    ['EUR', /^DE\d{20}$/, /^[A-Z0-9]{8}$/],
    ['USD', /^\d{12}$/, /^\d{9}$/],
  ])('%s: has bank details, and a bank deposit is credited once', async (currency, number, code) => {
    const account = await org.open({ currency })
    expect(account).toMatchObject({ provider: 'stripe', custody: 'pooled', currency, balance: 0 })
    expect(account.bank_details.account_number).toMatch(number)
    expect(account.bank_details.bank_code).toMatch(code)
    await deposit(account.bank_details.account_number, currency)
    await until('the deposit', async () => (await org.account(account.account_id)).balance === 123.45)
    expect(await org.transactions(account.account_id)).toMatchObject([
      { type: 'credit', status: 'completed', amount: 123.45, currency, description: 'INV-7' },
    ])
    expect(await org.exceptions()).toEqual([])
  })

  it('two accounts have bank details of their own', async () => {
    const [one, two] = [await org.open({ currency: 'GBP' }), await org.open({ currency: 'GBP' })]
    expect(one.bank_details.account_number).not.toBe(two.bank_details.account_number)
    await deposit(two.bank_details.account_number, 'GBP')
    await until('the deposit', async () => (await org.account(two.account_id)).balance === 123.45)
    expect((await org.account(one.account_id)).balance).toBe(0)
  })

  it('a currency that nobody opens accounts in is internal', async () => {
    expect(await org.open({ currency: 'UGX' })).toMatchObject({ provider: 'internal', bank_details: null })
  })
})
