import { messagesFor } from '@switchyard/checkout/messages/catalogue.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, startTestBrowser, type TestBrowser } from './browser.ts'
import type { Json } from '../app/test-app.ts'
import { openLinks, type OrgLinks } from '../worlds/test-links.ts'
import { startTestPayments, untilSettled, type TestPayments } from '../worlds/test-payments.ts'

const [fr, sw, pt, ar] = (['fr', 'sw', 'pt', 'ar'] as const).map(messagesFor) as [Words, Words, Words, Words]
type Words = ReturnType<typeof messagesFor>

let t: TestPayments
let browser: TestBrowser
let org: OrgLinks
beforeAll(async () => {
  if (!hasBrowser) return
  t = await startTestPayments({ delayMs: untilSettled })
  browser = await startTestBrowser()
})
afterAll(async () => {
  if (!hasBrowser) return
  await browser.closePages()
  await t.close()
})
const pageErrors: string[] = []
afterEach(async () => {
  if (hasBrowser) await browser.closePages()
  if (pageErrors.length > 0) throw new Error(`the page’s script failed: ${pageErrors.splice(0).join()}`)
})
beforeEach(async () => {
  if (hasBrowser) org = await openLinks(t, { brand_color: '#0b6e4f' })
})

async function visit(link: Json, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await browser.open(options)
  page.on('pageerror', ({ message }) => {
    // The browser reports a view transition that the next navigation cuts short.
    if (!message.startsWith('Transition was')) pageErrors.push(message)
  })
  await page.goto(link.url)
  return page
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.fill('#card_number', number)
  await page.fill('#expiry', '12/31')
  await page.fill('#cvc', '123')
  if (await page.locator('#email').isVisible()) await page.fill('#email', 'amina@example.com')
}

const submit = (page: Page): Promise<void> => page.click('form[data-pay] button.primary')
const expectHeading = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { name: text, exact: true, level: 2 }).waitFor()
const acceptances = async (link: Json): Promise<number> => {
  const { payment_id } = await org.link(link.link_id)
  return (await org.accepted(payment_id)).length
}

