import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { request } from 'undici'
import type { Json } from '../app/test-app.ts'
import { ampleFunds, openUnverified, type OrgPayments, type TestPayments } from './test-payments.ts'

export interface OrgLinks extends OrgPayments {
  name: string
  /** Creates a link and returns it as the API answers it. */
  make(change?: object): Promise<Json>
  link(linkId: string): Promise<Json>
}

export async function openLinks(t: TestPayments, brand: object = {}): Promise<OrgLinks> {
  const org = await openUnverified(t)
  const path = `/v1/orgs/${org.orgId}/payment-links`
  const name = 'Kilimani Books'
  await org.call('PATCH', `/v1/organizations/${org.orgId}`, { name, ...brand })
  await seedFunds(t.deps, org.orgId, ampleFunds)
  return {
    ...org,
    name,
    async make(change = {}) {
      const body = { amount: 25, currency: 'GBP', description: 'Order 7', ...change }
      const answer = await org.call('POST', path, body)
      if (answer.status !== 201) throw new Error(`the link was not created: ${answer.text}`)
      return answer.body.data
    },
    link: async (linkId) => (await org.call('GET', `${path}/${linkId}`)).body.data,
  }
}

export interface PageAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** A payer whose browser keeps cookies and runs no scripts. */
interface Payer {
  get(path?: string, headers?: Record<string, string>): Promise<PageAnswer>
  /** Submits the form of the last page with these fields. */
  send(fields: Record<string, string>, path?: string, headers?: Record<string, string>): Promise<PageAnswer>
}

export function newPayer(link: Json): Payer {
  const cookies = new Map<string, string>()
  let hidden: Record<string, string> = {}
  const call = async (method: 'GET' | 'POST', path: string, more: { headers?: object; body?: string }) => {
    const response = await request(`${link.url}${path}`, {
      method,
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), ...more.headers },
      ...(more.body !== undefined && { body: more.body }),
    })
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split('=')
      cookies.set(name, value)
    }
    const text = await response.body.text()
    const inputs = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    if (inputs.length > 0)
      hidden = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
    return { status: response.statusCode, headers: response.headers, text }
  }
  return {
    get: (path = '', headers = {}) => call('GET', path, { headers }),
    send: (fields, path = '', headers = {}) =>
      call('POST', path, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ ...hidden, ...fields }).toString(),
      }),
  }
}

export const cardForm = (number = '4242424242424242'): Record<string, string> => ({
  method: 'card',
  card_number: number,
  expiry: '12/31',
  cvc: '123',
  email: 'amina@example.com',
})
