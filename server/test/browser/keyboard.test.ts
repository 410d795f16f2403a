import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { hasBrowser } from './browser.ts'
import { useDashboard } from './test-dashboard.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  fundedPayments,
  type OrgPayments,
} from '../worlds/test-payments.ts'
import type { Account } from '../worlds/test-sign-in.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let staff: Account
let heldId: string

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  staff = await s.addAccount(org.orgId, 'staff')
  const beneficiary = await org.addBeneficiary(bankBeneficiary())
  const policies = [{ currency: 'NGN', payout_from: 1000 }]
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
  heldId = await org.start(
    bankPayout(beneficiary, { amount: 1500, target_amount: 1500, description: 'Invoice 7 of March' }),
  )
  await org.start(cardPayin({ client_reference: 'INV-2041' }))
}, 120_000)

/** Nobody wants to press a key more often than this. */
const mostTabs = 80
const patience = { timeout: defaultWaitMs }

const hasFocus = async (locator: Locator): Promise<boolean> =>
  (await locator.and(locator.page().locator(':focus')).count()) > 0

async function tabTo(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor()
  for (let count = 0; count < mostTabs; count++) {
    if (await hasFocus(locator)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(locator)} was not reached in ${mostTabs} steps`)
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** The pointer stays outside the page, and no step clicks. */
describe.skipIf(!hasBrowser)('the keyboard alone', () => {
  it('finds a payment, opens it and comes back to its list', async () => {
    const { page, troubles } = await s.openAs('staff', { account: staff })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await press(page, 'g', 'p')
    const heading = page.getByRole('heading', { name: 'Payments', level: 1 })
    await heading.waitFor()
    await expect.poll(() => hasFocus(heading), patience).toBe(true)
    await tabTo(page, page.getByRole('button', { name: 'Status: Any' }))
    await press(page, 'Enter')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await expect.poll(() => hasFocus(menu.getByRole('menuitemcheckbox').first()), patience).toBe(true)
    await press(page, 'ArrowDown', 'Space')
    await page.waitForURL(/payments\?status=\w+$/)
    await press(page, 'Escape')
    await menu.waitFor({ state: 'detached' })
    await expect
      .poll(() => hasFocus(page.getByRole('button', { name: /^Status: (?!Any)/ })), patience)
      .toBe(true)
    const filters = page.getByRole('search', { name: 'Filters' })
    await tabTo(page, filters.getByRole('button', { name: 'Clear filters' }))
    await press(page, 'Enter')
    await page.waitForURL('**/payments')
    await tabTo(page, page.getByRole('link', { name: 'INV-2041' }))
    await press(page, 'Enter')
    await page.waitForURL(/payments\/[\da-f-]{36}/)
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Payments', exact: true }))
    await press(page, 'Enter')
    await heading.waitFor()
    expect(troubles).toEqual([])
  })

  it('approves a payment in a dialog, and the focus returns to where it was', async () => {
    const { page, troubles } = await s.openAs('staff', { account: staff })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await press(page, 'g', 'a')
    await page.getByRole('link', { name: 'Invoice 7 of March' }).waitFor()
    await press(page, 'j', 'Enter')
    await page.waitForURL(`**/approvals/payments/${heldId}`)
    const approve = page.getByRole('main').getByRole('button', { name: 'Approve', exact: true })
    await tabTo(page, approve)
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await expect.poll(() => hasFocus(dialog.getByRole('button', { name: 'Cancel' })), patience).toBe(true)
    await press(page, 'Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(approve), patience).toBe(true)
    await press(page, 'Enter')
    await tabTo(page, dialog.getByRole('button', { name: 'Approve', exact: true }))
    await press(page, 'Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('approved it').waitFor()
    expect((await org.record(heldId)).status).toBe('reviewed')
    expect(troubles).toEqual([])
  })

  it('stays within a dialog until it is closed', async () => {
    const { page } = await s.openAs('staff', { account: staff, path: '/beneficiaries' })
    const add = page
      .getByRole('main')
      .getByRole('button')
      .filter({ hasText: /beneficiary/i })
      .first()
    await tabTo(page, add)
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const isInside = async (): Promise<boolean> => (await dialog.locator(':focus').count()) > 0
    await expect.poll(isInside, patience).toBe(true)
    for (let count = 0; count < 20; count++) {
      await press(page, 'Tab')
      // The browser has guards at the edges, which pass the focus on.
      await expect.poll(isInside, patience).toBe(true)
    }
    await press(page, 'Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(add), patience).toBe(true)
  })
})
