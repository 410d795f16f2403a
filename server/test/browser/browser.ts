import { existsSync } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env['CHROMIUM_PATH'] ?? places.find((place) => existsSync(place))

/**
 * Whether browser tests can run on this machine. CI requires them; elsewhere they are skipped with a message when
 * no browser is installed.
 */
export const hasBrowser = executablePath !== undefined
if (!hasBrowser) {
  const message = `no browser found (${places.join(', ')}; or set CHROMIUM_PATH)`
  if (process.env['SWITCHYARD_BROWSER'] === 'required') throw new Error(message)
  process.stderr.write(`skipped browser tests: ${message}\n`)
}

/** The screen of a low-end phone. */
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 }
const actionTimeoutMs = 10_000

export interface TestBrowser {
  /** Opens a page in a context of its own, with separate cookies, language and colour scheme. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; context: BrowserContext }>
  /** Closes the pages that tests have left open. */
  closePages(): Promise<void>
  /** For programs, which do not end while the browser runs. */
  close(): Promise<void>
}

/** The files of a worker share one browser, which ends with the worker. Each test has contexts of its own. */
let launched: Promise<Browser> | undefined

const launch = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })

export async function startTestBrowser(): Promise<TestBrowser> {
  launched ??= launch()
  const browser = await launched
  return {
    async open(options = {}) {
      const context = await browser.newContext({ ...phone, locale: 'en-GB', ...options })
      context.setDefaultTimeout(actionTimeoutMs)
      return { context, page: await context.newPage() }
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    async close() {
      launched = undefined
      await browser.close()
    },
  }
}

const lookEveryMs = 15
const conditionLimitMs = 45_000

/** Waits in the page itself. Playwright's own waits look again only after up to half a second. */
export const untilInPage = (page: Page, condition: string): Promise<void> =>
  page.evaluate<void>(`new Promise((resolve, reject) => {
    const endMs = performance.now() + ${conditionLimitMs}
    const look = () => {
      if (${condition}) resolve()
      else if (performance.now() > endMs) reject(new Error(${JSON.stringify(`not in time: ${condition}`)}))
      else setTimeout(look, ${lookEveryMs})
    }
    look()
  })`)
