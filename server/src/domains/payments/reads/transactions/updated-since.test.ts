import { beforeAll, expect, it } from 'vitest'
import type { Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'

const hourMs = 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
let refunded: string
let quiet: string
let recent: string
beforeAll(async () => {
  org = await openPayments(t)
  clock.pass(-48 * hourMs)
  refunded = await org.start(cardPayin())
  quiet = await org.start(cardPayin())
  clock.pass(48 * hourMs)
  recent = await org.start(cardPayin())
  await org.call('POST', `/v1/payments/${refunded}/refund`, { reason: 'Changed their mind' })
})

const list = async (query: string): Promise<string[]> =>
  (await org.call('GET', `/v1/transactions?limit=100&${query}`)).body.data.map((row: Json) => row.payment_id)
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

it('lists what has changed since then, also of payments that are old, in the order of their creation', async () => {
  expect(await list(`updated_since=${ago(hourMs)}`)).toEqual([recent, refunded])
  expect(await list(`updated_since=${ago(47 * hourMs)}`)).toEqual([recent, refunded])
  expect(await list(`updated_since=${ago(49 * hourMs)}`)).toEqual([recent, quiet, refunded])
  expect(await list(`updated_since=${ago(-hourMs)}`)).toEqual([])
})

it('together with other filters, and in pages', async () => {
  const since = `updated_since=${ago(hourMs)}`
  expect(await list(`${since}&status=refunded`)).toEqual([refunded])
  expect(await list(`${since}&status=completed,failed`)).toEqual([recent])
  expect(await list(`${since}&to=${ago(24 * hourMs)}`)).toEqual([refunded])
  const first = (await org.call('GET', `/v1/transactions?limit=1&${since}`)).body
  const cursor = encodeURIComponent(first.meta.last_evaluated_key)
  expect(first.data[0].payment_id).toBe(recent)
  expect(await list(`${since}&last_evaluated_key=${cursor}`)).toEqual([refunded])
})

it('lists the payouts of one beneficiary', async () => {
  const beneficiary = await org.addBeneficiary(bankBeneficiary())
  const payout = await org.start(bankPayout(beneficiary))
  await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary({ fname: 'Ada' }))))
  expect(await list(`beneficiary_id=${beneficiary}`)).toEqual([payout])
  expect(await list(`beneficiary_id=${recent}`)).toEqual([])
})
