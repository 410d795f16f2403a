import { describe, expect, it } from 'vitest'
import { assetsFor } from '../assets.ts'
import { formatAmount, formatIban, formatSortCode } from '../format.ts'
import { languages, type Language } from '../languages.ts'
import { messagesFor } from '../messages/catalogue.ts'
import { networkOf, prefixesOf } from '../networks.ts'
import { renderPage } from '../render-page.ts'
import type { Page, Scene } from '../scene.ts'
import { samplePage, sampleScenes } from '../testing/sample-pages.ts'

const words = messagesFor('en')

/** The page's text without its markup. */
function textOf(scene: Scene, language: Language = 'en', change: Partial<Page> = {}): string {
  const text = renderPage(samplePage(scene, language, change), assetsFor(null)).replaceAll(/<[^>]*>/g, ' ')
  return text.replaceAll(/\s+/g, ' ').replaceAll('&#39;', '’').replaceAll('&quot;', '"')
}
const markupOf = (scene: Scene, change: Partial<Page> = {}): string =>
  renderPage(samplePage(scene, 'en', change), assetsFor(null)).replaceAll(/\s+/g, ' ')
const scene = <Kind extends Scene['kind']>(name: string): Extract<Scene, { kind: Kind }> =>
  sampleScenes[name] as Extract<Scene, { kind: Kind }>

describe('choosing', () => {
  it('an empty card number is asked for; an invalid one is reported', () => {
    const errors = scene<'choose'>('choose with errors')
    expect(markupOf(errors)).toMatch(/id="card_number-error"[^>]*>Enter your card number\.</)
    const wrong = { ...errors, missing: [] }
    expect(markupOf(wrong)).toMatch(/id="card_number-error"[^>]*>Check the card number: /)
  })

  it('a summary receives the focus and links to each invalid field', () => {
    const text = markupOf(scene('choose with errors'))
    expect(text).toMatch(/class="notice" role="alert" tabindex="-1" data-summary data-focus/)
    const shown = [...text.matchAll(/<li data-for="(\w+)" ?><a href="#(\w+)">/g)].map((match) => match[2])
    expect(shown).toEqual(['card_number', 'expiry', 'cvc', 'email'])
    expect(markupOf(scene('choose'))).toMatch(/data-summary hidden/)
  })

  it('no network is selected before the payer has typed a number, and the calling code is shown', () => {
    const text = markupOf(scene('choose mobile money'))
    expect(text).not.toMatch(/data-prefixes="[^"]*" selected/)
    expect(text).toContain(`<option value="">${words.chooseNetwork}</option>`)
    expect(text).toMatch(/<span class="prefix" id="phone-prefix" dir="ltr">\+254<\/span>/)
    expect(text.indexOf('id="phone"')).toBeLessThan(text.indexOf('id="network"'))
  })

  it('the only network is selected', () => {
    const only = scene<'choose'>('choose mobile money')
    const text = markupOf({ ...only, networks: only.networks.slice(0, 1) })
    expect(text).toMatch(/<option value="MPESA" data-prefixes="[^"]*" selected/)
  })

  it('a rate below one is shown inverted', () => {
    const text = textOf(scene('choose'))
    expect(text).toContain('1 USD = 129.349 KES')
    expect(text).not.toContain('0.007731')
  })

  it('a wordmark keeps its shape', () => {
    const merchant = { name: 'Kilimani Books', logoUrl: '/logo', color: null }
    expect(markupOf(scene('choose'), { merchant })).not.toMatch(/<img src="\/logo"[^>]* width=/)
  })
})

describe('a prompt', () => {
  it('shows the number and the network, and what to do when nothing arrives', () => {
    const text = textOf(scene('prompt'))
    expect(text).toContain('+254 ••• ••• 158')
    expect(text).toContain('M-Pesa')
    for (const help of [words.promptHelpSignal, words.promptHelpWait, words.promptHelpNumber])
      expect(text).toContain(help)
    expect(text).toContain(words.closeHint)
  })

  it('does not offer to correct the number once the payment cannot be left', () => {
    expect(textOf({ ...scene<'prompt'>('prompt'), leave: undefined })).not.toContain(words.promptHelpNumber)
  })
})

