import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import {
  bankBeneficiary,
  bankPayout,
  fundedPayments,
  kenyanPayin,
  mobileMoneyPayin,
  untilSettled,
  type OrgPayments,
} from '../worlds/test-payments.ts'
import { until } from '../app/test-relay.ts'
import type { Account } from '../worlds/test-sign-in.ts'

const s = useDashboard({ hasWorker: true, delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let paidId: string
let doubtfulId: string
let org: OrgPayments
let beneficiary: string
let admin: Account
let staff: Account

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
  org = await fundedPayments(s.t)
  beneficiary = await org.addBeneficiary(bankBeneficiary())
  // Before the policy, with which another administrator has to approve new members.
  admin = await s.addAccount(s.orgId, 'org-admin')
  staff = await s.addAccount(s.orgId, 'staff')
})

describe.skipIf(!hasBrowser)('the screen of a payment', () => {
  it('is reached by keyboard from the list, and says who took the payment', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/payments' })
    await page.getByRole('link', { name: 'LOAN-77' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/payments/${paidId}`)
    await page.getByText('Paystack processed it on the second attempt. pawaPay had declined.').waitFor()
    expect(troubles).toEqual([])
  })

  it('has no violation of accessibility, light and dark', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: `/payments/${paidId}` })
    await openTimeline(page)
    await shoot(page, 'payment')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByRole('dialog', { name: 'Refund this payment' }).waitFor()
    await shoot(page, 'payment-refund')
    expect(await violationsOf(page)).toEqual([])
    await page.goto(`${s.t.url}/dashboard/payments/${doubtfulId}`)
    await page.getByText('The outcome is not known yet.').waitFor()
    await shoot(page, 'payment-doubt')
    expect(await violationsOf(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('links each mark of the lanes with its entry, which has an address and its JSON', async () => {
    const { page, troubles } = await s.openAs('viewer', { path: `/payments/${paidId}` })
    await openTimeline(page)
    const mark = page.locator('svg').getByRole('link', { name: /^Attempt 2 at Paystack/ })
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
    await dialog.getByRole('alert').getByText('Request ID').waitFor()
    await shoot(page, 'payment-refund-refused')
    await dialog.getByLabel('Amount').fill('40.50')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Refunds' }).getByText('40.50').waitFor()
    expect((await s.t.owner.query('select from refunds where payment_id = $1', [paidId])).rowCount).toBe(1)
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

describe.skipIf(!hasBrowser)('the actions of a payment', () => {
  it('cancels, and resends events', async () => {
    const id = await org.start(bankPayout(beneficiary, { client_reference: 'PAY-3010' }))
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
      policies: [{ currency: 'NGN', payout_from: 1000 }],
    })
    const held = await org.start(bankPayout(beneficiary, { client_reference: 'PAY-3011' }))
    const { page, troubles } = await s.openAs('org-admin', { account: admin, path: `/payments/${held}` })
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel/ })
      .last()
      .click()
    await page.getByText('Canceled. No money moved.').waitFor()
    expect((await org.record(held)).status).toBe('canceled')
    await page.goto(`${s.t.url}/dashboard/payments/${id}`)
    await page.getByRole('button', { name: 'Resend events' }).click()
    await shoot(page, 'payment-resend')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Resend/ })
      .click()
    await page.getByText('No endpoint subscribes to these events.').waitFor()
    expect(troubles).toEqual([])
  })

  it('rejects with a comment, and approves', async () => {
    const [rejected, approved] = [
      await org.start(bankPayout(beneficiary, { client_reference: 'PAY-3012' })),
      await org.start(bankPayout(beneficiary, { client_reference: 'PAY-3013' })),
    ]
    const { page } = await s.openAs('org-admin', { account: admin, path: `/payments/${rejected}` })
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('The invoice is not ours.')
    await shoot(page, 'payment-reject')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rejected. Nothing was sent.').waitFor()
    await page.goto(`${s.t.url}/dashboard/payments/${approved}`)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Waiting for the second approval').waitFor()
    expect((await org.record(rejected)).status).toBe('rejected')
    expect((await org.record(approved)).status).toBe('reviewed')
  })

  it('exports the filtered list as a file', async () => {
    await org.start(kenyanPayin({ client_reference: 'CSV-1' }))
    await org.start(mobileMoneyPayin({ client_reference: 'CSV-2' }))
    const { page } = await s.openAs('staff', { account: staff, path: '/payments?currency=KES' })
    await page.getByRole('link', { name: 'CSV-1' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/)
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toContain('CSV-1')
    expect(csv).not.toContain('CSV-2')
  })

  it('keeps the filters in one row at 1280 pixels', async () => {
    const { page } = await s.openAs('staff', {
      account: staff,
      path: '/payments?direction=inbound&method=mobile_money',
    })
    const clear = page.getByRole('button', { name: 'Clear filters' })
    const [first, last] = [await page.getByLabel('Method').boundingBox(), await clear.boundingBox()]
    await shoot(page, 'payments-filtered')
    expect(last?.y).toBeLessThan((first?.y ?? 0) + (first?.height ?? 0))
  })
})
