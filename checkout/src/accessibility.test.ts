import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, startTestBrowser, type TestBrowser } from '@switchyard/server/test/browser/browser.ts'
import { languages } from './languages.ts'
import { sampleScenes } from './testing/sample-pages.ts'
import { fitFrames, startSceneServer } from './testing/scene-server.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><path d="M0 0h300v60H0z"/></svg>'
let server: Awaited<ReturnType<typeof startSceneServer>>
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startSceneServer({ color: '#f2b705', logo })
  browser = await startTestBrowser()
  ;({ page } = await browser.open())
  await page.addInitScript({ content: axeSource })
})
afterAll(async () => {
  if (!hasBrowser) return
  await browser.closePages()
  server.close()
})

/** About thirty frames are loaded at once. */
const loadTimeoutMs = 25_000
const names = Object.keys(sampleScenes)

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** axe runs in the page itself, because its Playwright package opens another page for every run. */
async function violationsOf(options: object): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Colour schemes differ only in contrast, and languages only in their language and direction attributes. */
const inDark = { runOnly: ['color-contrast'] }
const inArabic = {
  runOnly: ['html-has-lang', 'html-lang-valid', 'valid-lang', 'label', 'scrollable-region-focusable'],
}

describe.skipIf(!hasBrowser)('axe finds no violation', () => {
  it.each(names)('%s', async (name) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${server.url}/en/${encodeURIComponent(name)}`)
    expect(await violationsOf({})).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(inDark)).toEqual([])
  })

  it.each(['choose mobile money', 'prompt', 'transfer', 'done'])('%s in Arabic', async (name) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${server.url}/ar/${encodeURIComponent(name)}`)
    expect(await violationsOf(inArabic)).toEqual([])
  })
})

/** 640 pixels equal a window of 1280 pixels at a zoom of 200%; enlarged text is a separate case. */
const screens = [
  { width: 320 },
  { width: 390 },
  { width: 640 },
  { width: 1280 },
  { width: 640, text: '200%' },
] as const

describe.skipIf(!hasBrowser)('no scene is wider than the screen, at any zoom', () => {
  it.each(languages)('%s', async (language) => {
    const { page: sheet } = await browser.open({ viewport: { width: 1400, height: 900 } })
    const query = new URLSearchParams(names.map((name): [string, string] => ['of', `${language}/${name}`]))
    await sheet.goto(`${server.url}/sheet?${query.toString()}`, { timeout: loadTimeoutMs })
    for (const screen of screens) expect(await sheet.evaluate<string[]>(fitFrames(screen))).toEqual([])
    await sheet.close()
  })
})
