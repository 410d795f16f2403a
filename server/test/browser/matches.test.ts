import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { bankBeneficiary, bankPayout, fundedPayments, type OrgPayments } from '../worlds/test-payments.ts'
import { until } from '../app/test-relay.ts'
import type { Account } from '../worlds/test-sign-in.ts'
import { loadList } from '../../src/domains/compliance/sanctions/lists/load-list.ts'
import { ofacXml, writeListFile } from '../../src/domains/compliance/sanctions/testing/list-files.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let first: Account
let second: Account
let admin: Account

const listed = [
  { uid: '36', first: 'Oluakin', last: 'NDUEZEMI', born: '10 Dec 1948', aka: 'Nwachi Okebola' },
  { uid: '37', first: 'Tamroz', last: 'QUDLAWI' },
  { uid: '38', first: 'Timrad', last: 'SEVHOLOV' },
]

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  first = await s.addAccount(org.orgId, 'platform-admin')
  second = await s.addAccount(org.orgId, 'platform-admin')
  admin = await s.addAccount(org.orgId, 'org-admin')
}, 120_000)

const open = (account: Account, path: string, options: object = {}) =>
  s.openAs('staff', { account, path, ...options })

const accountNumbers = ['0690000049', '0690000056', '0690000063']

/** A payout that waits, because its beneficiary has a name of the list. Each has an account, which a decision blocks. */
async function holdPayout(fname: string, lname: string, reference: string): Promise<string> {
  const account = { account_number: accountNumbers.shift(), bank_code: '044', bank_name: 'Access Bank' }
  const own = { fname, lname, email: `${fname}@example.com`, bank_details: account }
  const beneficiary = await org.addBeneficiary(bankBeneficiary(own))
  return org.start(bankPayout(beneficiary, { client_reference: reference, bank_account: account }))
}

