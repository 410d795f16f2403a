import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '@switchyard/dashboard/paths.ts'
import { hasBrowser, untilInPage } from './browser.ts'
import { fillDashboard, type Subjects } from './dashboard-world.ts'
import { runsAll, takeTurns } from '../app/take-turns.ts'
import { flawsOf, prepareLooking, violationsOf } from './look-at-page.ts'
import { untilAnswered, watchRequests } from './pending-requests.ts'
import { shoot, useDashboard } from './test-dashboard.ts'
import type { Account } from '../worlds/test-sign-in.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })
let subjects: Subjects
let account: Account

beforeAll(async () => {
  if (!hasBrowser) return
  subjects = await fillDashboard(s.t)
  account = await s.addAccount(s.orgId, 'platform-admin')
}, 180_000)
afterAll(async () => {
  if (!hasBrowser) return
  // The seeds write the data of events by SQL, which puts other spaces into it than the API.
  await s.t.owner.query(`delete from events where data like '{"%": %'`)
})

/** Views of a screen that are behind a tab or a filter. */
const views = [
  '/payments?q=no-such-reference',
  '/approvals?view=changes',
  '/routing?country=NG&method=bank_transfer&direction=inbound',
  '/routing-policy?view=editor',
  '/routing-policy?view=what-if',
  '/settings?view=branding',
  '/settings?view=verification',
  '/settings?view=approvals',
  '/settings?view=fees',
]
const nowhere = '/no-such-screen'
const screens = [...Object.values(paths).filter((path) => path !== paths.signIn), ...views, nowhere]

const fill = (path: string): string =>
  path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    const id = subjects[name]
    if (id === undefined) throw new Error(`${path}: the dashboard of this test has no ${name}`)
    return id
  })

const desktop = { width: 1280, height: 800 }
const smallPhone = { width: 320, height: 844 }
/** A window of 640 pixels has what one of 1280 has at a zoom of 200 %. */
const sizes = { phone: 390, 'small phone': 320, 'zoom of 200 %': 640 }

/** Without loading the page anew. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.querySelector('main h1')?.setAttribute('data-left', '')
    history.pushState(null, '', ${JSON.stringify(`/dashboard${fill(path)}`)})
    dispatchEvent(new PopStateEvent('popstate'))`)
  await untilInPage(page, `document.querySelector('main h1:not([data-left])')`)
}

const untilLoaded = (page: Page): Promise<void> =>
  untilInPage(
    page,
    `!document.querySelector(':is(main, [role="dialog"]) :is([class*="skeleton"], [aria-busy="true"])')`,
  )

/** Two views of one screen have the same heading, so that the way leads over another one. */
async function open(page: Page, path: string): Promise<void> {
  await goTo(page, path === nowhere ? paths.inbox : nowhere)
  await goTo(page, path)
  await untilLoaded(page)
  // With the first key the browser shows where the focus is.
  await page.keyboard.press('Tab')
}

/** The navigation is the same on every screen, so it is looked at once. */
async function lookAt(page: Page, path: string): Promise<string[]> {
  const part = path === paths.home ? 'body' : 'main'
  const found: string[] = []
  for (const [name, width] of Object.entries(sizes)) {
    await page.setViewportSize({ width, height: 844 })
    found.push(...(await flawsOf(page, part)).map((flaw) => `${name}: ${flaw}`))
  }
  await page.setViewportSize(desktop)
  await page.emulateMedia({ forcedColors: 'active' })
  found.push(...(await flawsOf(page, part)).map((flaw) => `forced colours: ${flaw}`))
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}

/** What is found on each screen where something is found. */
async function walk(
  page: Page,
  visited: readonly string[],
  look: (path: string) => Promise<string[]>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of visited) {
    await open(page, path)
    const here = await look(path)
    if (here.length > 0) found[path] = here
  }
  return found
}

async function openAs(locale: string) {
  const opened = await s.openAs('platform-admin', { account, locale })
  await prepareLooking(opened.page)
  await opened.page.reload()
  await opened.page.locator('main h1').first().waitFor()
  return opened
}

/** The buttons of the screen, each name once. */
const buttonsOf = (page: Page): Locator =>
  page.locator('main button:enabled:not([aria-disabled="true"])').filter({ visible: true })

const buttonNames = (page: Page): Promise<string[]> =>
  buttonsOf(page).evaluateAll((buttons) => [
    ...new Set(buttons.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? '')),
  ])

/** A click has taken effect in the second frame after it. */
const untilPainted = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')

/** Opens every dialog of the screen, looks at it and closes it. */
async function lookAtDialogs(page: Page): Promise<string[]> {
  const start = page.url()
  const found: string[] = []
  for (const name of await buttonNames(page)) {
    const named = page
      .locator(`[aria-label=${JSON.stringify(name)}]`)
      .or(page.getByText(name, { exact: true }))
    const button = buttonsOf(page).and(named).first()
    if ((await button.count()) === 0) continue
    await button.click()
    const dialog = page.getByRole('dialog')
    await untilPainted(page)
    // An answer that comes later would change this dialog, or the next one, while it is judged.
    await untilAnswered(page)
    if ((await dialog.count()) > 0) {
      dialogs++
      await untilLoaded(page)
      await page.keyboard.press('Tab')
      const flaws = [...(await flawsOf(page, 'main')), ...(await violationsOf(page, 'dialog'))]
      found.push(...flaws.map((flaw) => `${name}: ${flaw}`))
      await shoot(page, `dialog-${dialogs}`)
    }
    await page.keyboard.press('Escape')
    await untilInPage(page, `!document.querySelector('[role="dialog"]')`)
    if (page.url() !== start) await open(page, start.slice(start.indexOf('/dashboard') + '/dashboard'.length))
  }
  return found
}
let dialogs = 0

describe.skipIf(!hasBrowser)('every screen', () => {
  it('can be used on a phone, enlarged and in forced colours', async () => {
    const { page, troubles } = await openAs('en-GB')
    expect(await walk(page, takeTurns(screens, 2), (path) => lookAt(page, path))).toEqual({})
    expect(troubles).toEqual([])
  }, 180_000)

  it('can be used so in Arabic too, and has no violation of accessibility there, light and dark', async () => {
    const { page, troubles } = await openAs('ar')
    const look = async (path: string): Promise<string[]> => [
      ...(await lookAt(page, path)),
      ...(await violationsOf(page, 'dialog')),
    ]
    expect(await walk(page, takeTurns(screens, 2, 1), look)).toEqual({})
    expect(troubles).toEqual([])
  }, 240_000)
})

describe.skipIf(!hasBrowser)('every dialog', () => {
  it('can be used on a small phone, and has no violation of accessibility in Arabic, light and dark', async () => {
    const { page, troubles } = await openAs('ar')
    await page.setViewportSize(smallPhone)
    watchRequests(page)
    // What a button does without a dialog changes nothing, so that every screen stays as it was filled.
    await page.route('**/v1/**', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status: 400, json: { status: 'error', message: 'Not in this test.' } }),
    )
    expect(await walk(page, takeTurns(screens, 3), () => lookAtDialogs(page))).toEqual({})
    expect(dialogs).toBeGreaterThan(runsAll ? 30 : 8)
    expect(troubles).toEqual([])
  }, 240_000)
})
