import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { fillPayin, kenyan, panel, preview, send } from '../worlds/fill-payment.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { bankBeneficiary, fundedPayments, untilSettled, type OrgPayments } from '../worlds/test-payments.ts'
import { until } from '../app/test-relay.ts'

const s = useDashboard({ hasWorker: true, delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
const initiateRoute = '**/v1/payments-init/initiate'
/** As text, because the page has a document and this process has none. */
const focusedName = `document.activeElement.getAttribute('name') ?? document.activeElement.textContent`
const previewRoute = '**/v1/payments-init/preview'
let org: OrgPayments
let beneficiary: string

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  beneficiary = await org.addBeneficiary(bankBeneficiary())
}, 120_000)

async function countPayments(reference: string): Promise<number> {
  const { body } = await org.call('GET', `/v1/transactions?q=${reference}`)
  return body.data.length
}

async function fillPayout(page: Page, amount: string, reference: string): Promise<void> {
  await page.getByLabel('Type of payment').selectOption('payout')
  await page
    .getByLabel('Beneficiary')
    .locator(`option[value="${beneficiary}"]`)
    .waitFor({ state: 'attached' })
  await page.getByLabel('Beneficiary').selectOption(beneficiary)
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Your reference').fill(reference)
}

describe.skipIf(!hasBrowser)('a new payment', () => {
  it('is previewed and started, and goes to the second provider when the first declines', async () => {
    s.t.simulator.setFaults('pawapay', [{ on: 'collect', fault: 'decline' }])
    const { page, troubles } = await s.openAs('staff', { path: '/payments' })
    await page.getByRole('link', { name: 'New payment' }).click()
    await fillPayin(page, kenyan)
    await preview(page)
    const route = panel(page).getByRole('listitem')
    await route.first().waitFor()
    expect(await route.allTextContents()).toMatchObject([/^pawaPay/, /^Paystack/])
    expect(await countPayments(kenyan.reference)).toBe(0)
    await shoot(page, 'new-payment')
    expect(await violationsOf(page)).toEqual([])
    await send(page, 'Start the payment')
    await s.t.simulator.settle({ all: true })
    await page.getByText('Paystack processed it on the second attempt. pawaPay had declined.').waitFor()
    const timeline = page.getByRole('list', { name: 'What happened, in order' })
    await timeline.getByText('attempt 2 at paystack').waitFor()
    expect(troubles).toEqual([])
  })

  it('asks for the one-time password, says that one was wrong, and completes with the right one', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/payments/new' })
    await fillPayin(page, {
      country: 'GH',
      currency: 'GHS',
      amount: '10.15',
      network: 'MTN',
      phone: '233241234567',
      reference: 'INV-3002',
    })
    await preview(page)
    await send(page, 'Start the payment')
    const step = page.getByRole('region', { name: 'The payer received a one-time password' })
    await step.getByLabel('One-time password').fill('999999')
    await shoot(page, 'payment-otp')
    expect(await violationsOf(page)).toEqual([])
    await step.getByRole('button', { name: 'Submit the password' }).click()
    await step
      .getByText(/wrong|incorrect|invalid|not correct|again/i)
      .first()
      .waitFor()
    await page.reload()
    await step.getByLabel('One-time password').fill('123456')
    await page.keyboard.press('Enter')
    await step.waitFor({ state: 'detached' })
    await s.t.simulator.settle({ all: true })
    await page.getByText('Paid.').waitFor()
    expect(troubles).toEqual([])
  })

  it('gives the payer the account for a bank transfer', async () => {
    const { page } = await s.openAs('staff', { path: '/payments/new' })
    await page.getByLabel('Amount').fill('1500.25')
    await page.getByLabel('Currency').fill('ngn')
    await page.getByLabel('Country').fill('ng')
    await page.getByLabel('Method').selectOption('bank_transfer')
    await page.getByLabel('Account number').fill('0690000031')
    await page.getByLabel('Account holder').fill('Tunde Bello')
    const bank = page.getByRole('combobox', { name: 'Bank' })
    await bank.waitFor()
    // Codes look like numbers, and none of them may be chosen by accident.
    expect(await bank.inputValue()).toBe('')
    await bank.selectOption({ index: 1 })
    await page.getByLabel('Email').fill('tunde@example.com')
    await preview(page)
    await send(page, 'Start the payment')
    const step = page.getByRole('region', { name: 'The payer transfers the money' })
    await step.getByText('PAYSTACK CHECKOUT').waitFor()
    await step.getByText('1,500.25 NGN').waitFor()
    await shoot(page, 'payment-bank-transfer')
  })

  it('is paid out once, although the button is clicked twice', async () => {
    const { page, troubles } = await s.openAs('staff', { path: `/beneficiaries/${beneficiary}` })
    await page.getByRole('link', { name: 'Pay out' }).click()
    await page.getByLabel('Amount').fill('250.50')
    await page.getByLabel('Your reference').fill('PAY-3003')
    await preview(page)
    await panel(page).getByText('Needed', { exact: true }).waitFor()
    await shoot(page, 'new-payout')
    await panel(page).getByRole('button', { name: 'Pay out' }).click()
    await page.getByRole('dialog').getByText('cannot be taken back.').waitFor()
    await shoot(page, 'new-payout-confirm')
    // The cursor is on Cancel, so that no single key sends money.
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await countPayments('PAY-3003')).toBe(0)
    await panel(page).getByRole('button', { name: 'Pay out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay out' }).dblclick()
    await page.waitForURL(/payments\/[\da-f-]{36}/)
    expect(await countPayments('PAY-3003')).toBe(1)
    expect(troubles).toEqual([])
  })

  it('is made once, although the answer was lost and the person sends it again', async () => {
    const { page } = await s.openAs('staff', { path: '/payments/new' })
    await fillPayout(page, '75', 'PAY-3004')
    await preview(page)
    const lose = async (route: Route): Promise<void> => {
      await route.fetch()
      await route.abort()
    }
    await page.route(initiateRoute, lose)
    await panel(page).getByRole('button', { name: 'Pay out' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Pay out' }).click()
    await dialog.getByText('we do not know whether this was carried out').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('We do not know whether this payment was made').waitFor()
    expect(await page.getByLabel('Amount').isDisabled()).toBe(true)
    await shoot(page, 'new-payment-doubt')
    expect(await violationsOf(page)).toEqual([])
    await page.unroute(initiateRoute, lose)
    await page.getByRole('button', { name: 'Send it again' }).click()
    await dialog.getByRole('button', { name: 'Pay out' }).click()
    await page.waitForURL(/payments\/[\da-f-]{36}/)
    expect(await countPayments('PAY-3004')).toBe(1)
  })

  it('shows the locked rate where the currencies differ, and what the balance does not cover', async () => {
    const { page } = await s.openAs('staff', { path: '/payments/new' })
    await fillPayout(page, '12.34', 'PAY-3005')
    await page.getByLabel('Paid from').fill('USD')
    await preview(page)
    await panel(page).getByText('Locked until').waitFor()
    await panel(page).getByText('Arrives as').waitFor()
    await shoot(page, 'new-payment-rate')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Paid from').fill('NGN')
    await panel(page).getByText('It sends nothing').waitFor()
    await page.getByLabel('Amount').fill('99999999999999')
    await preview(page)
    await panel(page).getByText('This payment cannot be sent as it is').waitFor()
    await panel(page).getByRole('button', { name: 'Pay out' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await shoot(page, 'new-payment-problem')
  })

  it('is filled in, previewed and sent by keyboard alone', async () => {
    const { page } = await s.openAs('staff')
    await page.keyboard.press('g')
    await page.keyboard.press('1')
    await page.getByRole('heading', { name: 'New payment' }).waitFor()
    const focused = (): Promise<string> => page.evaluate(focusedName)
    const tabTo = async (name: string): Promise<void> => {
      for (let count = 0; count < 60 && (await focused()) !== name; count++) await page.keyboard.press('Tab')
      expect(await focused()).toBe(name)
    }
    await tabTo('direction')
    await page.keyboard.press('ArrowDown')
    await page
      .getByLabel('Beneficiary')
      .locator(`option[value="${beneficiary}"]`)
      .waitFor({ state: 'attached' })
    await tabTo('beneficiary_id')
    await page.keyboard.press('ArrowDown')
    await tabTo('amount')
    await page.keyboard.type('31')
    await tabTo('client_reference')
    await page.keyboard.type('PAY-3006')
    await page.keyboard.press('Enter')
    await panel(page).getByText('Needed', { exact: true }).waitFor()
    await tabTo('Pay out')
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Pay out' })
    await confirm.waitFor()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Pay out')
    await page.keyboard.press('Enter')
    await page.waitForURL(/payments\/[\da-f-]{36}/)
    expect(await countPayments('PAY-3006')).toBe(1)
  })

  it('shows refused fields and failures beside the form, and refuses a viewer', async () => {
    const { page } = await s.openAs('staff', { path: '/payments/new' })
    await fillPayin(page, { ...kenyan, amount: '100.123' })
    await preview(page)
    await page.getByText('has more decimals than KES has').first().waitFor()
    await page.route(previewRoute, (route) =>
      route.fulfill({
        status: 500,
        json: { code: 'INTERNAL_ERROR', message: 'The server failed.', request_id: 'r-1' },
      }),
    )
    await page.getByLabel('Amount').fill('100')
    await preview(page)
    await page.getByRole('alert').getByText('The server failed.').waitFor()
    await shoot(page, 'new-payment-failed')
    const viewer = await s.openAs('viewer', { path: '/payments/new' })
    await viewer.page.getByText('You do not have access to this.').waitFor()
    await viewer.page.getByText('payments:write').waitFor()
    await viewer.page.goto(`${s.t.url}/dashboard/payments`)
    await viewer.page.getByRole('heading', { name: 'Payments', exact: true }).waitFor()
    expect(await viewer.page.getByRole('link', { name: 'New payment' }).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('a new ramp', () => {
  it('is quoted and started, and tells the customer where to transfer the money', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/payments' })
    await page.getByRole('link', { name: 'New ramp' }).click()
    await page.getByLabel('Amount').fill('153025')
    await page.getByLabel('Currency').fill('NGN')
    await page.getByLabel('Country').fill('NG')
    await page.getByLabel('Wallet address').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
    await page.getByLabel('They pay by').selectOption('bank_transfer')
    await page.getByRole('button', { name: 'Get the rate' }).click()
    await page.getByText('The customer pays', { exact: true }).waitFor()
    await shoot(page, 'new-ramp')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Start the ramp' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start the ramp' }).click()
    await page.waitForURL(/payments\/[\da-f-]{36}/)
    await page
      .getByRole('region', { name: 'The customer makes the transfer' })
      .getByText('Account number')
      .waitFor()
    await shoot(page, 'ramp-started')
    const id = page.url().slice(-36)
    await until('the ramp to complete', async () => {
      await s.t.simulator.settle({ all: true })
      return (await org.record(id)).status === 'completed'
    })
    await page.getByText('Exchanged.').waitFor()
    expect(troubles).toEqual([])
  })

  it('shows what the server refuses at the field', async () => {
    const { page } = await s.openAs('staff', { path: '/payments/new-ramp' })
    await page.getByLabel('Direction').selectOption('off_ramp')
    await page.getByLabel('Direction').selectOption('on_ramp')
    await page.getByLabel('Amount').fill('153025')
    await page.getByLabel('Currency').fill('NGN')
    await page.getByLabel('Country').fill('NG')
    await page.getByLabel('Wallet address').fill('0x1234')
    await page.getByLabel('They pay by').selectOption('bank_transfer')
    await page.getByRole('button', { name: 'Get the rate' }).click()
    await page.getByRole('button', { name: 'Start the ramp' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Start the ramp' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('is not an address of BASE').first().waitFor()
    await shoot(page, 'new-ramp-refused')
    expect(await violationsOf(page)).toEqual([])
  })
})
