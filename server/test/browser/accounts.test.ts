import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import type { Permission, Role } from '../../src/lib/requests/access.ts'
import { hasBrowser } from './browser.ts'
import { accountsOf, postToSimulator } from '../worlds/test-accounts.ts'
import { memberOf } from '../app/test-app.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { addEscrow, giveFeature, percent, type TestEscrow } from '../worlds/test-escrow.ts'
import { bankTransferPayin, fundedPayments } from '../worlds/test-payments.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
let escrow: TestEscrow
let orgId: string

beforeAll(async () => {
  if (!hasBrowser) return
  const { user_id } = memberOf(s.t.seed.orgs[0], 'org-admin')
  const org = await accountsOf(s.t, await fundedPayments(s.t), user_id)
  orgId = org.orgId
  await giveFeature(s.t, orgId)
  escrow = await addEscrow(org, await org.funded(1_000_000))
}, 120_000)

const open = (role: Role, path: string, options: object = {}) => s.openAs(role, { orgId, path, ...options })
const dialogOf = (page: Page) => page.getByRole('dialog')
const closed = (page: Page): Promise<void> => dialogOf(page).waitFor({ state: 'detached' })

const screens = [
  { path: '/balances', api: '/balances', title: 'Balances', permission: 'payments:read' },
  { path: '/balances/ledger', api: '/v1/ledger/transfers', title: 'Ledger', permission: 'ledger:read' },
  {
    path: '/balances/adjustments',
    api: '/v1/ledger/adjustments',
    title: 'Adjustments',
    permission: 'ledger:read',
  },
  {
    path: '/virtual-accounts',
    api: '/v1/virtual-accounts',
    title: 'Virtual accounts',
    permission: 'virtual-accounts:read',
  },
  { path: '/escrows', api: '/v1/virtual-accounts/escrow', title: 'Escrow', permission: 'escrow:read' },
  {
    path: '/verification-requests',
    api: '/verification-requests',
    title: 'Verification requests',
    permission: 'payments:read',
  },
] as const

describe.skipIf(!hasBrowser)('every list about money', () => {
  it('says that it is empty, with what it will hold', async () => {
    const otherId = s.t.seed.orgs[1]?.org_id ?? ''
    await s.t.owner.query(`update organizations set features = '{}' where org_id = $1`, [otherId])
    const { page, troubles } = await s.openAs('viewer', { orgId: otherId })
    for (const [path, text] of [
      ['/balances/adjustments', 'No adjustments'],
      ['/virtual-accounts', 'No virtual accounts yet'],
      ['/verification-requests', 'No numbers have been requested yet'],
    ]) {
      await page.goto(`${s.t.url}/dashboard${path}`)
      await page.getByText(text ?? '').waitFor()
    }
    await shoot(page, 'verification-requests-empty')
    expect(
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Escrow' }).count(),
    ).toBe(0)
    expect(troubles).toEqual([])
  })

  it('names the permission that is missing', async () => {
    const { page, account } = await open('viewer', '')
    const revoked: Permission[] = [...new Set(screens.map(({ permission }) => permission))]
    const path = `/v1/organizations/${orgId}/members/${account.userId}/permissions`
    const { status } = await escrow.org.call('DELETE', path, { permissions: revoked })
    expect(status).toBe(200)
    for (const screen of screens) {
      await page.goto(`${s.t.url}/dashboard${screen.path}`)
      await page.getByText('You do not have access to this.').waitFor()
    }
    await shoot(page, 'virtual-accounts-refused')
  })

  it('says that it failed, and tries again', async () => {
    const { page } = await open('org-admin', '')
    for (const { path, api, title } of screens) {
      const failing = (url: URL): boolean => url.pathname.startsWith('/v1/') && url.pathname.includes(api)
      await page.route(failing, (route) =>
        route.fulfill({
          status: 500,
          json: { code: 'INTERNAL_ERROR', message: 'The server failed.', request_id: 'r-1' },
        }),
      )
      await page.goto(`${s.t.url}/dashboard${path}`)
      await page.getByText('This could not be loaded.').waitFor()
      await page.getByText('The server failed.').waitFor()
      await page.unroute(failing)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('This could not be loaded.').waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      expect(await page.getByText('This could not be loaded.').count()).toBe(0)
    }
  })
})

