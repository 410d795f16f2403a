import { beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import { cardPayin, mobileMoneyPayin } from '../worlds/test-payments.ts'
import type { Json } from '../app/test-app.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })

beforeAll(async () => {
  if (!hasBrowser) return
  await s.t.initiate(cardPayin())
  await s.t.initiate(mobileMoneyPayin())
}, 120_000)

describe.skipIf(!hasBrowser)('members', () => {
  it('a person is invited, accepts, and signs in', async () => {
    const email = 'nia@example.test'
    const stranger = await s.addStranger(email)
    const { page, troubles } = await s.openAs('org-admin', { path: '/members' })
    await page.getByRole('button', { name: 'Invite' }).click()
    const form = page.getByRole('dialog', { name: 'Invite a person' })
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Role').selectOption('viewer')
    await shoot(page, 'members-invite')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('link', { name: 'Invitations' }).click()
    const row = page.getByRole('row', { name: new RegExp(email) })
    await row.getByText('Open').waitFor()
    await shoot(page, 'invitations')
    const path = `/v1/organizations/${s.orgId}/invitations`
    const { body } = await s.t.call('GET', path, { as: s.t.admin })
    const { invitation_id: id } = body.data.find((one: Json) => one.email === email)
    const token = s.t.deps.links.urlOf('invitation', { orgId: s.orgId, id }).split('/').at(-1)
    const accepted = await s.t.call('POST', '/v1/organizations/invitations/accept', {
      as: stranger.token,
      body: { token, first_name: 'Nia', last_name: 'New' },
    })
    expect(accepted.status).toBe(201)
    await page.reload()
    await row.getByText('Accepted').waitFor()
    await page.getByRole('link', { name: 'Members' }).last().click()
    await page.getByRole('link', { name: 'Nia New' }).waitFor()
    const nia = await s.openAs('viewer', { account: stranger, path: '/payments' })
    await nia.page.getByRole('heading', { name: 'Payments' }).waitFor()
    expect([...troubles, ...nia.troubles]).toEqual([])
  }, 60_000)

  it('permissions are granted in the matrix, which shows role, adjustment and result', async () => {
    const { userId } = await s.addAccount(s.orgId, 'viewer')
    const { page, troubles } = await s.openAs('org-admin', { path: `/members/${userId}` })
    const row = page.getByRole('row', { name: /webhooks:read/ })
    await row.getByRole('checkbox').check()
    await row.getByText('Granted').waitFor()
    await page.getByText('1 unsaved change').waitFor()
    await shoot(page, 'member')
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await page.getByText('The permissions were saved.').waitFor()
    const path = `/v1/organizations/${s.orgId}/members/${userId}`
    const { body } = await s.t.call('GET', path, { as: s.t.admin })
    expect(body.data.permissions).toContain('webhooks:read')
    expect(troubles).toEqual([])
  }, 60_000)

  it('nobody changes themselves, and the reason is beside the buttons', async () => {
    const { page, account } = await s.openAs('org-admin', { path: '/members' })
    await page.goto(`${s.t.url}/dashboard/members/${account.userId}`)
    await page.getByText('You cannot change your own role or permissions.').waitFor()
    expect(await page.getByRole('button', { name: 'Change role' }).isDisabled()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'webhooks:read' }).isDisabled()).toBe(true)
  }, 60_000)
})

describe.skipIf(!hasBrowser)('settings', () => {
  it('the colour of the payment page is tried in the preview, and saved', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/settings?view=branding' })
    const preview = `document.querySelector('[role="img"][aria-label="Preview of your payment page"] > div')`
    const accentOf = (): Promise<string> =>
      page.evaluate(`getComputedStyle(${preview}).getPropertyValue('--accent')`)
    await page.getByLabel('Accent colour', { exact: true }).fill('#0b6e4f')
    await expect.poll(accentOf).toBe('#0b6e4f')
    await shoot(page, 'branding')
    await page.getByRole('button', { name: 'Save branding' }).click()
    await page.getByText('The settings were saved.').waitFor()
    const { body } = await s.t.call('GET', `/v1/organizations/${s.orgId}`, { as: s.t.admin })
    expect(body.data.brand_color).toBe('#0b6e4f')
    expect(troubles).toEqual([])
  }, 60_000)
})

