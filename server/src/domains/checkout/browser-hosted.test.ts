import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { messagesFor } from '@switchyard/checkout/messages/catalogue.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { strayCard } from '../../testing/canaries.ts'
import { hasBrowser, startTestBrowser, type TestBrowser } from '../../testing/browser.ts'
import { openLinks, type OrgLinks } from '../../testing/test-links.ts'
import { startTestPayments, untilSettled, type TestPayments } from '../../testing/test-payments.ts'

const en = messagesFor('en')
let t: TestPayments
let browser: TestBrowser
let org: OrgLinks
beforeAll(async () => {
  if (!hasBrowser) return
  t = await startTestPayments({ delayMs: untilSettled })
  browser = await startTestBrowser()
  org = await openLinks(t, { brand_color: '#0b6e4f', cards: 'hosted_only' })
})
afterAll(async () => {
  if (!hasBrowser) return
  await browser.close()
  await t.close()
})
afterEach(async () => {
  if (hasBrowser) await browser.closePages()
})

/** SCREENSHOTS=docs/checkout saves the states that the guide shows. */
const screenshots = process.env['SCREENSHOTS']
async function keep(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
}

const submit = (page: Page): Promise<void> => page.click('form[data-pay] button.primary')
const expectHeading = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { name: text, exact: true, level: 2 }).waitFor()

describe.skipIf(!hasBrowser)('under cards: hosted_only', () => {
  it('the page has no card field, and its button leads to the provider’s page and back', async () => {
    const link = await org.make({ country: 'GB' })
    const { page } = await browser.open()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(t.url)) sent.push(`${request.url()} ${request.postData() ?? ''}`)
    })
    await page.goto(link.url)
    expect(await page.locator('#card_number, #expiry, #cvc').count()).toBe(0)
    await page.getByText(en.cardElsewhere).waitFor()
    await page.fill('#email', 'amina@example.com')
    await keep(page, 'hosted-card-en')
    await submit(page)
    await page.waitForURL(/\/stripe\//)
    await page.fill('[name=number]', '4242424242424242')
    await page.click('button[value=pay]')
    await page.waitForURL((url) => url.href.startsWith(t.url))
    await t.simulator.settle()
    await expectHeading(page, en.doneTitle)
    expect(await org.link(link.link_id)).toMatchObject({ status: 'paid', payment_status: 'completed' })
    expect(sent.join('\n')).not.toContain('4242424242424242')
  })

  it.each([true, false])(
    'a card number typed into another field is refused and not shown again (script: %s)',
    async (javaScriptEnabled) => {
      const link = await org.make({ amount: 1500, currency: 'KES', country: 'KE' })
      const { page } = await browser.open({ javaScriptEnabled })
      await page.goto(link.url)
      await page.check('#method-mobile_money')
      await page.fill('#phone', '0708663158')
      await page.fill('#email', `${strayCard}@example.com`)
      await submit(page)
      await page.getByText(en.noticeCardNumber).waitFor()
      expect(await page.isChecked('#method-mobile_money')).toBe(true)
      expect(await page.inputValue('#phone')).toBe('0708663158')
      expect(await page.inputValue('#email')).toBe('')
      await keep(page, `card-number-elsewhere-${javaScriptEnabled ? 'script' : 'plain'}`)
      expect(await page.content()).not.toContain(strayCard)
      expect((await org.link(link.link_id)).payment_id).toBeNull()
    },
  )
})
