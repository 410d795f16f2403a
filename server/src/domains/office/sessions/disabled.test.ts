import { describe, expect, it } from 'vitest'
import { sessionCookies } from '../../../http/auth/session-cookie.ts'
import { useApp } from '../../../../test/app/test-app.ts'

const t = useApp()

describe('without a client at the identity provider', () => {
  it('nobody can sign in', async () => {
    for (const path of ['/auth/login', '/auth/callback?code=a&state=b'])
      expect((await t.call('GET', path)).status).toBe(404)
  })

  it('a cookie is no credential', async () => {
    const headers = { authorization: 'NONE', 'x-api-key': 'NONE', cookie: `switchyard=${'A'.repeat(43)}` }
    const answer = await t.call('GET', '/v1/users/me', { headers })
    expect(answer.body.message).toContain('Both headers are NONE')
    expect(answer.status).toBe(401)
  })
})

describe('the cookie’s name', () => {
  it('has the __Host- prefix over https, which browsers accept from this host only and over https only', () => {
    expect(sessionCookies('https://pay.example')).toEqual({
      session: '__Host-switchyard',
      login: '__Host-switchyard-login',
      isSecure: true,
      origin: 'https://pay.example',
    })
  })

  it('has none over http on a development machine, where browsers would drop the cookie', () => {
    expect(sessionCookies('http://127.0.0.1:8080')).toMatchObject({ session: 'switchyard', isSecure: false })
  })
})
