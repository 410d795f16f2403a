import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { approveChange } from '../../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import {
  expectCleanAudit,
  openAccounts,
  type TestAccounts,
} from '../../../../../test/worlds/test-accounts.ts'
import { untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'
import { loadList } from '../../../compliance/sanctions/lists/load-list.ts'
import { ofacXml, writeListFile } from '../../../compliance/sanctions/testing/list-files.ts'

const secretKey = 'sk_test_switchyard_sandbox'
const t = usePayments({ delayMs: untilSettled })
let org: TestAccounts
let operator: string
let address: string
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  const { body } = await t.call('GET', '/v1/payments/provider-credentials', { as: operator })
  address = body.data.find(({ provider }: Json) => provider === 'paystack').webhook_url
  const path = await writeListFile('sdn.xml', ofacXml([{ uid: '1', first: 'Oluakin', last: 'NDUEZEMI' }]))
  await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
})
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  org = await openAccounts(t)
})

let lastId = 1
/** Returns the provider's reference of the deposit. */
async function deposit(
  account: Json,
  sender: { name?: string | undefined; number?: string | undefined },
): Promise<string> {
  const reference = `screened${Date.now()}${lastId++}`
  const rawBody = JSON.stringify({
    event: 'charge.success',
    data: {
      id: lastId++,
      status: 'success',
      reference,
      amount: 12_345,
      currency: 'NGN',
      channel: 'dedicated_nuban',
      authorization: {
        receiver_bank_account_number: account.bank_details.account_number,
        sender_name: sender.name,
        sender_bank_account_number: sender.number ?? '7730194422',
      },
    },
  })
  const headers = { 'x-paystack-signature': createHmac('sha512', secretKey).update(rawBody).digest('hex') }
  const path = new URL(address).pathname
  expect((await t.call('POST', path, { rawBody, headers, unaudited: true })).status).toBe(200)
  return reference
}
const exceptionOf = async (reference: string): Promise<Json> => {
  const path = '/v1/payments/exceptions?kind=unmatched_deposit&limit=100'
  const { body } = await t.call('GET', path, { as: operator })
  return body.data.find(({ summary }: Json) => summary.includes(reference))
}
const balance = async ({ account_id }: Json): Promise<number> => (await org.account(account_id)).balance
const settle = (exception: Json, what: 'assign' | 'return', body: Json): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/exceptions/${exception.exception_id}/${what}-deposit`, { as: operator, body })
const matchOf = async (exception: Json): Promise<Json> => {
  const { body } = await t.call('GET', '/v1/screening/matches?limit=100', { as: operator })
  return body.data.find(({ exception_id }: Json) => exception_id === exception.exception_id)
}
const decide = async (match: Json, decision: 'clear' | 'confirm'): Promise<void> => {
  const path = `/v1/screening/matches/${match.match_id}/${decision}`
  const answer = await t.call('POST', path, { as: operator, body: { reason: 'Compared the passports.' } })
  if (answer.status === 202) await approveChange(t, answer)
}
const verdictOf = async (subjectId: string): Promise<string[]> =>
  (await t.owner.query('select verdict from screening_records where subject_id = $1', [subjectId])).rows.map(
    ({ verdict }) => verdict,
  )

it('a deposit is credited with a record of its screening', async () => {
  const account = await org.open()
  await deposit(account, { name: 'MARTA BRENWICK' })
  expect(await balance(account)).toBe(123.45)
  const [line] = await org.transactions(account.account_id)
  expect(await verdictOf(line.transaction_id)).toEqual(['clear'])
})

it('one from somebody who possibly is on a list is held in suspense until people have decided', async () => {
  const account = await org.open()
  const exception = await exceptionOf(await deposit(account, { name: 'NDUEZEMI OLUAKIN' }))
  expect(exception.summary).toContain('possibly is on a sanctions list')
  expect([await balance(account), await verdictOf(exception.exception_id)]).toEqual([0, ['open']])
  const match = await matchOf(exception)
  expect(match).toMatchObject({ subject_kind: 'depositor', person: { name: 'NDUEZEMI OLUAKIN' } })
  for (const [what, body] of [
    ['assign', { account_id: account.account_id }],
    ['return', { comment: 'Sent back' }],
  ] as const)
    expect((await settle(exception, what, body)).body.code).toBe('SCREENING_OPEN')
  await decide(match, 'clear')
  expect((await settle(exception, 'assign', { account_id: account.account_id })).status).toBe(200)
  expect(await balance(account)).toBe(123.45)
})

it('one from an account of somebody who was confirmed stays in suspense under any name', async () => {
  const account = await org.open()
  const number = '7730194499'
  const first = await exceptionOf(await deposit(account, { name: 'OLUAKIN NDUEZEMI', number }))
  await decide(await matchOf(first), 'confirm')
  const second = await exceptionOf(await deposit(account, { name: 'MARTA BRENWICK', number }))
  expect([await balance(account), await verdictOf(second.exception_id)]).toEqual([0, ['confirmed']])
  const refused = await settle(second, 'assign', { account_id: account.account_id })
  expect(refused.body.code).toBe('SCREENING_OPEN')
  await decide(await matchOf(first), 'clear')
  expect((await settle(second, 'assign', { account_id: account.account_id })).status).toBe(200)
})
