import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cardPayin,
  mobileMoneyPayin,
  startTestPayments,
  type TestPayments,
} from '../../testing/test-payments.ts'
let t: TestPayments
beforeAll(async () => {
  const a = Date.now()
  t = await startTestPayments()
  console.log('start', Date.now() - a)
})
afterAll(() => t.close())
test('momo', async () => {
  const a = await t.initiate(mobileMoneyPayin())
  console.log(a.status, a.text)
  await t.simulator.settle()
  console.log(JSON.stringify(await t.record(a.body.response.payment_id), null, 1))
  console.log(JSON.stringify(await t.timeline(a.body.response.payment_id), null, 1))
  expect(a.status).toBe(200)
})
test('card', async () => {
  const a = await t.initiate(cardPayin())
  console.log(a.status, a.text)
  expect(a.status).toBe(200)
})
