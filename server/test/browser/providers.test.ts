import { beforeAll, describe, expect, it } from 'vitest'
import { sandboxCredentials } from '@switchyard/simulator/registry.ts'
import { hasBrowser } from './browser.ts'
import type { Json } from '../app/test-app.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { cardPayin, mobileMoneyPayin } from '../worlds/test-payments.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })
const corridor = 'country=NG&method=bank_transfer&direction=inbound'
const corridorName = 'Nigeria, bank transfer, incoming'

const configs = async (): Promise<Json[]> =>
  (await s.t.call('GET', '/v1/payments/provider-configs?limit=100', { as: s.t.admin })).body.data

beforeAll(async () => {
  if (!hasBrowser) return
  await s.t.initiate(cardPayin())
  await s.t.initiate(mobileMoneyPayin())
  const denied = { verdict: 'deny', reason: 'Reported by a customer' }
  const path = '/v1/screening/addresses/0x52908400098527886E0F7030069857D2E4169EE7'
  await s.t.call('PUT', path, { as: s.t.admin, body: denied })
}, 120_000)

describe.skipIf(!hasBrowser)('routes', () => {
  it('an own route is added and moved before the locked one of the installation, by button and by key', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/routing' })
    await page.getByRole('link', { name: `Routes of ${corridorName}` }).click()
    const list = page.getByRole('list', { name: corridorName })
    await list.getByText('Locked').first().waitFor()
    expect(await list.getByRole('button').count()).toBe(0)
    await page.getByRole('button', { name: 'Add a provider' }).click()
    const form = page.getByRole('dialog', { name: 'Add a route' })
    await form.getByLabel('Provider').selectOption('flutterwave')
    await shoot(page, 'routing-add')
    expect(await violationsOf(page)).toEqual([])
    await form.getByRole('button', { name: 'Add route' }).click()
    await list.getByText('Flutterwave').waitFor()
    const names = (): Promise<string[]> =>
      list
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => item.textContent?.match(/[A-Z]?[a-z]{4,}/)?.[0] ?? ''))
    const count = (await names()).length
    expect((await names()).at(-1)).toBe('Flutterwave')
    for (let place = count - 1; place > 0; place--) {
      await list.getByRole('button', { name: 'Move Flutterwave up' }).click()
      await page.getByText(`Flutterwave is now in position ${place}.`).waitFor()
    }
    await expect.poll(async () => (await names())[0]).toBe('Flutterwave')
    await shoot(page, 'routing-corridor')
    expect(await list.getByRole('button', { name: 'Move Flutterwave up' }).isDisabled()).toBe(true)
    await list.getByRole('button', { name: 'Amounts' }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(async () => (await names())[1]).toBe('Flutterwave')
    const own = (await configs()).find(({ org_id }) => org_id === s.orgId)
    expect(own).toMatchObject({ provider: 'flutterwave', country: 'NG' })
    await list.getByRole('button', { name: 'Switch off' }).click()
    await list.getByRole('button', { name: 'Switch on' }).waitFor()
    await list.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => list.getByText('Flutterwave').count()).toBe(0)
    expect(troubles).toEqual([])
  }, 60_000)
})

