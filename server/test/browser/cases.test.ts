import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { leaveInDoubt, answerAgain } from '../worlds/test-doubts.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import {
  bankTransferPayin,
  cardPayin,
  createTestClock,
  fundedPayments,
  untilSettled,
  type OrgPayments,
} from '../worlds/test-payments.ts'
import type { Account } from '../worlds/test-sign-in.ts'
import { paid } from '../../src/domains/after/disputes/testing/disputed-payments.ts'

const hourMs = 3_600_000
const clock = createTestClock()
const s = useDashboard({ clock, delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let staff: Account
let admin: Account
let doubtId: string
let disputedId: string

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  staff = await s.addAccount(org.orgId, 'staff')
  admin = await s.addAccount(org.orgId, 'org-admin')
  const refunded = await paid(s.t, org, cardPayin())
  await org.call('POST', `/v1/payments/${refunded.id}/refund`, { amount: 5, reason: 'One item was missing' })
  const disputed = await paid(s.t, org, cardPayin())
  disputedId = disputed.id
  await s.t.simulator.dispute('stripe', { reference: disputed.reference })
  doubtId = await startDoubt()
}, 120_000)

/** In doubt for a day, at the organisation's own account, so that its administrators decide. */
async function startDoubt(): Promise<string> {
  const secret_key = `sk_own_${org.orgId}`
  s.t.simulator.configure('paystack', { account: org.orgId, secrets: { secret_key } })
  const credentials = { secretKey: secret_key, baseUrl: `${s.t.simulator.url}/paystack` }
  await org.ownAccount('paystack', credentials, org.orgId)
  s.t.deps.corridors.invalidate()
  leaveInDoubt(s.t)
  const id = await org.start(bankTransferPayin({ amount: 150, target_amount: 150 }))
  clock.pass(25 * hourMs)
  await org.advance(id)
  answerAgain(s.t)
  return id
}

const open = (account: Account, path: string, options: object = {}) =>
  s.openAs('staff', { account, path, ...options })