describe.skipIf(!hasBrowser)('balances and ledger', () => {
  it('lead from a balance to its movements, and from a movement to its payment', async () => {
    const id = await escrow.org.start(bankTransferPayin())
    await expect
      .poll(async () => (await escrow.org.record(id)).status, { timeout: defaultWaitMs })
      .toBe('completed')
    const { page, troubles } = await open('viewer', '/balances')
    await page.getByRole('table', { name: 'Balances' }).waitFor()
    await shoot(page, 'balances')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Show the movements of NGN, Pooled' }).click()
    await page.waitForURL('**/balances/ledger?currency=NGN&custody=pooled')
    await page
      .getByRole('link', { name: `Payment ${id.slice(0, 8)}` })
      .first()
      .waitFor()
    await shoot(page, 'ledger')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('combobox', { name: /^Account/ }).selectOption('fees')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page
      .getByRole('link', { name: `Payment ${id.slice(0, 8)}` })
      .first()
      .click()
    await page.waitForURL(`**/payments/${id}`)
    expect(troubles).toEqual([])
  })

  it('take a proposal for an adjustment, which waits for a second person', async () => {
    const { page } = await open('org-admin', '/balances/adjustments')
    await page.getByRole('button', { name: 'Propose an adjustment' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('From account').fill('available')
    await dialog.getByLabel('To account').fill('fees')
    await dialog.getByLabel('Amount').fill('12.50')
    await dialog.getByLabel('Currency').fill('NGN')
    await dialog.getByLabel('Reason').fill('The statement of March shows a bank charge.')
    await shoot(page, 'adjustment-dialog')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await closed(page)
    await page.getByText('A second person has to approve it.').waitFor()
    const { body } = await escrow.org.call('GET', `/v1/organizations/${orgId}/change-requests?status=pending`)
    expect(body.data).toMatchObject([{ kind: 'ledger.adjust' }])
  })
})

describe.skipIf(!hasBrowser)('virtual accounts', () => {
  it('one is opened, shows a deposit without a reload, and its statement is exported', async () => {
    const { page, troubles } = await open('staff', '/virtual-accounts')
    await page.getByRole('button', { name: 'Open an account' }).click()
    await dialogOf(page).getByLabel('Currency').fill('ngn')
    await dialogOf(page).getByLabel('Customer ID').fill('customer-7')
    await dialogOf(page).getByRole('button', { name: 'Open the account' }).click()
    await page.waitForURL(/virtual-accounts\/[\da-f-]{36}/)
    await page.getByText('No transactions yet').waitFor()
    const account = await escrow.org.account(page.url().slice(-36))
    await postToSimulator(s.t, '/paystack/_bank/deposit', {
      account_number: account.bank_details.account_number,
      amount: 250_050,
    })
    const table = page.getByRole('table', { name: 'Transactions' })
    await table.getByText('2,500.50').first().waitFor()
    await shoot(page, 'virtual-account')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('tab', { name: 'Statement' }).click()
    await page.getByText('Closing balance').waitFor()
    await shoot(page, 'virtual-account-statement')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('2500.5')
    expect(troubles).toEqual([])
  })

  it('money is transferred, and a frozen account says why nothing can be taken out', async () => {
    const [from, to] = [await escrow.org.funded(90_000), await escrow.org.open({ customer_id: 'customer-8' })]
    const { page } = await open('staff', `/virtual-accounts/${from.account_id}`)
    await page.getByRole('button', { name: 'Transfer' }).click()
    const dialog = dialogOf(page)
    await dialog.locator(`option[value="${to.account_id}"]`).waitFor({ state: 'attached' })
    await dialog.getByLabel('To account').selectOption(to.account_id)
    await dialog.getByLabel('Amount').fill('100.25')
    await dialog.getByRole('button', { name: 'Transfer' }).click()
    await closed(page)
    await page.getByRole('table', { name: 'Transactions' }).getByText('100.25').waitFor()
    expect((await escrow.org.account(to.account_id)).balance).toBe(100.25)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await dialog.getByRole('button', { name: 'Freeze' }).click()
    await closed(page)
    await page.getByText('Frozen').first().waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).focus()
    await page.getByRole('tooltip', { name: 'The account is frozen.' }).waitFor()
    await page.getByRole('button', { name: 'Unfreeze' }).click()
    await dialog.getByRole('button', { name: 'Unfreeze' }).click()
    await closed(page)
    expect((await escrow.org.account(from.account_id)).status).toBe('active')
  })

  it('a withdrawal holds the amount until the payout completes', async () => {
    const account = await escrow.org.funded(90_000)
    const { page } = await open('staff', `/virtual-accounts/${account.account_id}`)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const dialog = dialogOf(page)
    const value = escrow.org.beneficiaryId
    await dialog.locator(`option[value="${value}"]`).waitFor({ state: 'attached' })
    await dialog.getByLabel('Beneficiary').selectOption(value)
    await dialog.getByLabel('Amount').fill('40')
    await shoot(page, 'virtual-account-withdraw')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await closed(page)
    await page.getByRole('table', { name: 'Transactions' }).getByText('40.00').first().waitFor()
  })
})

describe.skipIf(!hasBrowser)('escrow', () => {
  it('a milestone is added, funded, submitted, approved and paid', async () => {
    const account = await escrow.org.open({ customer_id: 'builder' })
    const { page, troubles } = await open('org-admin', '/escrows')
    await page.getByRole('link', { name: 'Warehouse' }).waitFor()
    await shoot(page, 'escrows')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByText('No milestones yet').waitFor()
    await shoot(page, 'escrow-empty')
    const dialog = dialogOf(page)
    await page.getByRole('button', { name: 'Add a party' }).click()
    await dialog.getByLabel('Name').fill('Ade Builders')
    await dialog.getByLabel('Paid').selectOption('account')
    await dialog.locator(`option[value="${account.account_id}"]`).waitFor({ state: 'attached' })
    await dialog.getByLabel('Virtual account').selectOption(account.account_id)
    await dialog.getByRole('button', { name: 'Add' }).click()
    await closed(page)
    await page.getByText('Into a virtual account').waitFor()
    await page.getByRole('button', { name: 'Add a milestone' }).click()
    await dialog.getByLabel('Name').fill('Foundations')
    await dialog.getByLabel('Amount to release').fill('1500.25')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('region', { name: '1. Foundations' }).waitFor()
    await page.getByRole('button', { name: 'Set the shares of Foundations' }).click()
    await dialog.getByLabel('Share of Ade Builders').fill('100')
    await dialog.getByRole('button', { name: 'Set the shares' }).click()
    await closed(page)
    await page.getByRole('button', { name: 'Fund', exact: true }).click()
    await dialog.locator(`option[value="${escrow.fundingAccount.account_id}"]`).waitFor({ state: 'attached' })
    await dialog.getByLabel('From account').selectOption(escrow.fundingAccount.account_id)
    await dialog.getByLabel('Amount').fill('1500.25')
    await dialog.getByRole('button', { name: 'Fund' }).click()
    await closed(page)
    await page.getByRole('button', { name: 'Submit the contract of Foundations' }).click()
    await dialog.getByLabel('Contract reference').fill('C-17')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Contract submitted').waitFor()
    await shoot(page, 'escrow')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve Foundations' }).click()
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'Pay the parties of Foundations' }).click()
    await dialog.getByRole('button', { name: 'Pay' }).click()
    await page
      .getByRole('region', { name: '1. Foundations' })
      .getByText('Paid', { exact: true })
      .first()
      .waitFor()
    await shoot(page, 'escrow-paid')
    expect((await escrow.org.account(account.account_id)).balance).toBe(1500.25)
    expect(troubles).toEqual([])
  })

  it('a viewer reads it and has no buttons, in dark too', async () => {
    const party = await escrow.accountParty()
    await escrow.milestone(500, [percent(party, 100)], { label: 'Walls', due_date: '2027-03-31' })
    const { page } = await open('viewer', `/escrows/${escrow.escrowId}`)
    await page.getByRole('heading', { name: /Walls/ }).waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    await shoot(page, 'escrow-viewer')
    expect(await violationsOf(page)).toEqual([])
  })
})
