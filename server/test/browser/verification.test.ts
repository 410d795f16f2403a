import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import {
  bankBeneficiary,
  fundedPayments,
  mobileMoneyPayin,
  type OrgPayments,
} from '../worlds/test-payments.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let paymentId: string

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  const beneficiary_id = await org.addBeneficiary(bankBeneficiary({ email: 'ngozi@example.com' }))
  paymentId = await org.start(mobileMoneyPayin({ beneficiary_id }))
}, 120_000)

describe.skipIf(!hasBrowser)('verification requests', () => {
  it('one is sent, and its answer is shown to whoever may see it, on request', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/verification-requests' })
    await page.getByRole('button', { name: 'Request a number' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Payment ID').fill(paymentId)
    await dialog.getByLabel('Who to ask').selectOption('beneficiary')
    await shoot(page, 'verification-request-dialog')
    await dialog.getByRole('button', { name: 'Send the email' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Waiting for the answer').waitFor()
    const { body } = await org.call('GET', '/v1/users/notifications/verification-requests')
    const id: string = body.data[0].request_id
    const link = new URL(s.t.deps.links.urlOf('verification', { orgId: org.orgId, id })).pathname
    await s.t.call('POST', link, {
      rawBody: 'answer=12345678901',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await page.reload()
    await page.getByRole('button', { name: /Show the BVN/ }).click()
    await dialog.getByText('The audit log records that you viewed it.').waitFor()
    await dialog.getByRole('button', { name: 'Show it' }).click()
    await page.getByText('12345678901').waitFor()
    await shoot(page, 'verification-requests')
    expect(await violationsOf(page)).toEqual([])
    const staff = await s.openAs('staff', { path: '/verification-requests' })
    await staff.page.getByText('Answered').waitFor()
    expect(await staff.page.getByRole('button', { name: /^Show/ }).count()).toBe(0)
    expect(await violationsOf(staff.page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('refuses a payment that does not exist, in the dialog', async () => {
    const { page } = await s.openAs('staff', { path: '/verification-requests' })
    await page.getByRole('button', { name: 'Request a number' }).click()
    await page.getByLabel('Payment ID').last().fill('0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f')
    await page.getByRole('dialog').getByRole('button', { name: 'Send the email' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    const asked = await s.t.owner.query('select from verification_requests where org_id = $1', [org.orgId])
    expect(asked.rowCount).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('fees and the data key', () => {
  it('the operator makes and retires a schedule, and everybody gets a quote', async () => {
    const operator = await s.openAs('platform-admin', {
      account: s.operator,
      path: `/organizations/${s.orgId}`,
    })
    const { page, troubles } = operator
    await page.getByRole('button', { name: 'New fee schedule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Kenya, mobile money')
    await dialog.getByLabel('Method').selectOption('mobile_money')
    await dialog.getByLabel('Country').fill('KE')
    await dialog.getByLabel('Percent').fill('1.5')
    await shoot(page, 'fee-schedule-dialog')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create the schedule' }).click()
    await page.getByRole('cell', { name: 'Kenya, mobile money', exact: true }).waitFor()

    const staff = await s.openAs('staff', { path: '/settings?view=fees' })
    expect(await staff.page.getByRole('button', { name: 'New fee schedule' }).count()).toBe(0)
    const quote = staff.page.getByRole('region', { name: 'Quote a fee' })
    await quote.getByLabel('Method').selectOption('mobile_money')
    await quote.getByLabel('Country').fill('KE')
    await quote.getByLabel('Currency').fill('KES')
    await quote.getByLabel('Amount').fill('1000')
    await quote.getByRole('button', { name: 'Get the fee' }).click()
    await quote.getByText('15.00').waitFor()
    await shoot(staff.page, 'settings-fees')
    expect(await violationsOf(staff.page)).toEqual([])

    await page.getByRole('button', { name: 'Retire Kenya, mobile money' }).click()
    await dialog.getByRole('button', { name: 'Retire' }).click()
    await page.getByRole('cell', { name: 'Kenya, mobile money', exact: true }).waitFor({ state: 'detached' })
    expect(troubles).toEqual([])
  })

  it('an administrator rotates the data key after a confirmation', async () => {
    const { page } = await s.openAs('org-admin', { path: '/settings?view=data-key' })
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByText('New key', { exact: true }).waitFor()
    await shoot(page, 'settings-data-key')
    expect(await violationsOf(page)).toEqual([])
  })
})
