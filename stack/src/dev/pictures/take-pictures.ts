import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buildDashboard } from '@switchyard/dashboard/build/build-dashboard.ts'
import { startTestBrowser, type TestBrowser } from '@switchyard/server/test/browser/browser.ts'
import { repositoryDir } from '../../repository-dir.ts'
import { seed } from '../../seeds/seed.ts'
import { scratchDir } from '../../testing/scratch-dir.ts'
import type { DevFile } from '../connection-file.ts'
import { programFiles } from '../program-files.ts'
import { startDev } from '../start-dev.ts'
import { findSubjects } from './find-subjects.ts'
import { publishPolicy } from './publish-policy.ts'
import { arabicStates, darkStates, phoneStates, states, type State, type Subjects } from './states.ts'

const folder = join(repositoryDir, 'docs/dashboard')
const quality = 82
/** The page's stream of hints stays open, so the network is never idle for long. */
const quietMs = 2_000
const settleMs = 400
const actionTimeoutMs = 30_000
const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

interface Series {
  suffix: string
  chosen: readonly string[]
  options: BrowserContextOptions
}

/** Names of states after the command take only their pictures, and keep the others. */
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !states.some((state) => state.name === name))
if (unknown.length > 0) throw new Error(`there is no picture of ${unknown.join(', ')}`)

const series: readonly Series[] = [
  { suffix: '', chosen: states.map(({ name }) => name), options: { viewport: desktop } },
  { suffix: '-dark', chosen: darkStates, options: { viewport: desktop, colorScheme: 'dark' } },
  { suffix: '-phone', chosen: phoneStates, options: { viewport: phone } },
  { suffix: '-ar', chosen: arabicStates, options: { viewport: desktop, locale: 'ar' } },
]

const scratch = await scratchDir()
const [run] = await Promise.all([
  startDev({
    ports: 'random',
    dataDir: scratch.path,
    programs: programFiles,
    seed,
    signal: new AbortController().signal,
  }),
  buildDashboard(),
])
const browser = await startTestBrowser()
try {
  if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const subjects = await findSubjects(run.file)
  await publishPolicy(run.file)
  for (const one of series) await takeSeries(browser, run.file, subjects, one)
} finally {
  await browser.close()
  await run.stop()
  await scratch.remove()
}
process.exit(0)

async function takeSeries(
  browser: TestBrowser,
  file: DevFile,
  subjects: Subjects,
  { suffix, chosen, options }: Series,
): Promise<void> {
  const { page, context } = await browser.open(options)
  context.setDefaultTimeout(actionTimeoutMs)
  await signIn(page, file)
  const isWanted = ({ name }: State): boolean =>
    chosen.includes(name) && (wanted.length === 0 || wanted.includes(name))
  for (const state of states.filter(isWanted))
    await take(page, { state, url: `${file.dashboard}${state.path(subjects)}`, suffix })
  await context.close()
}

async function signIn(page: Page, { dashboard, orgs }: DevFile): Promise<void> {
  const admin = orgs[0]?.members.find(({ role }) => role === 'org-admin')
  await page.goto(dashboard)
  await page.locator('a[href*="/auth/login"]').click()
  await page.locator(`button[value="${admin?.user_id}"]`).click()
  await page.locator('nav').first().waitFor()
}

async function take(
  page: Page,
  { state, url, suffix }: { state: State; url: string; suffix: string },
): Promise<void> {
  await page.goto(url)
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: quietMs }).catch(() => undefined)
  await state.act?.(page)
  await page.waitForTimeout(settleMs)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await session.detach()
  await writeFile(join(folder, `${state.name}${suffix}.webp`), Buffer.from(data, 'base64'))
  console.log(`${state.name}${suffix}`)
}
