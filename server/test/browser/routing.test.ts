import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { hasBrowser } from './browser.ts'
import { violationsOf } from './look-at-page.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import {
  fundedPayments,
  installationAccountId,
  kenyanPayin,
  type OrgPayments,
} from '../worlds/test-payments.ts'
import type { Account } from '../worlds/test-sign-in.ts'
import { foldOutcomes } from '../../src/domains/routing/signals/fold-outcomes.ts'
import { policies } from '../../src/domains/routing/policies/testing/use-policies.ts'

const s = useDashboard({ hasWorker: true, env: { LOG_LEVEL: 'silent' } })
const ruleName = 'Mobile money in Kenya'
let org: OrgPayments
let author: Account
let second: Account
let operator: Account

beforeAll(async () => {
  if (!hasBrowser) return
  org = await fundedPayments(s.t)
  author = await addNamed('Amara', 'Nwosu')
  second = await addNamed('Grace', 'Otieno')
  operator = await s.addAccount(org.orgId, 'platform-admin')
  // With a policy about payouts and several administrators, changes need a second person.
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
    policies: [{ currency: 'NGN', payout_from: 1_000_000 }],
  })
  await org.start(kenyanPayin())
}, 120_000)

async function addNamed(first: string, last: string): Promise<Account> {
  const account = await s.addAccount(org.orgId, 'org-admin')
  await s.t.owner.query('update members set first_name = $1, last_name = $2 where user_id = $3', [
    first,
    last,
    account.userId,
  ])
  return account
}

const open = (account: Account, path: string, more: object = {}) =>
  s.openAs('org-admin', { account, path, ...more })

const confirm = async (page: Page, name: string): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function addRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click()
  const form = page.getByRole('dialog', { name: 'Add a rule' })
  await form.getByLabel('Name').fill(ruleName)
  await form.getByLabel('Direction').selectOption('payin')
  await form.getByLabel('Mobile money', { exact: true }).check()
  await form.getByLabel('Countries', { exact: true }).fill('ke')
  await form.getByRole('combobox', { name: 'Strategy' }).selectOption('split')
  await form.getByRole('button', { name: 'Add a share' }).click()
  await form.getByLabel('Provider 1').selectOption('paystack')
  await form.getByRole('button', { name: 'Add a share' }).click()
  await form.getByLabel('Provider 2').selectOption('pawapay')
  await shoot(page, 'routing-policy-rule')
  expect(await violationsOf(page)).toEqual([])
  await confirm(page, 'Apply')
}

async function addSecondRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click()
  const form = page.getByRole('dialog', { name: 'Add a rule' })
  await form.getByLabel('Name').fill('Gold customers')
  await form.getByText('More conditions').click()
  await form.getByLabel('Metadata').fill('{"tier": "gold"}')
  await form.getByLabel('Preferred order').fill('pawapay')
  await confirm(page, 'Apply')
}

const namesOf = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Rules, in order' })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.querySelector('span span')?.textContent ?? ''))

/** By the numbers of the rules, with a key before the pointer is released. */
async function drag(page: Page, from: string, to: string, key?: string): Promise<void> {
  const handle = (number: string): Locator =>
    page.getByRole('list', { name: 'Rules, in order' }).getByText(number, { exact: true })
  await handle(from).hover()
  await page.mouse.down()
  await handle(to).hover()
  if (key !== undefined) await page.keyboard.press(key)
  await page.mouse.up()
}

