import { request } from 'undici'
import { beforeAll, expect, it, vi } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import {
  bankTransferPayin,
  cardPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

const inGermany = { country: 'DE', currency: 'EUR', target_currency: 'EUR', amount: 25, target_amount: 25 }

async function payOnPage(url: string): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const page = await request(url, { method: 'POST', headers, body: 'decision=pay' })
  await page.body.dump()
  await t.simulator.settle()
}

const statusBecomes = (id: string, status: string) =>
  vi.waitFor(async () => expect((await org.record(id)).status).toBe(status), defaultWaitMs)

it('truelayer: a payment on a page is completed by a webhook alone, signed over its address', async () => {
  const answer = await org.initiate(bankTransferPayin(inGermany))
  const { payment_id: id, redirect_url: url } = answer.body.response
  expect(url).toContain('/truelayer/pay/')
  await payOnPage(url)
  await statusBecomes(id, 'completed')
  expect(await org.record(id)).toMatchObject({ provider: 'truelayer' })
})

it('adyen: a payment whose answer was lost is unknown until its webhook comes, and is sent once', async () => {
  const sequence = t.simulator.log({ provider: 'adyen' }).at(-1)?.sequence ?? 0
  t.simulator.setFaults('adyen', [{ on: 'collect', fault: 'error_500_accepted' }])
  const answer = await org.initiate(cardPayin(inGermany))
  const { payment_id: id } = answer.body.response
  expect((await org.record(id)).status).not.toBe('failed')
  await t.simulator.settle()
  await statusBecomes(id, 'completed')
  expect(t.simulator.log({ provider: 'adyen', afterSequence: sequence })).toHaveLength(1)
})
