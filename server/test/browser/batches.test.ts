import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { bankBeneficiary, fundedPayments, type OrgPayments } from '../worlds/test-payments.ts'
import type { Account } from '../worlds/test-sign-in.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let staff: Account
let colleague: Account
let admin: Account
let payee: string

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  staff = await s.addAccount(org.orgId, 'staff')
  colleague = await s.addAccount(org.orgId, 'staff')
  admin = await s.addAccount(org.orgId, 'org-admin')
  payee = await org.addBeneficiary(bankBeneficiary())
  const policies = [{ currency: 'NGN', payout_from: 3000 }]
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
}, 120_000)

const header = 'client_reference,beneficiary_id,amount,currency,description'
const csvFile = (rows: readonly string[]) => ({
  name: 'salaries.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([header, ...rows].join('\n')),
})
const open = (account: Account, path: string, options: object = {}) =>
  s.openAs('staff', { account, path, ...options })

describe.skipIf(!hasBrowser)('bulk payouts', () => {
  it('go from a file with errors to results, approved by another person', async () => {
    const { page, troubles } = await open(staff, '/payout-batches')
    await page.getByText('No batches yet').waitFor()
    await shoot(page, 'payout-batches-empty')
    await page.getByRole('link', { name: 'New batch' }).click()
    const file = page.getByLabel('CSV file')
    await file.setInputFiles(
      csvFile([
        `salary-1,${payee},1500.00,NGN,March`,
        `salary-1,${payee},1.005,NGN,March`,
        `salary-3,${payee},900,GBP,March`,
      ]),
    )
    await page.getByRole('heading', { name: '3 errors in 3 rows' }).waitFor()
    await page.getByText('client_reference is also in row 1.').waitFor()
    const submit = page.getByRole('button', { name: 'Create the batch' })
    expect(await submit.isDisabled()).toBe(true)
    await shoot(page, 'payout-batch-errors')
    expect(await violationsOf(page)).toEqual([])
    await file.setInputFiles(
      csvFile([`salary-1,${payee},1500.00,NGN,March`, `salary-2,${payee},2000.50,NGN,March`]),
    )
    await page.getByRole('heading', { name: 'All 2 rows can be paid' }).waitFor()
    await shoot(page, 'payout-batch-checked')
    await submit.click()
    const dialog = page.getByRole('dialog', { name: 'Create this batch?' })
    await dialog.getByText('3,500.50').waitFor()
    await shoot(page, 'payout-batch-confirm')
    await dialog.getByRole('button', { name: 'Create the batch' }).click()
    await page.getByText('You created this batch, so someone else has to decide on it.').waitFor()
    await shoot(page, 'payout-batch-waiting')
    const batchPath = new URL(page.url()).pathname.replace('/dashboard', '')

    const approve = async (by: Account) => {
      const opened = await open(by, batchPath)
      await opened.page.getByRole('button', { name: 'Approve', exact: true }).click()
      await opened.page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
      return opened
    }
    const first = await approve(colleague)
    await first.page.getByText('Approved. An administrator has to approve it, too.').waitFor()
    await first.page.getByText('You have approved this batch.').waitFor()
    await shoot(first.page, 'payout-batch-approved-once')
    const second = await approve(admin)
    await second.page.getByText('2 / 2').waitFor()
    await second.page.getByRole('link', { name: 'salary-1' }).waitFor()
    await shoot(second.page, 'payout-batch-completed')
    const download = second.page.waitForEvent('download')
    await second.page.getByRole('button', { name: 'Export CSV' }).click()
    const results = await readFile(await (await download).path(), 'utf8')
    expect(results).toContain('salary-2')
    expect(results).toContain('completed')
    expect([...troubles, ...first.troubles, ...second.troubles]).toEqual([])
  }, 120_000)

  it('are rejected with a comment or canceled, and a repeat is noticed', async () => {
    const rows = [`bonus-1,${payee},4000,NGN,Bonus`]
    const { page, troubles } = await open(staff, '/payout-batches/new')
    const file = page.getByLabel('CSV file')
    await file.setInputFiles(csvFile(rows))
    await page.getByRole('button', { name: 'Create the batch' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create the batch' }).click()
    await page.getByRole('button', { name: 'Cancel the rest' }).waitFor()
    const batchPath = new URL(page.url()).pathname.replace('/dashboard', '')
    await page.goto(`${s.t.url}/dashboard/payout-batches/new`)
    await file.setInputFiles(csvFile(rows))
    await page.getByText('A batch from the last 24 hours has the same rows').waitFor()
    await shoot(page, 'payout-batch-duplicate')
    await page.getByRole('link', { name: 'Open that batch' }).click()
    await page.getByRole('button', { name: 'Cancel the rest' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const second = await open(admin, batchPath)
    await second.page.getByRole('button', { name: 'Reject' }).click()
    await second.page.getByRole('dialog').getByLabel('Comment').fill('Not this month.')
    await second.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await second.page.getByText('Not this month.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel the rest' }).click()
    await page.getByRole('alert').getByText('Someone else has already decided').waitFor()
    await page.getByText('Not this month.').waitFor()
    expect([...troubles, ...second.troubles]).toEqual([])
  }, 90_000)

  it('have no violation of accessibility, light and dark', async () => {
    const { page, troubles } = await open(admin, '/payout-batches')
    await page.getByRole('table').waitFor()
    await shoot(page, 'payout-batches')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar').waitFor()
    await shoot(page, 'payout-batch')
    expect(await violationsOf(page)).toEqual([])
    expect(troubles).toEqual([])
  }, 60_000)

  it('offer nothing to a viewer, name a missing permission, and survive a failure', async () => {
    const { account, page } = await s.openAs('viewer', { path: '/payout-batches' })
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('link', { name: 'New batch' }).count()).toBe(0)
    await page.route('**/v1/payouts/batches?**', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'req-41' },
        body: JSON.stringify({ status: 'error', message: 'Something failed here.' }),
      }),
    )
    await page.reload()
    await page.getByText('req-41').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
    await s.t.call('DELETE', `/v1/organizations/${s.orgId}/members/${account.userId}/permissions`, {
      as: s.t.seed.platformAdmin.api_key,
      body: { permissions: ['payments:read'] },
    })
    await page.reload()
    await page.getByText('payments:read').waitFor()
  }, 60_000)
})
