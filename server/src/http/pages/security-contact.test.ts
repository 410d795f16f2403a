import { describe, expect, it } from 'vitest'
import { readConfig } from '../../main/config.ts'
import { testEnv, useApp } from '../../../test/app/test-app.ts'

const contact = 'mailto:security@pay.example.com'

describe('with a contact', () => {
  const t = useApp({ env: { SECURITY_CONTACT: contact } })

  it('is read without credentials, and names a moment of expiry within a year', async () => {
    const { status, headers, text } = await t.call('GET', '/.well-known/security.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/, 2)),
    )
    expect(fields).toMatchObject({ Contact: contact, Canonical: `${t.url}/.well-known/security.txt` })
    const daysLeft = (Date.parse(fields['Expires'] ?? '') - Date.now()) / 86_400_000
    expect(daysLeft).toBeGreaterThan(30)
    expect(daysLeft).toBeLessThan(366)
  })

  it('is a mail address or a page, and nothing that a client would run', () => {
    const env = testEnv('none', t.identity)
    for (const SECURITY_CONTACT of [
      'security@pay.example.com',
      'http://pay.example.com',
      'javascript:alert(1)',
    ])
      expect(() => readConfig({ ...env, SECURITY_CONTACT })).toThrow(/SECURITY_CONTACT/)
  })
})

describe('without a contact', () => {
  const t = useApp()

  it('does not exist', async () => {
    expect((await fetch(`${t.url}/.well-known/security.txt`)).status).toBe(404)
  })
})
