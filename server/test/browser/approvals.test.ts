import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { memberOf } from '../app/test-app.ts'
import { bankBeneficiary, bankPayout, fundedPayments, type OrgPayments } from '../worlds/test-payments.ts'
import type { Account } from '../worlds/test-sign-in.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let staff: Account
let admin: Account
let viewer: Account
let beneficiary: string

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  staff = await addNamed('staff', 'Grace', 'Otieno')
  admin = await addNamed('org-admin', 'Amara', 'Nwosu')
  viewer = await addNamed('viewer', 'Lena', 'Brandt')
  beneficiary = await org.addBeneficiary(bankBeneficiary())
  const policies = [{ currency: 'NGN', payout_from: 1000 }]
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
}, 120_000)

async function addNamed(role: 'staff' | 'org-admin' | 'viewer', first: string, last: string) {
  const account = await s.addAccount(org.orgId, role)
  await s.t.owner.query('update members set first_name = $1, last_name = $2 where user_id = $3', [
    first,
    last,
    account.userId,
  ])
  return account
}

/** By the organisation's first administrator, who therefore may not review it. */
const startHeld = (description: string): Promise<string> =>
  org.start(bankPayout(beneficiary, { amount: 1500, target_amount: 1500, description }))

const openQueue = async (account: Account, options: object = {}) =>
  s.openAs('staff', { account, path: '/approvals', ...options })

async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe.skipIf(!hasBrowser)('approvals', () => {
  it('says that nothing waits', async () => {
    const { page, troubles } = await openQueue(staff)
    await page.getByText('No payments are waiting for approval').waitFor()
    await shoot(page, 'approvals-empty')
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('No changes are waiting for a second person').waitFor()
    expect(troubles).toEqual([])
  })

  it('lets two people approve a payout in two browsers, by keyboard', async () => {
    const id = await startHeld('Invoice 7 of March')
    const first = await openQueue(staff)
    await first.page.getByRole('link', { name: 'Invoice 7 of March' }).waitFor()
    await shoot(first.page, 'approvals')
    await first.page.keyboard.press('j')
    await first.page.keyboard.press('Enter')
    await first.page.getByText('This recipient has never been paid before').waitFor()
    await first.page.getByText('Your policy requires approval from 1000.00 NGN on.').waitFor()
    await shoot(first.page, 'approval-first')
    await approve(first.page)
    await first.page.getByText('Grace Otieno approved it').waitFor()
    const button = first.page.getByRole('button', { name: 'Approve', exact: true })
    expect(await button.isDisabled()).toBe(true)
    await first.page.getByText('You have reviewed this payment already.').waitFor()
    await shoot(first.page, 'approval-reviewed')
    expect((await org.record(id)).status).toBe('reviewed')

    const second = await openQueue(admin)
    await second.page.getByRole('link', { name: 'Invoice 7 of March' }).click()
    await second.page.getByText('Grace Otieno approved it').waitFor()
    await second.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await second.page.getByText('the payment is sent immediately').waitFor()
    await shoot(second.page, 'approval-second-dialog')
    // The cursor is on Cancel, so that no single key sends money.
    await second.page.keyboard.press('Enter')
    await second.page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await org.record(id)).status).toBe('reviewed')
    await approve(second.page)
    await second.page.getByText('This payment is not waiting for approval').waitFor()
    await expect.poll(async () => (await org.record(id)).status, { timeout: defaultWaitMs }).toBe('completed')
    expect([...first.troubles, ...second.troubles]).toEqual([])
  }, 90_000)

  it('says who was faster, and does nothing twice', async () => {
    const id = await startHeld('Invoice 8 of March')
    const { page } = await openQueue(staff)
    await page.getByRole('link', { name: 'Invoice 8 of March' }).click()
    await page.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject this payment?' })
    await dialog.getByLabel('Comment').fill('The invoice was paid last week.')
    // The other decision falls between the click and its request: sooner, and the page would take the button away.
    await page.route('**/review', async (route) => {
      const rejected = await s.t.call('POST', `/v1/payments/${id}/review`, {
        as: memberOf(s.t.seed.orgs[0], 'staff').api_key,
        body: { decision: 'reject', comments: 'Wrong amount' },
      })
      expect(rejected.status).toBe(200)
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('alert').getByText('Someone else has already decided').waitFor()
    await page.getByText(/rejected it/).waitFor()
    await page.getByText('Wrong amount').waitFor()
    await shoot(page, 'approval-overtaken')
  })

  it('asks a second administrator about a change', async () => {
    const body = { policies: [{ currency: 'NGN', payout_from: 5000 }] }
    const held = await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, body)
    expect(held.status).toBe(202)
    const { page, troubles } = await openQueue(staff, { path: '/approvals?view=changes' })
    await page.getByRole('link', { name: /Approval policies/ }).click()
    await page.getByText('An administrator has to decide on this change.').waitFor()
    const decider = await openQueue(admin, { path: '/approvals?view=changes' })
    await shoot(decider.page, 'approvals-changes')
    await decider.page.getByRole('link', { name: /Approval policies/ }).click()
    await decider.page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    await shoot(decider.page, 'change-request')
    expect(await violationsOf(decider.page)).toEqual([])
    await decider.page.getByRole('button', { name: 'Reject' }).click()
    await decider.page.getByRole('dialog').getByLabel('Comment').fill('The limit stays.')
    await decider.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await decider.page.getByText('Rejected', { exact: true }).waitFor()
    expect([...troubles, ...decider.troubles]).toEqual([])
  }, 60_000)

  it('has no violation of accessibility, light and dark', async () => {
    const id = await startHeld('Invoice to look at')
    const { page, troubles } = await openQueue(admin)
    await page.getByRole('link', { name: 'Invoice to look at' }).waitFor()
    await shoot(page, 'approvals')
    expect(await violationsOf(page)).toEqual([])
    await page.goto(`${s.t.url}/dashboard/approvals/payments/${id}`)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('dialog').waitFor()
    await shoot(page, 'approval-reject')
    expect(await violationsOf(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('offers no decision to a viewer, names a missing permission, and survives a failure', async () => {
    await startHeld('Invoice 9 of March')
    const { page } = await openQueue(viewer)
    expect(await page.getByRole('link', { name: 'Approvals', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Invoice 9 of March' }).click()
    await page.getByText('Nobody has approved it yet.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await page.route('**/v1/payments/awaiting-review**', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'req-23' },
        body: JSON.stringify({ status: 'error', message: 'Something failed here.' }),
      }),
    )
    await page.goto(`${s.t.url}/dashboard/approvals`)
    await page.getByText('req-23').first().waitFor()
    await page.unroute('**/v1/payments/awaiting-review**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Invoice 9 of March' }).waitFor()
    await s.t.call('DELETE', `/v1/organizations/${org.orgId}/members/${viewer.userId}/permissions`, {
      as: s.t.seed.platformAdmin.api_key,
      body: { permissions: ['payments:read'] },
    })
    await page.reload()
    await page.getByText('payments:read').waitFor()
  }, 60_000)
})
