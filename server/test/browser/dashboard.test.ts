import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { hasBrowser } from './browser.ts'
import { fillPayments } from '../worlds/many-payments.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'

let nowMs = Date.now()
const s = useDashboard({ clock: { now: () => new Date(nowMs) }, env: { LOG_LEVEL: 'silent' } })
let otherOrgId: string

beforeAll(async () => {
  if (!hasBrowser) return
  otherOrgId = s.t.seed.orgs[1]?.org_id ?? ''
  const yearAgo = new Date(nowMs - 365 * 86_400_000).toISOString()
  await fillPayments(s.t.owner, { orgId: s.orgId, count: 2_000, from: yearAgo })
  await s.t.owner.query(
    `update payments set client_reference = 'INV-' || upper(left(payment_id::text, 8)) where amount_minor % 5 > 0`,
  )
}, 120_000)
afterAll(async () => {
  if (!hasBrowser) return
  // These events have no data, which the check of all events at the end would report.
  await s.t.owner.query(`delete from events where data = '{}'`)
})

describe.skipIf(!hasBrowser)('the dashboard', () => {
  it('is served with a policy that allows nothing inline and nothing from elsewhere', async () => {
    const answer = await s.newBrowser().visit('/dashboard/payments')
    expect(answer.status).toBe(200)
    const response = await fetch(`${s.t.url}/dashboard`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    const [, asset = ''] = /src="([^"]+)"/.exec(answer.text) ?? []
    const script = await fetch(`${s.t.url}${asset}`)
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await fetch(`${s.t.url}/dashboard/assets/none.js`)).status).toBe(404)
  })

  it('leads to the sign-in and back to the page that was asked for', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/payments?status=completed', onPages: true })
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      '/dashboard/payments?status=completed',
    )
    await page.getByRole('heading', { name: 'Payments' }).waitFor()
    expect(troubles).toEqual([])
  })

  it('has no violation of accessibility, light and dark', async () => {
    const { page, troubles } = await s.openAs('org-admin')
    await page.getByText('Open exceptions').waitFor()
    await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
    await shoot(page, 'home')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    await page.getByRole('table', { name: 'Payments' }).waitFor()
    await shoot(page, 'payments')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Type a screen' }).waitFor()
    await shoot(page, 'palette')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Your sessions' }).click()
    await page.getByText('This browser').waitFor()
    await shoot(page, 'sessions')
    expect(await violationsOf(page)).toEqual([])
    expect(troubles).toEqual([])
  }, 120_000)

  it('shows payments with filters in the address, and tells nothing yet from nothing that matches', async () => {
    const { page, troubles } = await s.openAs('staff', { path: '/payments' })
    await page.getByRole('table').waitFor()
    await page.getByRole('button', { name: 'Status: Any' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Completed' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Refunded' }).click()
    await page.waitForURL('**/payments?status=completed%2Crefunded')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('Currency').fill('xau')
    await page.getByLabel('Currency').press('Enter')
    await page.getByText('Nothing matches these filters').waitFor()
    expect(new URL(page.url()).search).toBe('?status=completed%2Crefunded&currency=XAU')
    await shoot(page, 'payments-no-match')
    await page.goBack()
    await page.getByText('Nothing matches these filters').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?status=completed%2Crefunded')
    expect(troubles).toEqual([])
  })

  it('shows every digit of every currency, from the database to the screen', async () => {
    const amounts = [
      ['KWD', '12345678901234567890', '12,345,678,901,234,567.890'],
      ['JPY', '90071992547409931', '90,071,992,547,409,931'],
      ['USDC', '1000001', '1.000001'],
      ['UGX', '250000', '250,000'],
    ] as const
    for (const [currency, minor] of amounts)
      await s.t.owner.query(
        `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
           target_currency, target_amount_minor, status, version, private_sealed, routing, request_id, client_reference)
         values ($1, gen_random_uuid(), 'u', 'inbound', 'card', 'GB', $2, $3, $2, $3, 'completed', 1, '', '{}', 'digits', 'digits')`,
        [s.orgId, currency, minor],
      )
    const { page } = await s.openAs('staff', { path: '/payments?q=digits' })
    for (const [currency, , shown] of amounts)
      await page
        .getByRole('cell')
        .filter({ hasText: `${shown}${currency}` })
        .waitFor()
    await shoot(page, 'payments-digits')
    expect(await page.getByRole('row').count()).toBe(amounts.length + 1)
  })

  it('says which permission is missing when a screen is refused', async () => {
    const { account, page } = await s.openAs('viewer')
    const path = `/v1/organizations/${s.orgId}/members/${account.userId}/permissions`
    await s.t.call('DELETE', path, {
      as: s.t.seed.platformAdmin.api_key,
      body: { permissions: ['payments:read'] },
    })
    await page.goto(`${s.t.url}/dashboard/payments`)
    await page.getByText('You do not have access to this.').waitFor()
    await page.getByText('payments:read').waitFor()
    expect(await page.getByRole('link', { name: 'Payments' }).count()).toBe(0)
    await shoot(page, 'payments-refused')
  })

  it('shows a failure with its request id, and tries again', async () => {
    const { page } = await s.openAs('staff')
    await page.route('**/v1/transactions?limit=50', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'req-17' },
        body: JSON.stringify({ status: 'error', message: 'Something failed here.' }),
      }),
    )
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    await page.getByText('Something failed here.').waitFor()
    await page.getByText('req-17').waitFor()
    await shoot(page, 'payments-failed')
    await page.unroute('**/v1/transactions?limit=50')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
    expect(await page.getByText('Something failed here.').count()).toBe(0)
  })

  it('can be used by keyboard: g p, the palette and the list of shortcuts', async () => {
    const { page } = await s.openAs('staff')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.waitForURL('**/dashboard/payments')
    await page.getByRole('table').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await page.evaluate('document.activeElement.closest("tr").rowIndex')).toBe(2)
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Type a screen' }).fill('home')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('announces new payments as a button, so that rows do not move', async () => {
    const { page } = await s.openAs('staff', { path: '/payments' })
    // The first rows are painted before the others are made.
    await expect.poll(() => page.getByRole('row').count(), { timeout: defaultWaitMs }).toBe(51)
    const count = await page.getByRole('row').count()
    await expect
      .poll(
        async () => {
          await s.t.owner.query(
            `insert into events (org_id, event_id, event_type, resource_id, sequence, data, created_at)
             values ($1, uuidv7(), 'transaction.updated', gen_random_uuid(), 1, '{}', $2)`,
            [s.orgId, new Date(nowMs)],
          )
          return page.getByRole('button', { name: /Show \d+ new payment/ }).count()
        },
        { timeout: defaultWaitMs, interval: 1_000 },
      )
      .toBe(1)
    expect(await page.getByRole('row').count()).toBe(count)
  })

  it('switches the organisation, and a second tab does not act in the wrong one', async () => {
    const { account, page, context } = await s.openAs('staff')
    await s.addAccount(otherOrgId, 'viewer', account)
    await page.reload()
    const second = await context.newPage()
    await second.goto(`${s.t.url}/dashboard`)
    await second.getByRole('heading', { name: 'Home' }).waitFor()
    const other = s.t.seed.orgs[1]?.name ?? ''
    await page.getByRole('button', { name: 'Switch organisation' }).click()
    await shoot(page, 'organisation-menu')
    await page.getByRole('menuitemradio', { name: other }).click()
    await page.getByRole('button', { name: `Switch organisation: ${other}` }).waitFor()
    await second.getByRole('link', { name: 'Payments', exact: true }).click()
    await second.getByRole('dialog', { name: 'You switched the organisation' }).waitFor()
    expect(await second.getByRole('table').count()).toBe(0)
  })

  it('asks early for the rows of a list, and takes only those of the organisation that it shows', async () => {
    const { account, page, context } = await s.openAs('staff')
    await s.addAccount(otherOrgId, 'viewer', account)
    const asked: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/transactions?')) asked.push(request.headers()['x-switchyard-org'])
    })
    await page.goto(`${s.t.url}/dashboard/payments`)
    await page.locator('main tr [data-row]').first().waitFor()
    expect(asked).toEqual([s.orgId])
    asked.length = 0
    const switched = await context.request.post(`${s.t.url}/auth/organization`, {
      headers: { authorization: 'NONE', 'x-api-key': 'NONE', origin: s.t.url },
      data: { org_id: otherOrgId },
    })
    expect(switched.status()).toBe(200)
    await page.reload()
    await page.getByText('No payments yet').waitFor()
    expect(asked).toEqual([s.orgId, otherOrgId])
    expect(await page.locator('main tr [data-row]').count()).toBe(0)
  })

  it('says when the session has ended, and signing out ends it', async () => {
    const { page } = await s.openAs('staff')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    nowMs += 31 * 60_000
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await shoot(page, 'session-ended')
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.getByRole('navigation').waitFor()
    await page.getByRole('button', { name: 'staff' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await shoot(page, 'signed-out')
    expect(await violationsOf(page)).toEqual([])
    await page.goto(`${s.t.url}/dashboard`)
    await page.waitForURL('**/sign-in**')
  })

  it('explains a sign-in that failed, and fits a phone', async () => {
    const { page } = await s.browser.open()
    await page.goto(`${s.t.url}/dashboard/sign-in?error=not-a-member`)
    await page.getByRole('alert').getByText('not a member').waitFor()
    await shoot(page, 'sign-in-phone')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
  })
})
