import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildDashboard } from './build-dashboard.ts'
import { distDirectory } from './dist-directory.ts'
import { limits, measureFiles, type FileSizes } from './file-sizes.ts'

let page: string
let sizes: FileSizes

beforeAll(async () => {
  await buildDashboard()
  page = readFileSync(join(distDirectory, 'index.html'), 'utf8')
  sizes = measureFiles()
}, 120_000)

describe('the built files', () => {
  it('have nothing inline, which the content security policy would refuse', () => {
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/)
    expect(page).not.toMatch(/https?:\/\//)
  })

  it('of the shell are within 150 kB and the styles within 20 kB, compressed', () => {
    expect(sizes.shell).toBeLessThanOrEqual(limits.shell)
    expect(sizes.styles).toBeLessThanOrEqual(limits.styles)
  })

  it('of each screen are within 40 kB, compressed', () => {
    const screens = Object.values(sizes.screens)
    expect(screens.length).toBeGreaterThanOrEqual(40)
    for (const size of screens) expect(size).toBeLessThanOrEqual(limits.screen)
  })

  it('of each language are within 40 kB, compressed, and none is part of the shell', () => {
    const languages = Object.entries(sizes.languages)
    expect(languages.length).toBeGreaterThan(0)
    for (const [language, size] of languages) {
      expect(size).toBeLessThanOrEqual(limits.language)
      expect(page).not.toContain(language)
    }
  })
})

describe('the colours', () => {
  it('have the values of the payment pages, in light and dark', () => {
    const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')
    const colours = (text: string, start: string): Record<string, string> =>
      Object.fromEntries(
        [
          ...text
            .slice(text.indexOf(start))
            .split('}')[0]!
            .matchAll(/(--[\w-]+): (#[\da-f]{6});/g),
        ].map((match) => [match[1], match[2]]),
      )
    const checkout = read('../../../checkout/src/checkout.css')
    const own = read('../ui/base.css')
    expect(Object.keys(colours(checkout, ':root')).length).toBeGreaterThan(8)
    expect(colours(own, ':root')).toMatchObject(colours(checkout, ':root'))
    const dark = checkout.slice(checkout.indexOf('prefers-color-scheme: dark'))
    expect(colours(own, "[data-theme='dark']")).toMatchObject(colours(dark, ':root'))
  })
})
