import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestBrowser, type TestBrowser } from '@switchyard/server/test/browser/browser.ts'
import { repositoryDir } from '../../repository-dir.ts'
import type { BrowserContextOptions } from 'playwright-core'
import { languages } from '@switchyard/checkout/languages.ts'
import { sampleScenes } from '@switchyard/checkout/testing/sample-pages.ts'
import { fitFrames, startSceneServer } from '@switchyard/checkout/testing/scene-server.ts'

/**
 * `npm run checkout:pictures -- [FOLDER [NAME…]]` takes every scene at three widths, in two colour schemes and five languages, at a
 * zoom of 200 %, in forced colours and printed, as sheets of many scenes, or only those whose names begin so. Without a
 * folder it takes the guide's pictures.
 */
const guide = join(repositoryDir, 'docs/checkout')
const [folder, ...wanted] = process.argv.slice(2)
const color = '#0b6e4f'
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="150" height="36" viewBox="0 0 150 36"><text x="2" y="26" font-family="Georgia,serif" font-size="24" fill="#0b6e4f">Kilimani</text></svg>'
const quality = 80
const settleMs = 300
const timeoutMs = 60_000
const scenesPerSheet = 10

interface Screen {
  name: string
  width: number
  text?: string
  /** Of the sheet, so that wide scenes fit on it. */
  scale: number
  options: BrowserContextOptions
}

const schemes = ['light', 'dark'] as const
const screens: readonly Screen[] = [
  ...schemes.flatMap((colorScheme) => [
    { name: `320-${colorScheme}`, width: 320, scale: 1, options: { colorScheme } },
    { name: `390-${colorScheme}`, width: 390, scale: 1, options: { colorScheme } },
    { name: `1280-${colorScheme}`, width: 1280, scale: 0.5, options: { colorScheme } },
  ]),
  { name: 'zoom', width: 640, scale: 1, text: '200%', options: {} },
  { name: 'forced-colours', width: 390, scale: 1, options: { forcedColors: 'active' } },
]

interface Picture {
  name: string
  path: string
  options: BrowserContextOptions
  isPrinted?: boolean
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }
const pictures: readonly Picture[] = [
  { name: 'page', path: 'en/choose', options: { viewport: desktop } },
  { name: 'page-dark', path: 'en/choose', options: { viewport: desktop, colorScheme: 'dark' } },
  { name: 'choose-fr', path: 'fr/choose', options: { viewport: phone } },
  { name: 'errors', path: 'en/choose with errors', options: { viewport: phone } },
  { name: 'otp-wrong-pt-dark', path: 'pt/otp wrong', options: { viewport: phone, colorScheme: 'dark' } },
  { name: 'prompt-sw', path: 'sw/prompt', options: { viewport: phone } },
  { name: 'transfer-ar', path: 'ar/transfer', options: { viewport: phone } },
  { name: 'receipt', path: 'en/done', options: { viewport: phone } },
  { name: 'receipt-printed', path: 'en/done', options: { viewport: phone }, isPrinted: true },
  { name: 'hosted-card', path: 'en/choose one', options: { viewport: phone } },
  { name: 'failed-fr', path: 'fr/failed', options: { viewport: phone } },
]

const server = await startSceneServer({ color, logo })
const browser = await startTestBrowser()
try {
  if (folder === undefined) await takeGuide(browser)
  else await takeSheets(browser, folder)
} finally {
  await browser.close()
  server.close()
}

async function takeSheets(browser: TestBrowser, target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  const names = Object.keys(sampleScenes)
  for (const screen of screens)
    for (const language of languages)
      for (let first = 0; first < names.length; first += scenesPerSheet) {
        const shown = names.slice(first, first + scenesPerSheet).map((name) => `${language}/${name}`)
        const file = `${screen.name}-${language}-${first / scenesPerSheet + 1}.webp`
        const isWanted = wanted.length === 0 || wanted.some((name) => file.startsWith(name))
        if (isWanted) await takeSheet(browser, screen, { shown, file: join(target, file) })
      }
}

async function takeSheet(
  browser: TestBrowser,
  screen: Screen,
  { shown, file }: { shown: readonly string[]; file: string },
): Promise<void> {
  const perRow = Math.ceil(scenesPerSheet / 2)
  const width = Math.ceil(screen.width * screen.scale + 8) * perRow + 8
  const { page, context } = await browser.open({ ...screen.options, viewport: { width, height: 900 } })
  const query = new URLSearchParams(shown.map((path): [string, string] => ['of', path]))
  await page.goto(`${server.url}/sheet?${query.toString()}`, { timeout: timeoutMs })
  await page.evaluate(fitFrames(screen))
  await page.waitForTimeout(settleMs)
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height })
  await shoot(page, file)
  await context.close()
}

async function takeGuide(browser: TestBrowser): Promise<void> {
  await rm(guide, { recursive: true, force: true })
  await mkdir(guide, { recursive: true })
  for (const { name, path, options, isPrinted } of pictures) {
    const { page, context } = await browser.open(options)
    await page.goto(`${server.url}/${path.split('/').map(encodeURIComponent).join('/')}`)
    if (isPrinted === true) await page.emulateMedia({ media: 'print' })
    await page.waitForTimeout(settleMs)
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    await page.setViewportSize({ width: options.viewport?.width ?? 0, height })
    await shoot(page, join(guide, `${name}.webp`))
    await context.close()
  }
}

async function shoot(page: Awaited<ReturnType<TestBrowser['open']>>['page'], file: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await session.detach()
  await writeFile(file, Buffer.from(data, 'base64'))
  process.stdout.write(`${file}\n`)
}
