import { beforeEach, describe, expect, it } from 'vitest'
import { renderMail } from '../../domains/people/notifications/render-mail.ts'
import { languages, mailLimits } from '../../domains/people/notifications/rules.ts'
import { noticeTexts } from '../../domains/people/notifications/write-notice.ts'
import { personBody } from '../../../test/app/people.ts'
import type { CallAnswer } from '../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  createTestClock,
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../test/worlds/test-payments.ts'

const perRecipient = mailLimits.recipient.mails
const perOrg = mailLimits.organization.mails
const hourMs = 60 * 60 * 1000
const clock = createTestClock()
const t = usePayments({ clock })
let org: OrgPayments
let sender: string
beforeEach(async () => {
  org = await openPayments(t)
  sender = (await org.call('GET', '/v1/users/me')).body.data.user_id
})

const beneficiary = (email: string): Promise<string> => org.addBeneficiary(bankBeneficiary({ email }))
const ask = async (beneficiaryId: string, more: object = {}): Promise<CallAnswer> =>
  org.call('POST', '/v1/users/notifications/verification-request', {
    user_id: sender,
    target_type: 'beneficiary',
    transaction_id: await org.start(mobileMoneyPayin({ beneficiary_id: beneficiaryId })),
    verification_type: 'bvn',
    triggered_by: 'compliance',
    beneficiary_id: beneficiaryId,
    message: 'Please answer soon.',
    ...more,
  })
const askBoth = (beneficiaryId: string): Promise<CallAnswer> =>
  ask(beneficiaryId, { target_type: 'both', sender_id: sender })
const invite = (email: string): Promise<CallAnswer> =>
  org.call('POST', `/v1/organizations/${org.orgId}/invitations`, { email, role: 'viewer' })
const addMember = (more: object = {}): Promise<CallAnswer> =>
  org.call('POST', `/v1/organizations/${org.orgId}/members`, { ...personBody(), role: 'viewer', ...more })
const passed = (answers: readonly CallAnswer[]): number => answers.filter(({ status }) => status < 300).length
const mails = async (): Promise<number> => {
  const { rows } = await t.owner.query<{ mails: string }>(
    'select count(*) as mails from notifications where org_id = $1',
    [org.orgId],
  )
  return Number(rows[0]?.mails)
}

describe('429', () => {
  it('a recipient gets a few mails a day, in whatever spelling and under concurrent requests', async () => {
    const spellings = ['Victim@example.com', 'victim@example.com', 'victim+1@example.com']
    const ids = await Promise.all(spellings.map(beneficiary))
    const before = await mails()
    const requests = Array.from({ length: 9 }, (_, index) => ask(ids[index % ids.length] ?? ''))
    const answers = await Promise.all(requests)
    expect(passed(answers)).toBe(perRecipient)
    expect(await mails()).toBe(before + perRecipient)
    for (const refused of [await invite('victim+2@example.com'), await addMember({ email: spellings[0] })]) {
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(23 * 60 * 60)
    }
    expect((await ask(await beneficiary('other@example.com'))).status).toBe(200)
    expect(await mails()).toBe(before + perRecipient + 1)
    clock.pass(24 * hourMs + 1)
    expect((await ask(ids[0] ?? '')).status).toBe(200)
  })

  it('one of two recipients who has had enough does not keep the other from being asked', async () => {
    const id = await beneficiary('busy@example.com')
    for (let mail = 0; mail < perRecipient; mail++) await ask(id)
    const { status, body } = await askBoth(id)
    expect(status).toBe(207)
    expect(body.results).toMatchObject([
      { target: 'sender', success: true },
      { target: 'beneficiary', success: false, message: expect.stringContaining('mails') },
    ])
    for (let mail = 1; mail < perRecipient; mail++) await askBoth(id)
    expect((await askBoth(id)).status).toBe(429)
  })

  it('an organisation sends a limited number an hour, and another is not affected', async () => {
    const answers: CallAnswer[] = []
    for (let sent = 0; sent < perOrg + 8; sent += 8) {
      const some = Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0 ? invite(personBody().email) : addMember(),
      )
      answers.push(...(await Promise.all(some)))
    }
    expect(passed(answers)).toBe(perOrg)
    const refused = await invite(personBody().email)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60 * 60)
    const spent = org
    org = await openPayments(t)
    expect((await invite(personBody().email)).status).toBe(201)
    org = spent
    clock.pass(hourMs + 1)
    expect((await invite(personBody().email)).status).toBe(201)
  })
})