describe.skipIf(!hasBrowser)('a routing policy', () => {
  it('is drafted, simulated, published by a second person, followed by the next payment and explained on its screen', async () => {
    const { page, troubles } = await open(author, '/routing-policy')
    await page.getByText('No policy is published').waitFor()
    await page.getByRole('link', { name: 'Write a draft' }).click()
    await addRule(page)
    await page.getByText('split 100% to Paystack, 0% to pawaPay').waitFor()
    await addSecondRule(page)
    expect(await namesOf(page)).toEqual([ruleName, 'Gold customers'])
    await page.getByRole('button', { name: 'Move Gold customers up' }).click()
    expect(await namesOf(page)).toEqual(['Gold customers', ruleName])
    await page.getByRole('button', { name: 'Edit Gold customers' }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    expect(await namesOf(page)).toEqual([ruleName, 'Gold customers'])
    await drag(page, '2', '1')
    expect(await namesOf(page)).toEqual(['Gold customers', ruleName])
    await drag(page, '1', '2', 'Escape')
    expect(await namesOf(page)).toEqual(['Gold customers', ruleName])
    await drag(page, '1', '2')
    expect(await namesOf(page)).toEqual([ruleName, 'Gold customers'])
    await shoot(page, 'routing-policy-editor')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('Paystack takes Kenya')
    await confirm(page, 'Save draft')
    await page.getByText('The draft is saved as version 1.').waitFor()

    await page.getByRole('tab', { name: 'What-if' }).click()
    await page.getByRole('button', { name: 'Run the simulation' }).click()
    await page.getByText('1 payment of 1 would have gone to another provider first.').waitFor()
    await page.getByText('The expected rate leaves them out.').waitFor()
    await shoot(page, 'routing-what-if')
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByText('Added').first().waitFor()
    await shoot(page, 'routing-policy-publish')
    expect(await violationsOf(page)).toEqual([])
    await confirm(page, 'Publish')
    await page.getByText('This is waiting for a second person').waitFor()
    await shoot(page, 'routing-policy-held')
    await page.getByRole('link', { name: 'Open the change request' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const request = new URL(page.url()).pathname.replace('/dashboard', '')

    const other = await open(second, request)
    await other.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await confirm(other.page, 'Approve')
    await expect.poll(publishedVersion).toBe(1)

    // Every process follows a publication within two seconds.
    let paymentId = ''
    const nextProvider = async (): Promise<string> => {
      const { response } = (await org.initiate(kenyanPayin())).body
      paymentId = response.payment_id
      return response.provider
    }
    await expect.poll(nextProvider, { timeout: defaultWaitMs }).toBe('paystack')
    await page.goto(`${s.t.url}/dashboard/payments/${paymentId}`)
    const route = page.getByRole('region', { name: 'Route' })
    await route.getByText('Your organisation, version 1').waitFor()
    await route.getByText(ruleName).waitFor()
    const first = route.getByRole('listitem').first()
    expect(await first.innerText()).toMatch(/Paystack[^]*Share 100%/)
    await shoot(page, 'routing-decision')
    expect(await violationsOf(page)).toEqual([])
    expect([...troubles, ...other.troubles]).toEqual([])
  }, 120_000)

  it('is rolled back at once by one person, from the list of versions', async () => {
    const next = await org.call('PUT', `${policies}/draft`, {
      document: { rules: [], otherwise: { type: 'cost' } },
    })
    const { version } = next.body.data
    const held = await org.call('POST', `${policies}/${version}/publish`, {})
    const { request_id: requestId } = held.body.data
    const other = await open(second, `/approvals/changes/${org.orgId}/${requestId}`)
    await other.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await confirm(other.page, 'Approve')
    await expect.poll(publishedVersion).toBe(version)

    const { page, troubles } = await open(author, '/routing-policy')
    await page.getByRole('button', { name: 'Roll back to version 1' }).click()
    await confirm(page, 'Roll back')
    await page.getByText('Restores version 1').waitFor()
    expect(await publishedVersion()).toBe(version + 1)
    await shoot(page, 'routing-policy-versions')
    expect(troubles).toEqual([])
  }, 60_000)

  it('has no violation of accessibility, light and dark', async () => {
    const { page, troubles } = await open(author, '/routing-policy')
    const check = async (name: string): Promise<void> => {
      await page.getByText('Loading').waitFor({ state: 'detached' })
      await shoot(page, name)
      expect(await violationsOf(page)).toEqual([])
    }
    await page.getByRole('table', { name: 'Versions' }).waitFor()
    await check('routing-policy')
    await page.getByRole('tab', { name: 'Draft editor' }).click()
    await page.getByRole('button', { name: 'Add rule' }).waitFor()
    await check('routing-policy-editor')
    expect(troubles).toEqual([])
  }, 60_000)

  it('is refused with the name of the permission, and says what the server refused', async () => {
    const viewer = await s.openAs('viewer', { path: '/routing-policy', orgId: org.orgId })
    await viewer.page.getByText('provider-configs:read').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    const { page } = await open(author, '/routing-policy?view=editor')
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Document').fill('{"rules": []}')
    await form.getByRole('button', { name: 'Apply' }).click()
    await form.getByText('A policy needs a list of “rules” and an “otherwise”.').waitFor()
    await form.getByLabel('Document').fill('{"rules": [], "otherwise": {"type": "fastest"}}')
    await confirm(page, 'Apply')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText('These changes are not saved yet.').waitFor({ state: 'detached' })
  }, 60_000)
})

describe.skipIf(!hasBrowser)('provider health', () => {
  it('is drawn over time, and the operator schedules and deletes maintenance', async () => {
    await org.start(kenyanPayin())
    const countedRoutes = async (): Promise<number> => {
      await foldOutcomes(s.t.deps)
      return (await org.call('GET', '/v1/routing/health')).body.data.routes.length
    }
    await expect.poll(countedRoutes, { timeout: 40_000, interval: 1_000 }).toBeGreaterThan(0)
    const { page, troubles } = await open(operator, '/provider-health?window=60')
    await page.getByRole('table', { name: 'Over time, by account and corridor' }).waitFor()
    await page.getByText('Kenya, mobile money, payin').first().waitFor()
    await page.getByRole('button', { name: 'Schedule maintenance' }).click()
    const form = page.getByRole('dialog', { name: 'Schedule maintenance' })
    await form.getByLabel('Account').selectOption(await installationAccountId(s.t, 'paystack'))
    await form.getByLabel('Starts').fill('2036-03-01T01:00')
    await form.getByLabel('Ends').fill('2036-03-01T03:00')
    await form.getByLabel('Reason').fill('New hardware')
    await confirm(page, 'Schedule maintenance')
    await page.getByText('New hardware').waitFor()
    await shoot(page, 'provider-health-over-time')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete the window of paystack' }).click()
    await confirm(page, 'Delete')
    await page.getByText('No maintenance is scheduled').waitFor()
    expect(troubles).toEqual([])
  }, 120_000)
})

const publishedVersion = async (): Promise<number | undefined> => {
  const { body } = await org.call('GET', policies)
  return body.data.find(({ state }: { state: string }) => state === 'published')?.version
}
