import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { assetsFor, findAsset } from './assets.ts'
import { accentOf, contrastOf, darkSurface, lightSurface } from './color.ts'
import { formatAmount } from './format.ts'
import { fill, html } from './html.ts'
import { chooseLanguage, languages, wishedCountries } from './languages.ts'
import { messagesFor } from './messages/catalogue.ts'
import { qrCode } from './qr-code.ts'
import { renderPage } from './render-page.ts'
import { samplePage, sampleScenes } from './testing/sample-pages.ts'

const assets = assetsFor('#0b6e4f')
const loadLimitBytes = 60 * 1024
const pageLimitBytes = 8 * 1024

describe('html', () => {
  it('escapes every value that it did not create', () => {
    const evil = `<script>"'&`
    expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(
      '<p title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</p>',
    )
    expect(fill('a <b> {x}', { x: evil }).markup).toBe(
      'a &lt;b&gt; <bdi>&lt;script&gt;&quot;&#39;&amp;</bdi>',
    )
  })

  it('an organisation’s name, a description or a provider’s hint never becomes markup', () => {
    const evil = '"><img src=x onerror=alert(1)>'
    for (const scene of Object.values(sampleScenes)) {
      const page = samplePage(scene, 'en', { merchant: { name: evil, logoUrl: evil, color: null } })
      expect(renderPage(page, assets)).not.toContain('<img src=x')
    }
  })
})

describe('a page', () => {
  const cases = Object.entries(sampleScenes).flatMap(([name, scene]) =>
    languages.map((language) => [name, language, scene] as const),
  )
  it.each(cases)(
    '%s in %s is complete: nothing inline, nothing from another origin, no unfilled placeholder',
    (...args) => {
      const [, language, scene] = args
      const text = renderPage(samplePage(scene, language), assets)
      expect(text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(text).not.toMatch(/<style|style="|<script(?! type="module" src=)|\son[a-z]+="/)
      expect(text).not.toMatch(/undefined|\[object|\{[a-z]+\}(?!")/i)
      const addresses = [...text.matchAll(/(?:src|href|action)="(https?:[^"]*)"/g)].map((match) => match[1])
      expect(addresses.filter((address) => !/shop\.example|bank\.example/.test(address ?? ''))).toEqual([])
      expect(brotliCompressSync(text).length).toBeLessThan(pageLimitBytes)
    },
  )

  it('never prefills card fields', () => {
    const text = renderPage(samplePage(sampleScenes['choose with errors']!, 'en'), assets)
    for (const name of ['card_number', 'expiry', 'cvc'])
      expect(text).not.toMatch(new RegExp(`name="${name}"[^>]*value=`))
    expect(text).toMatch(/name="card_number"[^>]*autocomplete="cc-number"/)
    expect(text).toMatch(/name="cvc"[^>]*autocomplete="cc-csc"/)
  })
})

describe('assets', () => {
  const compressedBytes = (path: string): number =>
    brotliCompressSync(findAsset(path.replace('/pay-assets/', ''))!.body).length

  it('the script and the stylesheet stay small', () => {
    expect(compressedBytes(assets.script)).toBeLessThan(5 * 1024)
    expect(compressedBytes(assets.stylesheet)).toBeLessThan(6 * 1024)
  })

  it('the first load of any scene is within 60 kB, the picture for wide screens included', () => {
    const shared = compressedBytes(assets.script) + compressedBytes(assets.stylesheet)
    const picture = brotliCompressSync(qrCode('https://pay.example.com/pay/abcdefghijklmnopqrstuvwxyz012345'))
    for (const [name, scene] of Object.entries(sampleScenes)) {
      const page = brotliCompressSync(renderPage(samplePage(scene, 'ar'), assets))
      expect([name, shared + picture.length + page.length < loadLimitBytes]).toEqual([name, true])
    }
  })

  it.each(['checkout.css', 'checkout.x.0b6e4f.css', '../assets.ts', 'checkout.js'])(
    '%s is not an asset',
    (file) => {
      expect(findAsset(file)).toBeUndefined()
    },
  )
})

describe('colours', () => {
  it('text on and in the brand colour is readable, whichever colour an organisation chose', () => {
    for (let color = 0; color < 0x1000000; color += 0x030507) {
      const hex = `#${color.toString(16).padStart(6, '0')}`
      const { onAccent, textOnLight, textOnDark } = accentOf(hex)
      const contrasts = [
        contrastOf(hex, onAccent),
        contrastOf(textOnLight, lightSurface),
        contrastOf(textOnDark, darkSurface),
      ]
      expect([hex, contrasts.every((contrast) => contrast >= 4.5)]).toEqual([hex, true])
    }
  })
})

describe('languages', () => {
  it.each([
    [undefined, 'sw-KE,sw;q=0.9,en;q=0.8', 'sw'],
    [undefined, 'de-DE, de;q=0.9, pt-BR;q=0.7, en;q=0.8', 'en'],
    [undefined, 'de', 'en'],
    [undefined, 'en;q=0, fr', 'fr'],
    [undefined, undefined, 'en'],
    ['ar', 'fr', 'ar'],
    ['xx', 'fr', 'fr'],
  ])('choice %s with Accept-Language %s gives %s', (chosen, header, language) => {
    expect(chooseLanguage(chosen, header)).toBe(language)
  })

  it('the countries in the language preferences suggest where the payer is', () => {
    expect(wishedCountries('sw-KE,en-GB;q=0.5,fr')).toEqual(['KE', 'GB'])
  })

  it.each(languages)('%s has the same placeholders in the same sentences', (language) => {
    const placeholdersOf = (text: unknown): string[] =>
      typeof text === 'string' ? [...text.matchAll(/\{\w+\}/g)].map(String).toSorted() : []
    const placeholders = (messages: object) =>
      Object.entries(messages).map(([key, text]) => [key, placeholdersOf(text)])
    expect(placeholders(messagesFor(language))).toEqual(placeholders(messagesFor('en')))
  })

  it('amounts keep every digit and are formatted for the language', () => {
    const amount = { value: '123456789012345.67', currency: 'GBP' }
    expect(formatAmount('en', amount)).toBe('£123,456,789,012,345.67')
    expect(formatAmount('ar', amount)).toContain('123,456,789,012,345.67')
    expect(formatAmount('fr', { value: '5000', currency: 'UGX' })).toMatch(/^5\s000\s/)
  })
})
