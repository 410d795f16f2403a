import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { roles } from '../../src/lib/requests/access.ts'
import { hasBrowser, untilInPage } from './browser.ts'
import { memberOf, type Json } from '../app/test-app.ts'
import { takeTurns } from '../app/take-turns.ts'
import { untilAnswered, watchRequests } from './pending-requests.ts'
import { useDashboard } from './test-dashboard.ts'
import { cardPayin, mobileMoneyPayin } from '../worlds/test-payments.ts'
import { webhooksPath } from '../app/test-webhooks.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })

beforeAll(async () => {
  if (!hasBrowser) return
  await s.t.initiate(cardPayin())
  await s.t.initiate(mobileMoneyPayin())
  const body = { endpoint_url: 'https://example.com/hook', description: 'Orders' }
  await s.t.call('POST', webhooksPath, { as: s.t.admin, body })
  await openAccountAndEscrow()
}, 120_000)

/** An account and an escrow with a party and a milestone, so that their screens have buttons for every step. */
async function openAccountAndEscrow(): Promise<void> {
  await s.t.owner.query(`update organizations set features = array['escrow'] where org_id = $1`, [s.orgId])
  const make = async (path: string, body: Json): Promise<Json> => {
    const answer = await s.t.call('POST', `/v1/virtual-accounts${path}`, { as: s.t.admin, body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.data
  }
  const { user_id } = memberOf(s.t.seed.orgs[0], 'org-admin')
  const account = await make('/internal/bank', { org_id: s.orgId, user_id, currency: 'NGN' })
  const escrow = await make('/escrow', { name: 'Warehouse', currency: 'NGN' })
  const path = `/escrow/${escrow.escrow_id}`
  await make(`${path}/parties`, { name: 'Ade Builders', account_id: account.account_id })
  await make(`${path}/milestones`, { label: 'Foundations', expected_disbursement: 500 })
}

/** These end the walk's own session, or leave a file behind. */
const notClicked = /^(?:End|Sign out|Export|Copy)/
const limitMs = 600_000
const clickMs = 3_000

const main = (page: Page): Locator => page.locator('main')
const hasLoaded = `!document.querySelector('main')?.textContent.includes('Loading')`
const isGone = (role: string): string => `!document.querySelector('[role="${role}"]')`
const hasHeading = `document.querySelector('main h1')`

async function settle(page: Page): Promise<void> {
  await untilAnswered(page)
  await untilInPage(page, hasLoaded)
}

async function arrive(page: Page): Promise<void> {
  await untilInPage(page, hasHeading)
  await settle(page)
}

/** The names of the buttons of the screen, each once; rows repeat theirs. */
const buttonNames = (page: Page): Promise<string[]> =>
  main(page)
    .locator('button:enabled, summary')
    .evaluateAll((buttons) => [
      ...new Set(buttons.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? '')),
    ])

/** Links that differ by an id or a value only are of one kind. */
const kindOf = (href: string): string => href.replaceAll(/[\da-f-]{36}|=[^&]*/g, ':id')

/** The links of the screen, one of each kind. */
async function linkPaths(page: Page): Promise<string[]> {
  const hrefs = await main(page)
    .locator('a[href^="/dashboard"], a[href^="?"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  return [...new Map(hrefs.map((href) => [kindOf(href), href])).values()]
}

/** Back costs less than a reload, but buttons may have left entries of their own in the history. */
async function returnTo(page: Page, start: string): Promise<void> {
  await page.goBack()
  if (page.url() !== start) await page.goto(start)
  await arrive(page)
}

async function clickButtons(page: Page): Promise<number> {
  let clicked = 0
  const start = page.url()
  for (const name of (await buttonNames(page)).filter((one) => !notClicked.test(one))) {
    const button = main(page).locator('button:enabled, summary').filter({ visible: true })
    const target = button.and(
      page.locator(`[aria-label=${JSON.stringify(name)}]`).or(page.getByText(name, { exact: true })),
    )
    if ((await target.count()) === 0) continue
    // A row disappears when its list is read again.
    const isClicked = await target
      .first()
      .click({ timeout: clickMs })
      .then(
        () => true,
        () => false,
      )
    if (!isClicked) continue
    clicked++
    await settle(page)
    if ((await page.getByRole('menu').count()) > 0) {
      await page.keyboard.press('Escape')
      await untilInPage(page, isGone('menu'))
    }
    const dialog = page.getByRole('dialog')
    if ((await dialog.count()) > 0) {
      await dialog
        .getByRole('button', { name: /Cancel|Close|I have stored it/ })
        .first()
        .click()
      await untilInPage(page, isGone('dialog'))
    }
    if (page.url() !== start) {
      await page.goto(start)
      await settle(page)
    }
  }
  return clicked
}

describe.skipIf(!hasBrowser)('a walk over all screens, links and buttons', () => {
  it.each(roles)(
    'reaches nothing that is refused, and causes no error, as %s',
    async (role) => {
      const { page, troubles } = await s.openAs(role)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403 || response.status() >= 500)
          refused.push(`${response.status()} ${response.request().method()} ${response.url()}`)
      })
      watchRequests(page)
      const navigation = page.getByRole('navigation', { name: 'Main' })
      // Every screen is visited by one half of the roles.
      const names = takeTurns(await navigation.getByRole('link').allTextContents(), 2, roles.indexOf(role))
      expect(names.length).toBeGreaterThan(2)
      const visited: string[] = []
      const kinds = new Set<string>()
      let clicked = 0
      for (const name of names) {
        await navigation.getByRole('link', { name, exact: true }).click()
        await arrive(page)
        visited.push(name)
        const start = page.url()
        clicked += await clickButtons(page)
        for (const href of await linkPaths(page)) {
          if (kinds.has(kindOf(href))) continue
          kinds.add(kindOf(href))
          await main(page)
            .locator(`a[href=${JSON.stringify(href)}]`)
            .first()
            .click()
          await arrive(page)
          clicked += 1 + (await clickButtons(page))
          await returnTo(page, start)
        }
      }
      expect(visited).toEqual(names)
      expect(clicked).toBeGreaterThan(0)
      expect(refused).toEqual([])
      expect(troubles).toEqual([])
    },
    limitMs,
  )
})
