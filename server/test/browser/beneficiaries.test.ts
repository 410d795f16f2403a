import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { bankBeneficiary, fundedPayments } from '../worlds/test-payments.ts'
import type { Account } from '../worlds/test-sign-in.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })
let staff: Account
let payee: string

beforeAll(async () => {
  if (!hasBrowser) return
  const org = await fundedPayments(s.t)
  staff = await s.addAccount(org.orgId, 'staff')
  payee = await org.addBeneficiary(bankBeneficiary())
}, 120_000)

const open = (account: Account, path: string, options: object = {}) =>
  s.openAs('staff', { account, path, ...options })

describe.skipIf(!hasBrowser)('beneficiaries', () => {
  it('are created, shown masked, revealed, changed and deleted', async () => {
    const { page, troubles } = await open(staff, '/beneficiaries')
    await page.getByRole('link', { name: 'Ngozi Eze' }).waitFor()
    await shoot(page, 'beneficiaries')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'New beneficiary' }).click()
    const dialog = page.getByRole('dialog', { name: 'New beneficiary' })
    await dialog.getByLabel('First name').fill('Amaka')
    await dialog.getByLabel('Last name').fill('Obi')
    await dialog.getByLabel('Country').fill('ng')
    await dialog.getByLabel('Currency').fill('ngn')
    await dialog.getByLabel('Account number').fill('0690000049')
    await dialog.getByLabel('Bank code').fill('044')
    await dialog.getByLabel('Bank', { exact: true }).fill('Access Bank')
    await shoot(page, 'beneficiary-new')
    await dialog.getByRole('button', { name: 'Create the beneficiary' }).click()
    await page.getByRole('heading', { name: 'Amaka Obi' }).waitFor()
    await page.getByText('******0049').waitFor()
    expect(await page.getByText('0690000049').count()).toBe(0)
    await page.getByRole('button', { name: 'Show the numbers' }).click()
    await page.getByText('0690000049').waitFor()
    await shoot(page, 'beneficiary')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Change the account' }).click()
    await page.getByLabel('Account number').fill('0690000049')
    await page.getByLabel('Bank code').fill('044')
    await page.getByLabel('Bank', { exact: true }).fill('Access Bank Plc')
    await page.getByRole('dialog').getByRole('button', { name: 'Change the account' }).click()
    await page.getByText('Access Bank Plc').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Beneficiaries' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Amaka Obi' }).count()).toBe(0)
    expect(troubles).toEqual([])
  }, 60_000)

  it('hide their numbers from a viewer, who can change nothing', async () => {
    const { page } = await s.openAs('viewer', { path: `/beneficiaries/${payee}` })
    await page.getByText('******0049').waitFor()
    await shoot(page, 'beneficiary')
    expect(await page.getByRole('button', { name: 'Show the numbers' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('payment links', () => {
  it('are created, copied and withdrawn', async () => {
    const { page, troubles } = await open(staff, '/payment-links')
    await page.getByText('No payment links yet').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'New link' }).click()
    const dialog = page.getByRole('dialog', { name: 'New payment link' })
    await dialog.getByLabel('Amount').fill('129.50')
    await dialog.getByLabel('Currency').fill('gbp')
    await dialog.getByLabel('Country of the payer').fill('gb')
    await dialog.getByLabel('What it is for').fill('Order 2004')
    await dialog.getByRole('button', { name: 'Create the link' }).click()
    await page.getByRole('cell', { name: 'Order 2004', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Copy URL Order 2004' }).waitFor()
    await shoot(page, 'payment-links')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('cell', { name: 'Withdrawn' }).waitFor()
    expect(await page.getByRole('button', { name: 'Copy URL Order 2004' }).count()).toBe(0)
    expect(troubles).toEqual([])
  }, 60_000)

  it('name the permission that a viewer lacks', async () => {
    const { page } = await s.openAs('viewer', { path: '/payment-links' })
    await page.getByText('payment-links:read').waitFor()
    expect(await page.getByRole('link', { name: 'Payment links' }).count()).toBe(0)
  })
})
