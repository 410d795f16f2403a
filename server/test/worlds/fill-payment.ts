import type { Locator, Page } from 'playwright-core'

/** What is typed into the form of a new payment, for a payer with mobile money. */
interface Payin {
  country: string
  currency: string
  amount: string
  network: string
  phone: string
  reference: string
}

/** For a country with two providers: pawapay first, then paystack. */
export const kenyan: Payin = {
  country: 'KE',
  currency: 'KES',
  amount: '100',
  network: 'MPESA',
  phone: '254708663158',
  reference: 'INV-3001',
}

export async function fillPayin(page: Page, payin: Payin): Promise<void> {
  await page.getByLabel('Amount').fill(payin.amount)
  await page.getByLabel('Currency').fill(payin.currency)
  await page.getByLabel('Country').fill(payin.country)
  const network = page.getByLabel('Network')
  await network.locator(`option[value="${payin.network}"]`).waitFor({ state: 'attached' })
  await network.selectOption(payin.network)
  await page.getByLabel('Phone number of the account').fill(payin.phone)
  await page.getByLabel('Name').fill('Grace Wanjiru')
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByLabel('Your reference').fill(payin.reference)
}

export const preview = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Preview', exact: true }).click()
export const panel = (page: Page): Locator => page.getByRole('region', { name: 'Preview' })

/** From the preview through the confirmation to the page of the payment. */
export async function send(page: Page, label: string): Promise<void> {
  await panel(page).getByRole('button', { name: label }).click()
  await page.getByRole('dialog').getByRole('button', { name: label }).click()
  await page.waitForURL(/payments\/[\da-f-]{36}/)
}
