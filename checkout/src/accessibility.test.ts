import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, startTestBrowser, type TestBrowser } from '@switchyard/server/testing/browser.ts'
import { assetsFor, findAsset } from './assets.ts'
import { languages, type Language } from './languages.ts'
import { renderPage } from './render-page.ts'
import { samplePage, sampleScenes } from './testing/sample-pages.ts'

const color = '#f2b705'
let server: Server
let url: string
let browser: TestBrowser
let page: Page

/** Serves the rendered pages without the API behind them: `/ar/otp` is the scene `otp` in Arabic. */
beforeAll(async () => {
  if (!hasBrowser) return
  server = createServer((request, response) => {
    const [, first = '', second = ''] = decodeURIComponent(request.url ?? '').split('/')
    const asset = first === 'pay-assets' ? findAsset(second) : undefined
    const scene = sampleScenes[second]
    const language = languages.find((known) => known === first)
    if (asset) return response.setHeader('content-type', asset.type).end(asset.body)
    if (!scene || !language) return response.writeHead(404).end()
    const merchant = { name: 'Kilimani Books', logoUrl: undefined, color }
    const text = renderPage(samplePage(scene, language, { merchant }), assetsFor(color))
    response.setHeader('content-type', 'text/html; charset=utf-8').end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await startTestBrowser()
  ;({ page } = await browser.open())
})
afterAll(async () => {
  if (!hasBrowser) return
  await browser.close()
  server.close()
})

const names = Object.keys(sampleScenes)
const cases = (['en', 'ar'] as const).flatMap((language) => names.map((name) => [name, language] as const))

async function violationsOf(
  name: string,
  language: Language,
  colorScheme: 'light' | 'dark',
): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  await page.goto(`${url}/${language}/${encodeURIComponent(name)}`)
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe.skipIf(!hasBrowser)('axe finds no violation', () => {
  it.each(cases)('%s in %s, light and dark', async (name, language) => {
    expect(await violationsOf(name, language, 'light')).toEqual([])
    expect(await violationsOf(name, language, 'dark')).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('a small screen', () => {
  it.each(names)('%s does not overflow 320 pixels in any language', async (name) => {
    await page.setViewportSize({ width: 320, height: 640 })
    for (const language of languages) {
      await page.goto(`${url}/${language}/${encodeURIComponent(name)}`)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect([language, width]).toEqual([language, 320])
    }
    await page.setViewportSize({ width: 390, height: 844 })
  })
})
