import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectCleanAudit, openAccounts, postToSimulator } from '../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { numberIndex } from '../../products/virtual-accounts/rules.ts'

const clock = createTestClock()
const since = new Date(Date.now() - 3_600_000).toISOString()
const t = usePayments({ delayMs: untilSettled, clock })
let operator: string
beforeAll(() => {
  operator = t.seed.platformAdmin.api_key
  clock.pass(11 * 60_000)
})
afterAll(() => expectCleanAudit(t))

async function found(as = operator): Promise<Json[]> {
  const body = { provider: 'paystack', since }
  const answer = await t.call('POST', '/v1/payments/reconciliation', { as, body })
  return answer.body.data.findings
}

it('a deposit received by webhook is known, booked or in suspense', async () => {
  const bank = await openAccounts(t)
  await bank.deposit(await bank.open(), 12_300)
  await bank.deposit({ bank_details: { account_number: '9999999999' } }, 4_500)
  expect(await found()).toEqual([])
})

it('a missed deposit is booked once and raised as an exception', async () => {
  const bank = await openAccounts(t)
  const account = await bank.open()
  t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop' }])
  const lost = await bank.deposit(account, 7_700)
  expect(await bank.transactions(account.account_id)).toEqual([])
  expect(await found()).toMatchObject([{ kind: 'deposit_missed', reference: lost, payment_id: null }])
  const booked = [expect.objectContaining({ type: 'credit', status: 'completed', amount: 77 })]
  expect(await bank.transactions(account.account_id)).toEqual(booked)
  expect(await found()).toEqual([])
  await postToSimulator(t, '/paystack/_webhooks/send', { reference: lost })
  expect(await bank.transactions(account.account_id)).toEqual(booked)
  const raised = await t.call('GET', '/v1/payments/exceptions?kind=deposit_missed', { as: operator })
  expect(raised.body.data).toMatchObject([{ provider: 'paystack', status: 'open' }])
})

it('two concurrent runs book it once', async () => {
  const bank = await openAccounts(t)
  const account = await bank.open()
  t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop' }])
  await bank.deposit(account, 5_100)
  await Promise.all([found(), found(), found(bank.credential)])
  const booked = [expect.objectContaining({ type: 'credit', status: 'completed', amount: 51 })]
  expect(await bank.transactions(account.account_id)).toEqual(booked)
})

it('a deposit listed by one organisation’s account for another’s virtual account is credited to nobody', async () => {
  const [bank, stranger] = [await openAccounts(t), await openAccounts(t)]
  const account = await bank.open()
  const secretKey = 'sk_test_stranger'
  t.simulator.configure('paystack', { account: secretKey, secrets: { secret_key: secretKey } })
  await stranger.call('PUT', '/v1/payments/provider-credentials/paystack', {
    credentials: { secretKey, baseUrl: `${t.simulator.url}/paystack` },
  })
  t.simulator.setFaults('paystack', [{ on: 'webhook', fault: 'webhook_drop' }])
  const unknown = { bank_details: { account_number: '8888888888' } }
  await stranger.deposit(unknown, 6_000, { account: secretKey })
  // The simulator never reuses an account number, so the other account is given this number here.
  const index = numberIndex(t.deps.accountNumberKey, 'paystack', '8888888888')
  await t.owner.query('update virtual_accounts set number_index = $1 where account_id = $2', [
    index,
    account.account_id,
  ])
  expect(await found(stranger.credential)).toMatchObject([{ kind: 'deposit_missed' }])
  expect(await bank.transactions(account.account_id)).toEqual([])
  const kinds = new Set((await stranger.exceptions()).map(({ kind }) => kind))
  expect(kinds).toEqual(new Set(['deposit_missed', 'message_from_other_account']))
})
