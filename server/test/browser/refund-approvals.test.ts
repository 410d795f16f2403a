import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { cardPayin, fundedPayments, type OrgPayments } from '../worlds/test-payments.ts'
import type { Account } from '../worlds/test-sign-in.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let staff: Account
let admin: Account

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  staff = await s.addAccount(org.orgId, 'staff')
  admin = await s.addAccount(org.orgId, 'org-admin')
  const policies = [{ currency: 'GBP', payout_from: 1000, refund_from: 10 }]
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
}, 120_000)

/** A refund that waits, as if this person had requested it, or by the first administrator. */
async function startWaiting(reason: string, requester?: Account): Promise<string> {
  const id = await org.start(cardPayin())
  const answer = await org.call('POST', `/v1/payments/${id}/refund`, { reason })
  expect(answer.body.data.status).toBe('awaiting_approval')
  if (requester)
    await s.t.owner.query('update refunds set user_id = $1 where payment_id = $2', [requester.userId, id])
  return id
}
const statusOf = async (id: string): Promise<string> =>
  (await org.call('GET', `/v1/payments/${id}/refunds`)).body.data[0].status

async function open(account: Account, reason: string, action = 'Approve'): Promise<Page> {
  const { page } = await s.openAs('staff', { account, path: '/approvals' })
  await page.getByRole('tab', { name: 'Refunds' }).click()
  await page.getByRole('link', { name: reason }).click()
  await page.getByRole('button', { name: action, exact: true }).waitFor()
  return page
}

async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe.skipIf(!hasBrowser)('a refund that waits', () => {
  it('is approved by two people on the page of its payment', async () => {
    const id = await startWaiting('Parcel 7 came back')
    const first = await open(staff, 'Parcel 7 came back')
    await shoot(first, 'refund-waiting')
    expect(await violationsOf(first)).toEqual([])
    await confirm(first, 'Approve')
    await first.getByText('You have reviewed this refund already.').waitFor()
    expect(await statusOf(id)).toBe('awaiting_approval')
    await confirm(await open(admin, 'Parcel 7 came back'), 'Approve')
    expect(await statusOf(id)).toBe('completed')
  })

  it('is withdrawn by whoever requested it, who cannot approve it', async () => {
    const id = await startWaiting('Parcel 8 came back', staff)
    const page = await open(staff, 'Parcel 8 came back', 'Withdraw')
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    await confirm(page, 'Withdraw')
    await page.getByText('Whoever requested the refund has withdrawn it.').waitFor()
    expect(await statusOf(id)).toBe('failed')
  })
})