describe.skipIf(!hasBrowser)('exceptions', () => {
  it('are resolved by two people', async () => {
    const first = await open(staff, '/exceptions?status=open')
    await first.page.getByRole('link', { name: 'Outcome unknown' }).waitFor()
    await shoot(first.page, 'exceptions')
    await first.page.keyboard.press('j')
    await first.page.keyboard.press('Enter')
    await first.page.getByText('propose the outcome; the approval closes this').waitFor()
    await shoot(first.page, 'exception')
    await first.page.getByRole('button', { name: 'Add a note' }).click()
    await first.page.getByRole('dialog').getByLabel('Note').fill('Asked their support, case 815.')
    await first.page.getByRole('dialog').getByRole('button', { name: 'Add a note' }).click()
    await first.page.getByText('case 815').waitFor()
    await first.page.getByRole('button', { name: 'Propose the outcome' }).click()
    const dialog = first.page.getByRole('dialog', { name: 'Propose the outcome' })
    await dialog.getByLabel('Evidence').fill('The statement of 2 March shows it, line 4711.')
    await shoot(first.page, 'exception-resolve')
    await dialog.getByRole('button', { name: 'Propose the outcome' }).click()
    await first.page.getByText('A decision is waiting for a second person').waitFor()
    const propose = first.page.getByRole('button', { name: 'Propose the outcome' })
    expect(await propose.isDisabled()).toBe(true)
    await shoot(first.page, 'exception-proposed')
    expect((await org.record(doubtId)).status).toBe('processing')

    const second = await open(admin, '/approvals?view=resolutions')
    await second.page.getByRole('tabpanel').getByRole('link').first().click()
    await second.page.getByRole('definition').getByText('line 4711').waitFor()
    await shoot(second.page, 'resolution')
    await second.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await second.page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await second.page.getByText('Approved', { exact: true }).waitFor()
    expect((await org.record(doubtId)).status).toBe('completed')
    await first.page.reload()
    await first.page.getByText('Closed', { exact: true }).first().waitFor()
    await shoot(first.page, 'exception-closed')
    expect([...first.troubles, ...second.troubles]).toEqual([])
  }, 90_000)

  it('name a missing permission, and say that nothing matches', async () => {
    const { account, page } = await s.openAs('viewer', { path: '/exceptions?kind=ramp_underpaid' })
    await page.getByText('Nothing matches these filters').waitFor()
    await s.t.call('DELETE', `/v1/organizations/${s.orgId}/members/${account.userId}/permissions`, {
      as: s.t.seed.platformAdmin.api_key,
      body: { permissions: ['exceptions:read'] },
    })
    await page.reload()
    await page.getByText('exceptions:read').waitFor()
    expect(await page.getByRole('link', { name: 'Exceptions' }).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('disputes', () => {
  it('are answered with evidence, which is sent once', async () => {
    const { page, troubles } = await open(staff, '/disputes?state=needs_response')
    await page.getByRole('link', { name: 'Fraudulent' }).waitFor()
    await shoot(page, 'disputes')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByText('Add evidence first.').waitFor()
    await shoot(page, 'dispute')
    await page.getByRole('button', { name: 'Add evidence' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add evidence' })
    await dialog.getByLabel('Text', { exact: true }).fill('A chair, delivered on 3 March')
    const file = { name: 'receipt 7.pdf', mimeType: 'application/pdf' }
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ ...file, buffer: Buffer.from('no receipt') })
    await dialog.getByRole('button', { name: 'Add evidence' }).click()
    await dialog.getByRole('alert').waitFor()
    await shoot(page, 'dispute-evidence-refused')
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ ...file, buffer: Buffer.from('%PDF-1.4 a receipt') })
    await dialog.getByRole('button', { name: 'Add evidence' }).click()
    await page.getByText('Receipt: receipt 7.pdf').waitFor()
    await page.getByRole('button', { name: 'Submit evidence' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Submit evidence' }).click()
    await page.getByText('Under review').waitFor()
    await page.getByText('The bank has the evidence and will decide.').waitFor()
    await shoot(page, 'dispute-submitted')
    const { body } = await org.call('GET', `/v1/disputes?payment_id=${disputedId}`)
    expect(body.data).toMatchObject([{ state: 'under_review' }])
    expect(troubles).toEqual([])
  }, 60_000)
})

describe.skipIf(!hasBrowser)('the queues', () => {
  it('list refunds, and compare with a provider on demand', async () => {
    const { page, troubles } = await open(admin, '/refunds')
    await page.getByRole('link', { name: 'One item was missing' }).waitFor()
    await shoot(page, 'refunds')
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'Reconciliation' }).waitFor()
    await page.getByRole('button', { name: 'Compare now' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Provider').selectOption('stripe')
    await dialog.getByRole('button', { name: 'Compare now' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table').first().waitFor()
    await shoot(page, 'reconciliation')
    expect(troubles).toEqual([])
  }, 60_000)

  it('have no violation of accessibility, light and dark', async () => {
    const { page, troubles } = await open(admin, '/exceptions')
    await page.getByRole('table').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByText('What to do').waitFor()
    expect(await violationsOf(page)).toEqual([])
    for (const path of ['disputes', 'refunds', 'reconciliation']) {
      await page.goto(`${s.t.url}/dashboard/${path}`)
      await page.getByRole('table').first().waitFor()
      await shoot(page, path)
      expect([path, ...(await violationsOf(page))]).toEqual([path])
    }
    await page.goto(`${s.t.url}/dashboard/disputes`)
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByText('Your response').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(troubles).toEqual([])
  }, 60_000)

  it('show a failure with its request id, and try again', async () => {
    const { page } = await open(staff, '')
    for (const path of ['disputes', 'refunds', 'payments/exceptions', 'payments/reconciliation'])
      await page.route(new RegExp(`/v1/${path}(/runs)?\\?`), (route) =>
        route.fulfill({
          status: 500,
          headers: { 'x-request-id': 'req-31' },
          body: JSON.stringify({ status: 'error', message: 'Something failed here.' }),
        }),
      )
    for (const name of ['Disputes', 'Refunds', 'Exceptions']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.getByRole('alert').getByText('req-31').waitFor()
    }
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.getByText('Something failed here.').count()).toBe(0)
  })
})
