import { beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { hasBrowser } from '../../testing/browser.ts'
import { shoot, useDashboard, violationsOf } from '../../testing/test-dashboard.ts'
import { cardPayin, kenyanPayin, mobileMoneyPayin, untilSettled } from '../../testing/test-payments.ts'
import { until } from '../../testing/test-relay.ts'

const s = useDashboard({ hasWorker: true, delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let paidId: string
let doubtfulId: string

async function start(body: object): Promise<string> {
  const { body: answer } = await s.t.initiate(body)
  return answer.response.payment_id
}

const reached = (paymentId: string, status: string): Promise<unknown> =>
  until(`the payment to be ${status}`, async () => (await s.t.record(paymentId)).status === status)

const openTimeline = (page: Page): Promise<void> =>
  page.getByRole('list', { name: 'What happened, in order' }).waitFor()

beforeAll(async () => {
  if (!hasBrowser) return
  s.t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
  paidId = await start(kenyanPayin({ client_reference: 'INV-2041' }))
  await s.t.simulator.settle({ all: true })
  await reached(paidId, 'completed')
  s.t.simulator.setFaults('pawapay', [
    { on: 'collect', fault: 'error_500_accepted' },
    { on: 'inquire', fault: 'error_500', times: 1_000 },
    { on: 'webhook', fault: 'webhook_drop', times: 1_000 },
  ])
  doubtfulId = await start(mobileMoneyPayin({ client_reference: 'LOAN-77' }))
})

describe.skipIf(!hasBrowser)('the screen of a payment', () => {
  it('is reached by keyboard from the list, and says who took the payment', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/payments' })
    await page.getByRole('link', { name: 'LOAN-77' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/payments/${paidId}`)
    await page.getByText('Paystack took it on the second try. pawaPay had declined.').waitFor()
    expect(troubles).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no violation of accessibility in %s', async (colorScheme) => {
    const { page, troubles } = await s.openAs('org-admin', { path: `/payments/${paidId}`, colorScheme })
    await openTimeline(page)
    await shoot(page, `payment-${colorScheme}`)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByRole('dialog', { name: 'Refund this payment' }).waitFor()
    await shoot(page, `payment-refund-${colorScheme}`)
    expect(await violationsOf(page)).toEqual([])
    await page.goto(`${s.t.url}/dashboard/payments/${doubtfulId}`)
    await page.getByText('Not known yet.').waitFor()
    await shoot(page, `payment-doubt-${colorScheme}`)
    expect(await violationsOf(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('links each mark of the lanes with its entry, which has an address and its JSON', async () => {
    const { page, troubles } = await s.openAs('viewer', { path: `/payments/${paidId}` })
    await openTimeline(page)
    const mark = page.locator('svg').getByRole('link', { name: /^attempt 2 at paystack/ })
    await mark.click()
    await page.waitForURL('**#attempt.2')
    const entry = page.locator('[id="attempt.2"]')
    await entry.getByText('attempt 2 at paystack').click()
    await entry.getByRole('group', { name: 'Raw JSON' }).getByText('"provider": "paystack"').waitFor()
    await page.getByRole('button', { name: /^Ledger/ }).click()
    await entry.waitFor({ state: 'detached' })
    await page.reload()
    await openTimeline(page)
    await entry.waitFor({ state: 'detached' })
    expect(await page.getByRole('group', { name: 'Actions' }).getByRole('button').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('leaves what is not possible visible, with the reason', async () => {
    const { page } = await s.openAs('org-admin', { path: `/payments/${doubtfulId}` })
    const refund = page.getByRole('button', { name: 'Refund' })
    await refund.focus()
    await page.getByRole('tooltip', { name: 'Only a completed payment' }).waitFor()
    await shoot(page, 'payment-reason')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByText('next at').waitFor()
    expect(await page.getByText(/^Failed/).count()).toBe(0)
  })

  it('refunds, and shows what the server refuses in the dialog', async () => {
    const { page } = await s.openAs('org-admin', { path: `/payments/${paidId}` })
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund this payment' })
    await dialog.getByLabel('Amount').fill('99999999')
    await dialog.getByLabel('Reason').fill('The goods came back.')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await dialog.getByRole('alert').getByText('Request id').waitFor()
    await shoot(page, 'payment-refund-refused')
    await dialog.getByLabel('Amount').fill('40.50')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Refunds' }).getByText('40.50').waitFor()
    expect((await s.t.owner.query('select from refunds where payment_id = $1', [paidId])).rowCount).toBe(1)
  })

  it('follows a webhook of the provider within seconds, without a reload', async () => {
    const paymentId = await start(cardPayin({ client_reference: 'INV-2042' }))
    const { page } = await s.openAs('staff', { path: `/payments/${paymentId}` })
    await openTimeline(page)
    await page.waitForTimeout(1_500)
    await s.t.simulator.settle({ all: true })
    await reached(paymentId, 'completed')
    const endedAt = performance.now()
    await page.getByText('Paid.').waitFor()
    expect(performance.now() - endedAt).toBeLessThan(5_000)
  })

  it('fits a phone', async () => {
    const { page } = await s.openAs('staff', {
      path: `/payments/${paidId}`,
      viewport: { width: 390, height: 844 },
    })
    await openTimeline(page)
    await shoot(page, 'payment-phone')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })
})