describe('a transfer', () => {
  it('has the exact amount as a row to copy, dashes in the sort code and groups in the IBAN', () => {
    const text = markupOf(scene('transfer'))
    expect(text).toMatch(/id="exact_amount" dir="auto" data-value="1500\.00"/)
    expect(text).toContain('data-copy="exact_amount"')
    expect(text).toContain('>20-20-15<')
    expect(text).toMatch(/data-value="GB33BUKB20201555555555">GB33 BUKB 2020 1555 5555 55</)
  })

  it.each([
    ['202015', '20-20-15'],
    ['20-20-15', '20-20-15'],
    ['20 20 15', '20-20-15'],
    ['044', '044'],
  ])('the sort code %s is written %s', (code, written) => {
    expect(formatSortCode(code)).toBe(written)
  })

  it('an IBAN is written in groups of four', () => {
    expect(formatIban('NL91 ABNA0417164300')).toBe('NL91 ABNA 0417 1643 00')
  })
})

describe('the end', () => {
  it.each(languages)(
    'success in %s names merchant, order, amount, method, moment and reference',
    (language) => {
      const text = textOf(scene('done'), language)
      const { paidTo, order, amountPaid, paidWith, paidAt, reference } = messagesFor(language)
      for (const label of [paidTo, order, amountPaid, paidWith, paidAt, reference])
        expect(text).toContain(label.replaceAll("'", '’'))
      for (const value of ['Kilimani Books', 'Order 7', 'M-Pesa, +254 ••• ••• 158', 'UTC', 'order-7'])
        expect(text).toContain(value)
    },
  )

  it('the receipt is offered only if the scene has one, and the link’s email address is masked', () => {
    expect(markupOf(scene('done'))).toContain('action="/pay/x/receipt"')
    expect(markupOf(scene('done, seen by others'))).not.toContain('/receipt')
    expect(textOf(scene('done with a link’s address'))).toContain('a***@example.com')
  })

  it('a failure keeps the amount and the order', () => {
    const text = textOf(scene('failed'))
    expect(text).toContain('Order 7')
    expect(text).toContain('1,500.00')
  })

  it('only a failed payment has the red mark', () => {
    const marked = Object.keys(sampleScenes).filter((name) =>
      markupOf(scene(name)).includes('class="state failed"'),
    )
    expect(marked).toEqual(['failed'])
  })
})

describe('amounts', () => {
  it.each([
    ['en', 'GBP', '£25.00'],
    ['fr', 'GBP', '25,00 £'],
    ['pt', 'GBP', '£ 25,00'],
    ['sw', 'GBP', '£ 25.00'],
    ['fr', 'USD', '25,00 $US'],
    ['en', 'NGN', '₦25.00'],
  ] as const)('in %s, 25 %s is %s', (language, currency, text) => {
    const spaced = formatAmount(language, { value: '25', currency }).replaceAll(/\s/g, ' ')
    expect(spaced).toBe(text)
  })

  it('in Arabic, pounds have no country either, except in countries with their own pound', () => {
    const pounds = { value: '25', currency: 'GBP' }
    expect(formatAmount('ar', pounds, 'KE')).not.toContain('UK')
    expect(formatAmount('fr', pounds, 'EG')).toContain('£GB')
  })
})

describe('a network by its number', () => {
  it.each([
    ['KE', '708663158', 'MPESA'],
    ['KE', '733000111', 'AIRTEL'],
    ['KE', '750000111', 'AIRTEL'],
    ['KE', '757000111', 'MPESA'],
    ['KE', '770000111', undefined],
    ['GH', '551234987', 'MTN'],
    ['GH', '201234987', 'TELECEL'],
    ['CI', '0701020304', 'ORANGE'],
    ['FR', '612345678', undefined],
  ])('%s %s is of %s', (country, number, network) => {
    const offered = ['AIRTEL', 'MPESA', 'MTN', 'ORANGE', 'TELECEL']
    expect(networkOf(country, number, offered)).toBe(network)
  })

  it('a network that is not offered is not suggested', () => {
    expect(networkOf('KE', '708663158', ['AIRTEL'])).toBeUndefined()
    expect(prefixesOf('KE', 'MTN')).toBe('')
  })
})
