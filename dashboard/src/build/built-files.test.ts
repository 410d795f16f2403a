import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildDashboard } from './build-dashboard.ts'
import { distDirectory } from './dist-directory.ts'

const shellLimit = 150_000
const screenLimit = 40_000
const styleLimit = 20_000
const languageLimit = 40_000

let page: string
const sizeOf = (path: string): number => gzipSync(readFileSync(join(distDirectory, path))).length
/** The files of the pattern, by their path in the built directory. */
const named = (pattern: RegExp): string[] =>
  [...page.matchAll(pattern)].map((match) => (match[1] ?? '').replace('/dashboard/', ''))
const built = (pattern: RegExp): string[] =>
  readdirSync(join(distDirectory, 'assets'))
    .filter((name) => pattern.test(name))
    .map((name) => `assets/${name}`)
const sum = (paths: readonly string[]): number => paths.reduce((total, path) => total + sizeOf(path), 0)

beforeAll(async () => {
  await buildDashboard()
  page = readFileSync(join(distDirectory, 'index.html'), 'utf8')
}, 120_000)

describe('the built files', () => {
  it('have nothing inline, which the content security policy would refuse', () => {
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/)
    expect(page).not.toMatch(/https?:\/\//)
  })

  it('of the shell are within 150 kB, compressed', () => {
    const scripts = named(/(?:src|modulepreload" crossorigin href)="([^"]+\.js)"/g)
    expect(scripts.length).toBeGreaterThan(1)
    expect(sum(scripts)).toBeLessThanOrEqual(shellLimit)
  })

  it('of the styles are within 20 kB, compressed', () => {
    const styles = named(/href="([^"]+\.css)"/g)
    expect(styles.length).toBeGreaterThan(0)
    expect(sum(styles)).toBeLessThanOrEqual(styleLimit)
  })

  it('of each screen are within 40 kB, compressed', () => {
    const screens = built(/^screen-[\w-]+\.js$/)
    expect(screens.length).toBeGreaterThanOrEqual(40)
    for (const screen of screens) expect(sizeOf(screen)).toBeLessThanOrEqual(screenLimit)
  })

  it('of each language are within 40 kB, compressed, and none is part of the shell', () => {
    const languages = built(/^catalogue-[\w-]+\.js$/)
    expect(languages.length).toBeGreaterThan(0)
    for (const language of languages) {
      expect(sizeOf(language)).toBeLessThanOrEqual(languageLimit)
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
