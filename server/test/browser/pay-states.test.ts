import { messagesFor } from '@switchyard/checkout/messages/catalogue.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { strayCard } from '../secrets/canaries.ts'
import { hasBrowser, startTestBrowser, type TestBrowser } from './browser.ts'
import { openLinks, type OrgLinks } from '../worlds/test-links.ts'
import { startTestPayments, untilSettled, type TestPayments } from '../worlds/test-payments.ts'

const en = messagesFor('en')
let t: TestPayments
let browser: TestBrowser
let org: OrgLinks
let shop: OrgLinks
beforeAll(async () => {
  if (!hasBrowser) return
  t = await startTestPayments({ delayMs: untilSettled })
  browser = await startTestBrowser()
  org = await openLinks(t, { brand_color: '#0b6e4f', cards: 'hosted_only' })
  shop = await openLinks(t)
})
afterAll(async () => {
  if (!hasBrowser) return
  await browser.closePages()
  await t.close()
})
afterEach(async () => {
  if (hasBrowser) await browser.closePages()
})

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
      expect(await page.content()).not.toContain(strayCard)
      expect((await org.link(link.link_id)).payment_id).toBeNull()
    },
  )
})

describe.skipIf(!hasBrowser)('a slow provider', () => {
  it('the form shows that it works, explains the wait, and is sent once however often it is submitted', async () => {
    const link = await shop.make({ country: 'GB', email: 'amina@example.com' })
    const { page } = await browser.open()
    await page.goto(link.url)
    await page.fill('#card_number', '378282246310005')
    expect(await page.inputValue('#card_number')).toBe('3782 822463 10005')
    expect(await page.locator('.brand').textContent()).toBe('Amex')
    await page.fill('#card_number', '4242424242424242')
    expect(await page.locator('.brand').textContent()).toBe('Visa')
    await page.fill('#expiry', '12/31')
    await page.fill('#cvc', '123')
    // Stands for a server that does not answer: counts what the page would send, and sends nothing.
    await page.evaluate(`window.forms = 0
      addEventListener('submit', (event) => {
        if (!event.defaultPrevented) window.forms++
        event.preventDefault()
      })`)
    await page.locator('form[data-pay] .primary').dblclick()
    await page.getByText(en.working).waitFor()
    expect(await page.locator('form[data-pay]').getAttribute('aria-busy')).toBe('true')
    await page.getByText(en.slow).waitFor()
    await page.evaluate('document.querySelector("form[data-pay]").requestSubmit()')
    expect(await page.evaluate('window.forms')).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('screens', () => {
  it('a wide one offers a QR code to go on by phone; a phone does not even load it', async () => {
    const link = await shop.make({ country: 'GB' })
    const { page } = await browser.open()
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.goto(link.url, { waitUntil: 'networkidle' })
    expect(loaded).not.toContain(`${link.url}/qr`)
    await page.setViewportSize({ width: 1280, height: 800 })
    const picture = page.locator('.qr img')
    await picture.waitFor()
    await page.waitForFunction('document.querySelector(".qr img").naturalWidth > 0')
    const [request, panel] = await Promise.all(
      ['.request', '.panel'].map((part) => page.locator(part).boundingBox()),
    )
    expect(request!.x + request!.width).toBeLessThan(panel!.x)
  })
})

describe.skipIf(!hasBrowser)('without script', () => {
  it('the server tells the network from the number, and the page names both', async () => {
    const link = await shop.make({ amount: 10, currency: 'GHS', country: 'GH', email: 'a@b.co' })
    const { page } = await browser.open({ javaScriptEnabled: false })
    await page.goto(link.url)
    await page.check('#method-mobile_money')
    await page.fill('#phone', '0551234987')
    await submit(page)
    await expectHeading(page, en.promptTitle)
    expect(await page.locator('.target').textContent()).toMatch(/987.*MTN/s)
    expect(await page.locator('noscript').count()).toBeGreaterThan(0)
  })

  it('a number of no known network is asked about, and nothing is sent', async () => {
    const link = await shop.make({ amount: 10, currency: 'GHS', country: 'GH', email: 'a@b.co' })
    const { page } = await browser.open({ javaScriptEnabled: false })
    await page.goto(link.url)
    await page.check('#method-mobile_money')
    await page.fill('#phone', '0231234987')
    await submit(page)
    await page.locator('#network-error').waitFor()
    expect((await shop.link(link.link_id)).payment_id).toBeNull()
  })
})