describe.skipIf(!hasBrowser)('sanctions matches', () => {
  it('say that nobody matches, and that no list is loaded', async () => {
    const { page, troubles } = await open(first, '/sanctions-matches')
    await page.getByText('Nobody matches a sanctions list').waitFor()
    await page.getByRole('link', { name: 'Lists and runs' }).click()
    await page.getByText('No list is loaded').waitFor()
    await page.getByText('No full screening yet').waitFor()
    await shoot(page, 'sanctions-lists-empty')
    expect(troubles).toEqual([])
    const path = await writeListFile('sdn.xml', ofacXml(listed))
    await loadList(s.t.deps, { path, loadedBy: 'Ada', allowsShrinking: true })
    await s.t.deps.sanctions.refresh()
  })

  it('are cleared by two operators in two browsers, and the payment that was held goes out, once', async () => {
    const id = await holdPayout('Nwachi', 'Okebola', 'INV-2041')
    const one = await open(first, '')
    await one.page.getByRole('link', { name: 'Sanctions matches Payments are held' }).click()
    await one.page.getByRole('link', { name: 'Nwachi Okebola' }).waitFor()
    await shoot(one.page, 'sanctions-matches')
    await one.page.keyboard.press('j')
    await one.page.keyboard.press('Enter')
    await one.page.getByText('An alias of Oluakin NDUEZEMI').waitFor()
    const compared = one.page.getByRole('table', { name: 'Side by side' })
    await compared.getByRole('row', { name: /Country Nigeria Nigeria The same/ }).waitFor()
    await compared.getByRole('row', { name: /Date of birth not known 1948-12-10 Not known/ }).waitFor()
    await one.page.getByRole('link', { name: 'INV-2041' }).waitFor()
    await one.page.getByText('Clearing takes two people').waitFor()
    await shoot(one.page, 'sanctions-match')
    await one.page.getByRole('button', { name: 'It is someone else' }).click()
    const dialog = one.page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Born 1991, by the passport.')
    await shoot(one.page, 'sanctions-match-clear')
    await dialog.getByRole('button', { name: 'It is someone else' }).click()
    await one.page.getByText('another operator has to approve it').waitFor()
    const approve = one.page.getByRole('button', { name: 'Approve', exact: true })
    expect(await approve.isDisabled()).toBe(true)
    expect(await one.page.getByRole('button', { name: 'It is someone else' }).count()).toBe(0)
    await shoot(one.page, 'sanctions-match-asked')
    expect(await org.accepted(id)).toEqual([])

    const other = await open(second, one.page.url().split('/dashboard')[1] ?? '')
    await other.page.getByText('Born 1991, by the passport.').waitFor()
    await shoot(other.page, 'sanctions-match-second')
    await other.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await other.page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await other.page.locator('main h1 + *').getByText('Cleared').waitFor()
    await one.page.locator('main h1 + *').getByText('Cleared').waitFor()
    await shoot(other.page, 'sanctions-match-cleared')
    await until('the payout is sent', async () => (await org.accepted(id)).length > 0, 45_000)
    expect(await org.accepted(id)).toHaveLength(1)
    expect([...one.troubles, ...other.troubles]).toEqual([])
  })

  it('are confirmed by one person, and what waited fails', async () => {
    const id = await holdPayout('Tamroz', 'Qudlawi', 'INV-2042')
    const { page, troubles } = await open(admin, '/sanctions-matches?status=open')
    await page.getByRole('link', { name: 'Tamroz Qudlawi' }).click()
    await page.getByText('Confirming takes one person').waitFor()
    await page.getByRole('button', { name: 'It is the person' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('The same passport.')
    await page.getByRole('dialog').getByRole('button', { name: 'It is the person' }).click()
    await page.getByText('new payouts to this beneficiary are refused').waitFor()
    await shoot(page, 'sanctions-match-confirmed')
    await until('the payout has failed', async () => (await org.record(id)).status === 'failed', 45_000)
    expect(await org.accepted(id)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('an administrator asks, and reads that an operator has to approve', async () => {
    const id = await holdPayout('Timrad', 'Sevholov', 'INV-2043')
    const { page, troubles } = await open(admin, `/payments/${id}`)
    await page.getByText('On hold for a check. Nothing was sent.').waitFor()
    await shoot(page, 'payment-on-hold')
    await page.getByRole('link', { name: 'See the possible match' }).click()
    await page.getByRole('button', { name: 'It is someone else' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Another name.')
    await page.getByRole('dialog').getByRole('button', { name: 'It is someone else' }).click()
    await page.getByText('You have asked to clear this match').waitFor()
    expect(await page.getByRole('link', { name: 'Lists and runs' }).count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('whoever may not see them reads only that the payment is on hold', async () => {
    const [{ id }] = (
      await s.t.owner.query<{ id: string }>(
        `select payment_id as id from payments where client_reference = 'INV-2043'`,
      )
    ).rows as [{ id: string }]
    const { page } = await s.openAs('viewer', { path: `/payments/${id}` })
    await page.getByText('On hold for a check. Nothing was sent.').waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/sanction|match/i)
    await page.goto(`${s.t.url}/dashboard/sanctions-matches`)
    await page.getByText('screening:read').waitFor()
  })

  it('show how far everybody is screened', async () => {
    const unfinished = `update sanctions_runs set phase = 'kyb', screened = 12834, finished_at = null`
    await until('the run is done', async () => {
      const { rows } = await s.t.owner.query('select from sanctions_runs where finished_at is null')
      return rows.length === 0
    })
    await s.t.owner.query(unfinished)
    const { page, troubles } = await open(second, '/sanctions-matches/lists')
    await page.getByText('Everyone is being screened against the new version.').waitFor()
    await page.getByText('Screening people behind organisations').waitFor()
    await shoot(page, 'sanctions-lists')
    await s.t.owner.query(`update sanctions_runs set phase = 'done', finished_at = now()`)
    await page.getByText('Done', { exact: true }).waitFor()
    expect(troubles).toEqual([])
  })

  it.each([
    { name: 'English', options: {} },
    { name: 'Arabic', options: { locale: 'ar' } },
  ])('have no violation of accessibility in $name', async ({ name, options }) => {
    const { page, troubles } = await open(second, '/sanctions-matches', options)
    await page.getByRole('table').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await shoot(page, `sanctions-matches-${name}`)
    await page.goto(`${s.t.url}/dashboard/sanctions-matches?status=open`)
    await page.getByRole('table').getByRole('link').first().click()
    // The list has a table and buttons, too.
    await page.waitForURL(/sanctions-matches\/[0-9a-f-]{36}/)
    await page.locator('main h1 + *').waitFor()
    await page.locator('main table').first().waitFor()
    await page.locator('main button').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await shoot(page, `sanctions-match-${name}`)
    await page.goto(`${s.t.url}/dashboard/sanctions-matches/lists`)
    await page.getByRole('table').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await shoot(page, `sanctions-lists-${name}`)
    expect(troubles).toEqual([])
  })

  it('say that nothing matches the filters, and show a failure with its request id', async () => {
    const { page } = await open(admin, '/sanctions-matches?subject_kind=payer')
    await page.getByText('Nothing matches these filters').waitFor()
    await page.route(/\/v1\/screening\/matches/, (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'req-67' },
        body: JSON.stringify({ status: 'error', message: 'Something failed here.' }),
      }),
    )
    await page.reload()
    await page.getByRole('alert').getByText('req-67').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing matches these filters').waitFor()
    expect(await page.getByText('Something failed here.').count()).toBe(0)
  })
})
