import { languages } from '@switchyard/checkout/languages.ts'
import { messagesFor } from '@switchyard/checkout/messages/catalogue.ts'
import type { MailCatcher } from '@switchyard/stack/services/mail-catcher.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser, startTestBrowser } from '../../../../test/browser/browser.ts'
import { cardForm, newPayer, openLinks, type OrgLinks } from '../../../../test/worlds/test-links.ts'
import { startTestPayments, untilSettled, type TestPayments } from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { startTestMail, startTestWorker, type TestWorker } from '../../../../test/app/test-worker.ts'
import { mailLimits } from '../../people/notifications/rules.ts'

const en = messagesFor('en')
let mail: MailCatcher
let t: TestPayments
let worker: TestWorker
let org: OrgLinks
beforeAll(async () => {
  mail = await startTestMail()
  t = await startTestPayments({ delayMs: untilSettled, env: { SMTP_URL: mail.smtpUrl } })
  worker = await startTestWorker(t)
})
afterAll(async () => {
  await worker.stop()
  await t.close()
  await mail.stop()
})
beforeEach(async () => {
  org = await openLinks(t)
})

/** A payer whose browser has paid a link. */
async function paid(change: object = {}) {
  const link = await org.make(change)
  const payer = newPayer(link)
  await payer.get()
  await payer.send(cardForm())
  await payer.get()
  return { link, payer }
}

const notices = async (): Promise<{ recipient: string; language: string; variables: object }[]> => {
  const { rows } = await t.owner.query(
    `select recipient, language, variables from notifications where org_id = $1 and template = 'payment-receipt'`,
    [org.orgId],
  )
  return rows
}
const received = (address: string) =>
  until('the receipt', () => mail.messages().find(({ to }) => to.includes(address)))
const unique = (name: string): string => `${name}-${org.orgId.slice(-12)}@example.com`

describe('303', () => {
  it('the engine mails what was paid, in the payer’s language, without the card; at rest it is sealed', async () => {
    const { link, payer } = await paid({ client_reference: 'order-7', description: 'Two atlases' })
    const address = unique('amina')
    const fr = messagesFor('fr')
    const sent = await payer.send({ email: address }, '/receipt', { 'accept-language': 'fr' })
    expect([sent.status, sent.headers['location']]).toEqual([303, `/pay/${link.link_ref}?receipt=sent`])
    expect((await payer.get('?receipt=sent')).text).toContain(en.receiptSent)
    const { subject, text, html } = await received(address)
    expect(subject).toBe(fr.receiptSubject.replace('{merchant}', org.name))
    for (const part of [text, html]) {
      for (const value of [org.name, 'Two atlases', '25,00', 'order-7', 'UTC', `${fr.card}, `, '•••• 4242'])
        expect(part.replaceAll(/\s/g, ' ')).toContain(value)
      expect(part).not.toContain('424242424242')
      expect(part).not.toContain('12/31')
    }
    expect(html).not.toContain('<a ')
    expect(await notices()).toEqual([{ recipient: '', language: 'fr', variables: {} }])
    const audited = await t.owner.query(
      `select credential from audit_log where resource_id = $1 and action = 'payment-link.send-receipt'`,
      [link.link_id],
    )
    expect(audited.rows).toEqual([{ credential: 'payment_link' }])
  })

  it('without a typed address it goes to the link’s, which the page shows masked', async () => {
    const address = unique('buyer')
    const { payer } = await paid({ email: address })
    const { text } = await payer.get()
    expect(text).toContain('b***@example.com')
    expect(text).not.toContain(address)
    expect((await payer.send({ email: '' }, '/receipt')).status).toBe(303)
    await received(address)
  })

  it.each(languages)('every language of the page has its receipt: %s', async (language) => {
    const { payer } = await paid()
    const address = unique(`payer-${language}`)
    await payer.send({ email: address }, '/receipt', { 'accept-language': language })
    const { text, html } = await received(address)
    expect(text).toContain(messagesFor(language).paidWith)
    expect(html).toContain(`<html lang="${language}"${language === 'ar' ? ' dir="rtl"' : ''}>`)
  })
})