describe.skipIf(!hasBrowser)('the operator', () => {
  it('opens an organisation, switches a feature, and sees the installation', async () => {
    const { page, troubles } = await s.openAs('platform-admin', { path: '/organizations' })
    await page.getByRole('table', { name: 'Organisations' }).getByRole('link').last().click()
    await page.getByRole('button', { name: 'Edit terms' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'escrow' }).setChecked(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Terms' }).getByText('On', { exact: true }).waitFor()
    await shoot(page, 'operator-organization')
    await page.getByRole('link', { name: 'Installation' }).click()
    await page.getByRole('region', { name: 'Software' }).getByText('Current').waitFor()
    expect(troubles).toEqual([])
  }, 60_000)
})

const screens = {
  inbox: 'Inbox',
  analytics: 'Analytics',
  members: 'Members',
  invitations: 'Invitations',
  'audit-log': 'Audit log',
  settings: 'Settings',
  'settings?view=branding': 'Settings',
  'settings?view=verification': 'Settings',
  'settings?view=approvals': 'Settings',
  'settings?view=fees': 'Settings',
  organizations: 'Organisations',
  installation: 'Installation',
}

describe.skipIf(!hasBrowser)('every screen of the organisation and the operator', () => {
  it('has no violation of accessibility, light and dark', async () => {
    const { page, troubles } = await s.openAs('platform-admin')
    for (const [path, title] of Object.entries(screens)) {
      await page.goto(`${s.t.url}/dashboard/${path}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText('Loading').first().waitFor({ state: 'detached' })
      await shoot(page, path.replace('?view=', '-'))
      expect([path, ...(await violationsOf(page))]).toEqual([path])
    }
    expect(troubles).toEqual([])
  }, 180_000)

  it('is refused with the name of the permission, and says what failed', async () => {
    const viewer = await s.openAs('viewer')
    const refused = {
      'audit-log': 'audit-log:read',
      analytics: 'analytics:read',
      installation: 'platform:read',
    }
    for (const [path, permission] of Object.entries(refused)) {
      await viewer.page.goto(`${s.t.url}/dashboard/${path}`)
      await viewer.page.getByText(permission).waitFor()
    }
    const admin = await s.openAs('org-admin')
    await admin.page.route(/v1\/(?:organizations|users\/notifications|transactions|platform)/, (route) =>
      route.fulfill({ status: 500, json: { message: 'Something broke.' } }),
    )
    for (const path of ['inbox', 'analytics', 'members', 'invitations', 'audit-log', 'settings']) {
      await admin.page.goto(`${s.t.url}/dashboard/${path}`)
      await admin.page.getByRole('alert').getByText('Something broke.').first().waitFor()
    }
    expect(await admin.page.getByRole('button', { name: 'Try again' }).count()).toBe(1)
  }, 90_000)

  it('says what a list is for when it is empty', async () => {
    const { page } = await s.openAs('org-admin')
    await page.route(/v1\/(?:organizations\/|users\/notifications|transactions\/analytics)/, (route) => {
      const isTrends = route.request().url().includes('trends')
      const data = isTrends ? { series: [], totals: [] } : []
      return route.fulfill({ json: { success: true, message: '', data, meta: { count: 0 } } })
    })
    const empty = {
      inbox: 'Nothing here yet',
      analytics: 'No payments in this period',
      members: 'No members yet',
      invitations: 'No invitations yet',
      'audit-log': 'No entries yet',
    }
    for (const [path, title] of Object.entries(empty)) {
      await page.goto(`${s.t.url}/dashboard/${path}`)
      await page.getByText(title).waitFor()
      await shoot(page, `${path}-empty`)
    }
    expect(await page.getByRole('alert').count()).toBe(0)
  }, 60_000)
})

/** With a policy, more people wait for a second person, so this comes last. */
describe.skipIf(!hasBrowser)('approval policies', () => {
  it('one is added, and the change is in the audit log as a difference', async () => {
    const { page, troubles } = await s.openAs('org-admin', { path: '/settings?view=approvals' })
    await page.getByRole('button', { name: 'Add or change' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Currency').fill('kes')
    await form.getByLabel('Single payouts from').fill('250000')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /KES.*250,000\.00/ }).waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    const row = page.getByRole('row', { name: /approval-polic/ }).first()
    await row.locator('summary').click()
    await row.getByText('250000', { exact: false }).first().waitFor()
    await shoot(page, 'audit-log-diff')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('From').fill('2030-01-01')
    await page.getByText('Nothing matches these filters').waitFor()
    expect(troubles).toEqual([])
  }, 60_000)
})
