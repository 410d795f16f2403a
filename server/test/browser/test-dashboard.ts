import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, vi } from 'vitest'
import { buildDashboard } from '@switchyard/dashboard/build/build-dashboard.ts'
import type { Role } from '../../src/lib/requests/access.ts'
import { hasBrowser, startTestBrowser, untilInPage, type TestBrowser } from './browser.ts'
import type { TestAppOptions } from '../app/test-app.ts'
import { startTestPayments, type TestPayments } from '../worlds/test-payments.ts'
import { startSignIn, type Account, type SignInTest } from '../worlds/test-sign-in.ts'
import { startTestWorker } from '../app/test-worker.ts'
import { useStarted } from '../app/use-started.ts'

interface DashboardOptions extends TestAppOptions {
  delayMs?: number
  /** Starts the worker too, for tests in which a payment ends or an event is delivered by itself. */
  hasWorker?: boolean
}

interface OpenOptions {
  /** Below /dashboard. */
  path?: string
  viewport?: { width: number; height: number }
  /** English, unless given. */
  locale?: string
  /** A person who was added before, for a second browser. */
  account?: Account
  /** The first organisation, unless given. */
  orgId?: string
  /** Signs in on the pages of the identity provider, as a person does; without it the session is there already. */
  onPages?: boolean
}

interface OpenedDashboard {
  account: Account
  page: Page
  context: BrowserContext
  /** Errors in the console and requests to other hosts; a test expects none. */
  troubles: string[]
}

interface DashboardTest extends Omit<SignInTest<TestPayments>, 'close'> {
  orgId: string
  browser: TestBrowser
  /** Signs a new member of this role in, in a browser of their own. */
  openAs(role: Role, options?: OpenOptions): Promise<OpenedDashboard>
}

const actionTimeoutMs = 45_000
const testTimeoutMs = 120_000
const desktop = { width: 1280, height: 800 }
const screenshotDir = process.env['DASHBOARD_SCREENSHOTS']

/**
 * The API, the simulator behind its providers, the identity provider and a browser, for the tests of a file. Wrap the
 * tests in `describe.skipIf(!hasBrowser)`: without a browser nothing is started.
 */
export function useDashboard(options: DashboardOptions = {}): DashboardTest {
  // Every step waits for a page, and a busy machine runs several browsers.
  vi.setConfig({ testTimeout: testTimeoutMs, hookTimeout: testTimeoutMs })
  let browser: TestBrowser | undefined
  const dashboard = useStarted(
    async () => {
      if (!hasBrowser) return { close: () => Promise.resolve() } as DashboardTest & { close(): Promise<void> } // no test runs
      await buildDashboard()
      browser = await startTestBrowser()
      return startDashboard(options, browser)
    },
    (started) => started.close(),
  )
  afterEach(() => browser?.closePages())
  return dashboard
}

async function startDashboard(options: DashboardOptions, browser: TestBrowser) {
  const s = await startSignIn(options, startTestPayments)
  const worker = options.hasWorker ? await startTestWorker(s.t) : undefined
  const orgId = s.t.seed.orgs[0]?.org_id ?? ''
  const sessionOf = async (account: Account) => {
    const client = s.newBrowser()
    await client.signIn(account)
    return [...client.cookies].map(([name, value]) => ({ name, value, url: s.t.url }))
  }
  return {
    ...s,
    orgId,
    browser,
    async openAs(role: Role, opening: OpenOptions = {}): Promise<OpenedDashboard> {
      const account = opening.account ?? (await s.addAccount(opening.orgId ?? orgId, role))
      const { page, context } = await browser.open({
        viewport: opening.viewport ?? desktop,
        colorScheme: 'light',
        ...(opening.locale !== undefined && { locale: opening.locale }),
      })
      context.setDefaultTimeout(actionTimeoutMs)
      const troubles = watch(page, [s.t.url, s.issuer])
      if (opening.onPages !== true) await context.addCookies(await sessionOf(account))
      await page.goto(`${s.t.url}/dashboard${opening.path ?? ''}`)
      if (opening.onPages === true) {
        await page.locator('a[href^="/auth/login"]').click()
        await page.locator(`button[value="${account.userId}"]`).click()
        await page.getByRole('navigation').first().waitFor()
      }
      await untilInPage(page, `document.querySelector('nav')`)
      return { account, page, context, troubles }
    },
    async close() {
      await browser.closePages()
      await worker?.stop()
      await s.close()
    },
  }
}

/** Refusals and failures that a test provokes are reported by the browser as well. */
const provoked = /status of (?:400|401|403|404|409|422|500)/

function watch(page: Page, hosts: readonly string[]): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    const isOwn = message.location().url.startsWith(hosts[0] ?? '')
    if (isOwn && message.type() === 'error' && !provoked.test(message.text())) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    const isBlob = request.url().startsWith('blob:')
    if (!isBlob && !hosts.some((host) => request.url().startsWith(host)))
      troubles.push(`a request to ${request.url()}`)
  })
  return troubles
}

/** Keeps a picture of each theme in the folder DASHBOARD_SCREENSHOTS, if that is set. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (screenshotDir === undefined) return
  mkdirSync(screenshotDir, { recursive: true })
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(screenshotDir, `${name}-${colorScheme}.png`), fullPage: true })
  }
}