describe.skipIf(!hasBrowser)('provider accounts', () => {
  it('keys are stored from the fields of the catalogue, checked and never shown', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/provider-accounts' })
    await page.getByRole('table', { name: 'Provider accounts' }).waitFor()
    await page.getByRole('button', { name: 'Add account' }).click()
    const form = page.getByRole('dialog', { name: 'Add an account' })
    await form.getByLabel('Provider').selectOption('paystack')
    await form.getByLabel('Name').fill('Paystack Lagos')
    const { secretKey, baseUrl } = sandboxCredentials(s.t.simulator.url)['paystack'] ?? {}
    const secret = form.getByLabel('Secret key')
    expect(await secret.getAttribute('type')).toBe('password')
    await secret.fill(String(secretKey))
    await form.getByLabel('Base URL').fill(String(baseUrl))
    await shoot(page, 'provider-account-add')
    expect(await violationsOf(page)).toEqual([])
    await form.getByRole('button', { name: 'Store keys' }).click()
    await page.getByRole('cell', { name: /^Paystack Lagos/ }).waitFor()
    expect(await page.content()).not.toContain(String(secretKey))
    await page.getByRole('button', { name: 'Check the keys of Paystack Lagos' }).click()
    await page
      .getByRole('status')
      .getByText(/^Paystack Lagos: /)
      .waitFor()
    await shoot(page, 'provider-accounts')
    await page.getByRole('button', { name: 'Retire Paystack Lagos' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click()
    await page.getByRole('button', { name: 'Reactivate Paystack Lagos' }).waitFor()
    expect(troubles).toEqual([])
  }, 60_000)
})

describe.skipIf(!hasBrowser)('screened addresses', () => {
  it('one is denied and removed', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/screening' })
    await page.getByRole('button', { name: 'Add address' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Address').fill('0xde709f2102306220921060314715629080e2fb77')
    await form.getByLabel('Reason').fill('A known scam')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A known scam').waitFor()
    await page.getByRole('button', { name: /Remove 0xde709f/i }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => page.getByText('A known scam').count()).toBe(0)
    expect(troubles).toEqual([])
  }, 60_000)
})

const screens = {
  routing: 'Routes',
  [`routing?${corridor}`]: 'Routes',
  'provider-accounts': 'Provider accounts',
  'provider-health': 'Provider health',
  screening: 'Screened addresses',
}

describe.skipIf(!hasBrowser)('every screen of routing', () => {
  it('has no violation of accessibility, light and dark', async () => {
    const { page, troubles } = await s.openAs('org-admin')
    for (const [path, title] of Object.entries(screens)) {
      await page.goto(`${s.t.url}/dashboard/${path}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText('Loading').first().waitFor({ state: 'detached' })
      await shoot(page, path.split('=')[0]?.replace('?', '-') ?? path)
      expect([path, ...(await violationsOf(page))]).toEqual([path])
    }
    expect(troubles).toEqual([])
  }, 90_000)

  it('shows the operator the routes of the installation unlocked', async () => {
    const { page, troubles } = await s.openAs('platform-admin', { path: `/routing?${corridor}` })
    const list = page.getByRole('list', { name: corridorName })
    await list.getByRole('button', { name: 'Amounts' }).first().waitFor()
    expect(await list.getByText('Locked').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('is refused with the name of the permission, is empty, and fails, each in its own words', async () => {
    const viewer = await s.openAs('viewer')
    const admin = await s.openAs('org-admin')
    let answer: { status: number; json: object } = { status: 500, json: { message: 'Something broke.' } }
    await admin.page.route(/v1\/(?:payments\/provider-|providers\/health|screening)/, (route) =>
      route.fulfill(answer),
    )
    const empty = { routing: 'No routes yet', 'provider-accounts': 'No provider accounts yet' }
    const listed = { ...empty, screening: 'No addresses yet' }
    for (const path of Object.keys(screens).filter((one) => !one.includes('?'))) {
      await viewer.page.goto(`${s.t.url}/dashboard/${path}`)
      await viewer.page.getByText('provider-configs:read').waitFor()
      answer = { status: 500, json: { message: 'Something broke.' } }
      await admin.page.goto(`${s.t.url}/dashboard/${path}`)
      await admin.page.getByRole('alert').getByText('Something broke.').waitFor()
    }
    answer = { status: 200, json: { success: true, message: '', data: [], count: 0, meta: { count: 0 } } }
    for (const [path, title] of Object.entries(listed)) {
      await admin.page.goto(`${s.t.url}/dashboard/${path}`)
      await admin.page.getByText(title).waitFor()
    }
    expect(await admin.page.getByRole('alert').count()).toBe(0)
    const none = { since: '', until: '', accounts: [], is_truncated: false }
    answer = { status: 200, json: { success: true, message: '', data: none } }
    await admin.page.goto(`${s.t.url}/dashboard/provider-health`)
    await admin.page.getByText('No attempts in this period').waitFor()
  }, 90_000)
})