describe('400', () => {
  it.each([
    'Answer at https://evil.example/login',
    'Answer at evil.example',
    'Answer at www.evil.co.uk/a',
    'HTTPS://EVIL.EXAMPLE',
    'javascript://x',
    'evil。example',
    'evil.\u200Bexample',
    '<a href="x">here</a>',
    '[here](x)',
  ])('a message with a link or markup: %s', async (message) => {
    expect((await ask(await beneficiary('payee@example.com'), { message })).status).toBe(400)
    expect((await ask(await beneficiary('payee@example.com'))).status).toBe(200)
  })

  it.each([
    'Win at https://evil.example',
    'www.evil.example',
    '<b>Bank</b>',
    '[Bank](x)',
    'evil.example/win',
  ])('a name with a link or markup: %s', async (name) => {
    const answers = [
      await addMember({ first_name: name }),
      await addMember({ last_name: name }),
      await org.call('PATCH', `/v1/organizations/${org.orgId}`, { name }),
      await org.call('PATCH', `/v1/organizations/${org.orgId}/members/${sender}`, { first_name: name }),
      await org.call('POST', '/v1/beneficiaries', bankBeneficiary({ fname: name })),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  })

  it('not the names of people and companies that have dots', async () => {
    for (const first_name of ['St.John', 'J.R.', 'Anne-Marie O’Neil'])
      expect((await addMember({ first_name })).status).toBe(201)
    const name = 'Booking.com B.V.'
    expect((await org.call('PATCH', `/v1/organizations/${org.orgId}`, { name })).status).toBe(200)
  })
})

describe('a mail of the operator’s domain', () => {
  const evil =
    'Eve\r\n\r\nPay at https://evil.example/login, evil.\u034Fexample or www.evil.co\u200B.uk <b>now</b>'
  const templates = Object.entries(noticeTexts)

  it.each(templates)('shows no address of a caller’s choice as a link: %s', (template, texts) => {
    for (const language of languages) {
      const variables: Record<string, string> = {}
      const recorder = new Proxy(variables, { get: (target, name) => (target[String(name)] = evil) })
      texts[language](recorder)
      expect(Object.keys(variables)).not.toEqual([])
      const source = { template, language, priority: 'low', recipient: 'a@b.test', variables }
      const mail = renderMail(source, 'https://pay.example.test/verify/x')
      for (const part of [mail.subject, mail.text, mail.html]) {
        expect(part).not.toMatch(/evil[.。][^\s]/u)
        expect(part).not.toMatch(/:\/\/evil/)
        expect(part).not.toMatch(/co\.uk/)
        expect(part).not.toContain('<b>now')
      }
      expect(mail.subject).not.toMatch(/[\r\n]/)
      expect(mail.text).not.toMatch(/Eve\s*[\r\n]/)
    }
  })

  it('keeps amounts, dates and plain sentences as they are', () => {
    const variables = {
      firstName: 'Zoë',
      amount: '1,250.50 KES',
      dueBy: '2026-03-01 09:30 UTC',
      reference: 'r-1',
    }
    const source = {
      template: 'dispute-due',
      language: 'en',
      priority: 'low',
      recipient: 'a@b.test',
      variables,
    }
    const { subject, text } = renderMail(source, undefined)
    expect(subject).toBe('A dispute of 1,250.50 KES must be answered by 2026-03-01 09:30 UTC')
    expect(text).toContain('Hello Zoë,')
  })
})