describe.skipIf(!hasBrowser)('a link is paid', () => {
  it('by card with 3-D Secure, in French, and the browser stores nothing of the card', async () => {
    const link = await org.make({ return_url: 'https://shop.example/thanks?order=7' })
    const page = await visit(link, { locale: 'fr-FR' })
    await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'back' }))
    await fillCard(page, '4000000000003220')
    await submit(page)
    await page.waitForURL(/\/stripe\//)
    await page.click('button[value=pay]')
    await expectHeading(page, fr.doneTitle)
    expect(await org.link(link.link_id)).toMatchObject({ status: 'paid', payment_status: 'completed' })
    const stored = String(
      await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])'),
    )
    const cookies = JSON.stringify(await page.context().cookies())
    expect(stored + cookies).not.toContain('4000000000003220')
    expect(stored).toBe('[{},{},""]')
    await page.waitForURL(/^https:\/\/shop\.example\/thanks\?order=7&status=completed&reference=/)
  })

  it('by mobile money with a prompt on the phone, in Swahili, and the page updates by itself', async () => {
    const link = await org.make({ amount: 1500, currency: 'KES', country: 'KE' })
    const page = await visit(link, { locale: 'sw-KE', timezoneId: 'Africa/Nairobi' })
    await page.check('#method-mobile_money')
    expect(await page.locator('#phone-prefix').textContent()).toBe('+254')
    await page.fill('#phone', '+254 708 663 158')
    await page.fill('#email', 'amina@example.com')
    expect(await page.inputValue('#network')).toBe('MPESA')
    expect(await page.inputValue('#phone')).toBe('708663158')
    await submit(page)
    await expectHeading(page, sw.promptTitle)
    expect(await page.locator('.target').textContent()).toMatch(/\+254\s•••\s•••\s158.*M-Pesa/s)
    await page.getByText(sw.promptHelpSignal).waitFor()
    await t.simulator.settle()
    await expectHeading(page, sw.doneTitle)
    const receipt = await page.locator('.receipt').textContent()
    for (const fact of ['Kilimani Books', 'Order 7', '1,500.00', 'M-Pesa', '158'])
      expect(receipt).toContain(fact)
    expect(receipt).toMatch(/\d\d:\d\d (?:EAT|GMT ?\+3)/)
    expect((await org.link(link.link_id)).status).toBe('paid')
  })

  it('with a one-time password, wrong and then right, in Portuguese', async () => {
    const link = await org.make({ amount: 10.15, currency: 'GHS', country: 'GH', email: 'kofi@example.com' })
    const page = await visit(link, { locale: 'pt-PT', colorScheme: 'dark' })
    await page.check('#method-mobile_money')
    expect(await page.inputValue('#network')).toBe('')
    await page.fill('#phone', '0201234987')
    expect(await page.inputValue('#network')).toBe('TELECEL')
    await page.fill('#phone', '0551234987')
    expect(await page.inputValue('#network')).toBe('MTN')
    await page.getByText(pt.networkTold).waitFor()
    await submit(page)
    await expectHeading(page, pt.otpTitle)
    await page.fill('#otp', '000000')
    await submit(page)
    const error = page.locator('#otp-error')
    await error.waitFor()
    expect(await error.textContent()).toBe(pt.otpWrong.replace('{count}', '4'))
    await page.fill('#otp', '123456')
    await submit(page)
    await page.locator('#otp').waitFor({ state: 'detached' })
    await t.simulator.settle()
    await expectHeading(page, pt.doneTitle)
  })

  it('by bank transfer, in Arabic, with details to copy', async () => {
    const link = await org.make({ amount: 7500.5, currency: 'NGN', country: 'NG' })
    const page = await visit(link, { locale: 'ar', permissions: ['clipboard-read', 'clipboard-write'] })
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await page.check('#method-bank_transfer')
    await page.fill('#email', 'amina@example.com')
    await submit(page)
    await expectHeading(page, ar.transferTitle)
    const copy = page.locator('[data-copy=account_number]')
    await copy.click()
    await page.getByText(ar.copied).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(await page.locator('#account_number').textContent())
    await page.locator('[data-copy=exact_amount]').click()
    await page.waitForFunction('navigator.clipboard.readText().then((text) => text === "7500.50")')
    await page.locator('[data-copy-all]').click()
    await page.waitForFunction('navigator.clipboard.readText().then((text) => text.split("\\n").length > 2)')
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${ar.exactAmount}: 7500.50`)
    await t.simulator.settle()
    await expectHeading(page, ar.doneTitle)
  })

  it('in another currency, at a rate that the payer was shown', async () => {
    const link = await org.make({ amount: 20, currency: 'USD', payer_currency: 'GBP', country: 'GB' })
    const page = await visit(link)
    expect(await page.locator('h1').textContent()).toContain('£15.76')
    await page.getByText('1 GBP = 1.26904 USD').waitFor()
    await fillCard(page, '4242424242424242')
    await submit(page)
    await expectHeading(page, messagesFor('en').doneTitle)
    const { payment_id } = await org.link(link.link_id)
    expect(await org.record(payment_id)).toMatchObject({
      amount: 15.76,
      currency: 'GBP',
      target_amount: 20,
      target_currency: 'USD',
    })
  })

  it('with an amount that the payer chooses', async () => {
    const link = await org.make({ amount_type: 'open', amount: undefined, country: 'GB', email: 'a@b.co' })
    const page = await visit(link)
    await page.fill('#amount', '12,50')
    await fillCard(page, '4242424242424242')
    await submit(page)
    await expectHeading(page, messagesFor('en').doneTitle)
    await page.getByText('You paid £12.50 to Kilimani Books.').waitFor()
  })
})

describe.skipIf(!hasBrowser)('when something goes wrong', () => {
  it('a declined card: the page says that nothing was taken, and the payer uses another, in French', async () => {
    const link = await org.make({ email: 'amina@example.com' })
    const page = await visit(link, { locale: 'fr-FR' })
    await fillCard(page, '4000000000009995')
    await submit(page)
    await expectHeading(page, fr.failedTitle)
    await page.getByText(fr.reasons.INSUFFICIENT_FUNDS).waitFor()
    await page.getByText(fr.notCharged).waitFor()
    expect(await page.locator('.request').textContent()).toMatch(/25,00\s£.*Order 7/s)
    await page.getByRole('link', { name: fr.tryAgain }).click()
    await fillCard(page, '4242424242424242')
    await submit(page)
    await expectHeading(page, fr.doneTitle)
    expect((await org.link(link.link_id)).status).toBe('paid')
  })

  it('an unknown outcome is never shown as failed, in Swahili; the page updates when the provider reports it', async () => {
    const link = await org.make({ amount: 25.18, email: 'amina@example.com' })
    const page = await visit(link, { locale: 'sw' })
    await fillCard(page, '4242424242424242')
    await submit(page)
    await expectHeading(page, sw.checkingTitle)
    expect(await page.getByText(sw.notCharged).count()).toBe(0)
    await t.simulator.settle()
    await expectHeading(page, sw.doneTitle)
  })

  it('a mistyped card is caught by the script before anything is sent', async () => {
    const link = await org.make({ email: 'amina@example.com' })
    const page = await visit(link)
    await fillCard(page, '4242424242424241')
    await submit(page)
    await page.locator('#card_number-error').waitFor()
    expect(await page.inputValue('#card_number')).toBe('4242 4242 4242 4241')
    await page.fill('#card_number', '')
    await page.fill('#cvc', '')
    await submit(page)
    expect(await page.locator('#card_number-error').textContent()).toBe(messagesFor('en').missingCardNumber)
    expect(await page.evaluate('document.activeElement.dataset.summary')).toBe('')
    expect(await page.locator('[data-summary] li:visible').count()).toBe(2)
    await page.locator('[data-summary] li:visible a').last().click()
    expect(await page.evaluate('document.activeElement.id')).toBe('cvc')
    expect((await org.link(link.link_id)).payment_id).toBeNull()
  })

  it('the countdown ends and the page says that the link expired, in Portuguese', async () => {
    const link = await org.make({ expires_at: new Date(Date.now() + 6_000).toISOString() })
    const page = await visit(link, { locale: 'pt-PT' })
    await page.getByText(/Tempo restante: 00:0\d/).waitFor()
    await expectHeading(page, pt.expiredTitle)
    await page.getByText(pt.notCharged).waitFor()
  })

  it('two tabs, in Arabic: one pays, the other shows that, and the provider receives one request', async () => {
    const link = await org.make({ email: 'amina@example.com' })
    const first = await visit(link, { locale: 'ar' })
    const second = await first.context().newPage()
    await second.goto(link.url)
    await fillCard(second, '4242424242424242')
    await fillCard(first, '4000000000003220')
    await submit(first)
    await first.waitForURL(/\/stripe\//)
    await submit(second)
    await expectHeading(second, ar.redirectTitle)
    expect(await acceptances(link)).toBe(1)
    const stranger = await visit(link, { locale: 'ar' })
    await expectHeading(stranger, ar.elsewhereTitle)
    await first.click('button[value=pay]')
    for (const page of [first, second, stranger]) await expectHeading(page, ar.doneTitle)
    expect(await acceptances(link)).toBe(1)
  })

  it('without server-sent events the page polls', async () => {
    const link = await org.make({ amount: 1500, currency: 'KES', country: 'KE', email: 'a@b.co' })
    const page = await visit(link)
    await page.route('**/events', (route) => route.fulfill({ status: 503 }))
    await page.check('#method-mobile_money')
    await page.selectOption('#network', 'MPESA')
    await page.fill('#phone', '0708663158')
    await submit(page)
    await expectHeading(page, messagesFor('en').promptTitle)
    await t.simulator.settle()
    await expectHeading(page, messagesFor('en').doneTitle)
  })
})

describe.skipIf(!hasBrowser)('without script', () => {
  it('a card gets as far as the bank’s page and back', async () => {
    const link = await org.make()
    const page = await visit(link, { locale: 'fr-FR', javaScriptEnabled: false })
    await fillCard(page, '4000000000003220')
    await submit(page)
    await page.waitForURL(/\/stripe\//)
    await page.click('button[value=pay]')
    await expectHeading(page, fr.doneTitle)
  })

  it('a bank transfer shows its account; a link switches the language', async () => {
    const link = await org.make({ amount: 7500.5, currency: 'NGN', country: 'NG', email: 'a@b.co' })
    const page = await visit(link, { javaScriptEnabled: false })
    await page.locator('summary').click()
    await page.getByRole('link', { name: 'Português' }).click()
    await page.check('#method-bank_transfer')
    await submit(page)
    await expectHeading(page, pt.transferTitle)
    expect(await page.locator('#account_number').textContent()).toMatch(/^\d{10}$/)
    expect(await page.locator('.copy:visible').count()).toBe(0)
  })

  it('the server names missing fields, and the card is not repeated', async () => {
    const link = await org.make()
    const page = await visit(link, { locale: 'fr-FR', javaScriptEnabled: false })
    await page.fill('#card_number', '4242424242424241')
    await submit(page)
    await page.getByText(fr.noticeFields).waitFor()
    for (const field of ['card_number', 'email']) await page.locator(`#${field}-error`).waitFor()
    expect(await page.locator('#card_number-error').textContent()).toContain(fr.invalidCardNumber)
    await submit(page)
    await page.getByText(fr.missingCardNumber).first().waitFor()
    expect(await page.inputValue('#card_number')).toBe('')
  })
})
