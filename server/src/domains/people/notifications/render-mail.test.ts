import { describe, expect, it } from 'vitest'
import { noticeTexts } from './write-notice.ts'
import { renderMail } from './render-mail.ts'
import { languageOf, languages } from './rules.ts'

const variables = {
  firstName: 'Ada',
  orgName: 'A & B <Ltd>',
  role: 'staff',
  days: '7',
  endpointUrl: 'https://example.com/hook',
  outcome: 'approved',
  reason: 'All is well.',
  what: 'BVN',
  reference: 'INV-1',
  message: '<img src=x onerror=alert(1)>',
  subject: 'Receipt from A & B <Ltd>',
  orderLabel: 'For',
  order: '<img src=x>',
}
const source = { language: 'en', priority: 'medium', recipient: 'ada@example.test', variables }
const url = 'https://pay.example.test/verify/abc?a=1&b=2'

describe.each(Object.keys(noticeTexts))('%s', (template) => {
  it.each(languages)('in %s: both parts have the same text, and variables are escaped', (language) => {
    const mail = renderMail({ ...source, template, language }, url)
    expect(mail.subject).not.toBe('')
    expect(mail.text).toContain(url)
    expect(mail.html).toContain(`lang="${language}"`)
    expect(mail.html).toContain(url.replace('&', '&amp;'))
    expect(mail.html).not.toContain('<img')
    expect(mail.html).not.toContain('<Ltd>')
    expect(mail.html).not.toContain('undefined')
    expect(mail.text).not.toContain('undefined')
  })
})

it('a notice without a link has no button', () => {
  expect(renderMail({ ...source, template: 'member-welcome' }, undefined).html).not.toContain('<a ')
})

it.each([
  ['low', false],
  ['medium', false],
  ['high', true],
  ['urgent', true],
])('priority %s is marked important: %s', (priority, isImportant) => {
  expect(renderMail({ ...source, template: 'member-welcome', priority }, undefined).isImportant).toBe(
    isImportant,
  )
})

it.each([
  ['SN', 'fr'],
  ['MZ', 'pt'],
  ['NG', 'en'],
  [null, 'en'],
])('somebody in %s is written to in %s', (country, language) => {
  expect(languageOf(country)).toBe(language)
})