describe('attacks', () => {
  it('a stranger with the address of a paid link sends nothing and learns neither card nor phone', async () => {
    const link = await org.make({ email: unique('buyer') })
    const [payer, stranger] = [newPayer(link), newPayer(link)]
    await payer.get()
    // The stranger had the page open before it was paid, and so has a token of their own.
    await stranger.get()
    await payer.send(cardForm())
    const { headers } = await stranger.send({ email: unique('victim') }, '/receipt')
    expect(headers['location']).toBe(`/pay/${link.link_ref}`)
    expect(await notices()).toEqual([])
    const { text } = await stranger.get()
    expect(text).toContain(en.doneTitle)
    for (const secret of ['/receipt', '4242', 'b***@']) expect(text).not.toContain(secret)
  })

  it('a verified organisation that has changed its name is called as before', async () => {
    const { payer } = await paid()
    const address = unique('renamed')
    await org.call('PATCH', `/v1/organizations/${org.orgId}`, { name: 'Central Bank Refunds' })
    await payer.send({ email: address }, '/receipt')
    const { subject, text, html } = await received(address)
    expect(subject).toBe(en.receiptSubject.replace('{merchant}', org.name))
    for (const part of [text, html]) expect(part).not.toContain('Central Bank')
  })

  it('a link that is not paid has no receipt, and a forged form sends none', async () => {
    const payer = newPayer(await org.make())
    await payer.get()
    expect((await payer.send({ email: unique('victim') }, '/receipt')).headers['location']).not.toContain(
      'sent',
    )
    const { payer: owner } = await paid()
    expect((await owner.send({ email: unique('victim'), csrf: 'forged' }, '/receipt')).status).toBe(403)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await owner.send({ email: unique('victim') }, '/receipt', foreign)).status).toBe(403)
    expect(await notices()).toEqual([])
  })

  it('one payment sends a few receipts a day, to whomever and however many at once', async () => {
    const { payer } = await paid()
    const asked = Array.from({ length: 8 }, (_, index) =>
      payer.send({ email: unique(`victim${index}`) }, '/receipt'),
    )
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status === 422)
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(mailLimits.receipts.mails)
    expect(refused).toHaveLength(8 - mailLimits.receipts.mails)
    for (const { text } of refused) expect(text).toContain(en.noticeReceipt)
    expect(await notices()).toHaveLength(mailLimits.receipts.mails)
  })

  it('a recipient gets a few mails a day, from however many payments', async () => {
    const victim = unique('victim')
    const payers = await Promise.all(Array.from({ length: 3 }, () => paid()))
    const answers = []
    for (const { payer } of payers)
      for (let sent = 0; sent < 2; sent++) answers.push(await payer.send({ email: victim }, '/receipt'))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(mailLimits.recipient.mails)
  })

  it('receipts do not use up the mails of the organisation’s members', async () => {
    const { mails } = mailLimits.organization
    const receipts = t.deps.db.inOrg(org.orgId, async (tx) => {
      for (let index = 0; index <= mails; index++)
        await t.deps.limitMails(tx, org.orgId, `p${index}@example.com`, `link ${index}`)
    })
    await expect(receipts).rejects.toMatchObject({ status: 429 })
    await t.deps.db.inOrg(org.orgId, async (tx) => {
      for (let index = 0; index < mails; index++)
        await t.deps.limitMails(tx, org.orgId, `p${index}@example.com`, `link ${index}`)
      await t.deps.limitMails(tx, org.orgId, unique('member'))
    })
  })

  it.each(['nobody', 'a@b.co\r\nBcc: c@d.co', 'a@b.co, c@d.co', '<a@b.co>', ''])(
    '%j is no address',
    async (email) => {
      const { payer } = await paid()
      const { status, text } = await payer.send({ email }, '/receipt')
      expect(status).toBe(422)
      expect(text).toMatch(/aria-invalid="true"/)
      expect(await notices()).toEqual([])
    },
  )

  it('no text of a caller becomes a link in the mail', async () => {
    const { payer } = await paid({
      description: 'See evil.example for a prize',
      client_reference: 'evil.example',
    })
    const address = unique('amina')
    await payer.send({ email: address }, '/receipt')
    const { text, html } = await received(address)
    for (const part of [text, html]) expect(part).not.toMatch(/evil\.example|<a |https?:/)
    expect(text).toContain('evil. example')
  })
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  it.each([true, false])(
    'a payer asks for the receipt (script: %s) and finds it in the mail',
    async (isScripted) => {
      const link = await org.make({ country: 'GB', return_url: 'https://shop.example/' })
      const browser = await startTestBrowser()
      try {
        const { page } = await browser.open({ javaScriptEnabled: isScripted })
        await page.goto(link.url)
        const address = unique(isScripted ? 'script' : 'plain')
        const form = cardForm()
        for (const field of ['card_number', 'expiry', 'cvc']) await page.fill(`#${field}`, form[field]!)
        await page.fill('#email', address)
        await page.click('.primary')
        await page.getByRole('heading', { name: en.doneTitle, level: 2 }).waitFor()
        expect(await page.inputValue('#email')).toBe(address)
        await page.emulateMedia({ media: 'print' })
        expect(await page.locator('.receipt').isVisible()).toBe(true)
        for (const part of ['form', '.primary', '.language', 'footer'])
          expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false])
        await page.emulateMedia({ media: 'screen' })
        expect(await page.locator('[data-print]').isVisible()).toBe(isScripted)
        await page.click('.send button')
        await page.getByText(en.receiptSent).waitFor()
        await received(address)
        expect(page.url()).toContain(link.link_ref)
      } finally {
        await browser.closePages()
      }
    },
  )
})
