import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '@switchyard/dashboard/paths.ts'
import { hasBrowser } from '../../testing/browser.ts'
import { fillDashboard, type Subjects } from '../../testing/dashboard-world.ts'
import { flawsOf, prepareLooking, violationsIn } from '../../testing/look-at-page.ts'
import { shoot, useDashboard } from '../../testing/test-dashboard.ts'
import type { Account } from '../../testing/test-sign-in.ts'

const s = useDashboard({ env: { LOG_LEVEL: 'silent' } })
let subjects: Subjects
let account: Account

beforeAll(async () => {
  if (!hasBrowser) return
  // Before the approval policy, with which another administrator has to approve new members.
  account = await s.addAccount(s.orgId, 'platform-admin')
  subjects = await fillDashboard(s.t)
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
  '/no-such-screen',
]

const screens = [...Object.values(paths).filter((path) => path !== paths.signIn), ...views]

const fill = (path: string): string =>
  path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    const id = subjects[name]
    if (id === undefined) throw new Error(`${path}: the dashboard of this test has no ${name}`)
    return id
  })

const desktop = { width: 1280, height: 800 }
/** A window of 640 pixels has what one of 1280 has at a zoom of 200 %. */
const sizes = { phone: 390, 'small phone': 320, 'zoom of 200 %': 640 }

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${s.t.url}/dashboard${fill(path)}`)
  await page.locator('main h1, main p').first().waitFor()
  await page.locator('main :is([class*="skeleton"], [aria-busy="true"])').first().waitFor({ state: 'detached' })
  // With the first key the browser shows where the focus is.
  await page.keyboard.press('Tab')
}

async function lookAt(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [name, width] of Object.entries(sizes)) {
    await page.setViewportSize({ width, height: 844 })
    found.push(...(await flawsOf(page)).map((flaw) => `${name}: ${flaw}`))
  }
  await page.setViewportSize(desktop)
  await page.emulateMedia({ forcedColors: 'active' })
  found.push(...(await flawsOf(page)).map((flaw) => `forced colours: ${flaw}`))
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}

describe.skipIf(!hasBrowser)('every screen', () => {
  it.each(['en-GB', 'ar'])(
    'can be used on a phone, enlarged and in forced colours (%s)',
    async (locale) => {
      const { page, troubles } = await s.openAs('platform-admin', { account, locale })
      await prepareLooking(page)
      const flaws: Record<string, string[]> = {}
      for (const path of screens) {
        await open(page, path)
        const found = await lookAt(page)
        if (found.length > 0) flaws[path] = found
        await shoot(page, `flaws-${locale}${path.replaceAll(/\W/g, '-')}`)
      }
      expect(flaws).toEqual({})
      expect(troubles).toEqual([])
    },
    180_000,
  )
})
