import type { Json } from './test-app.ts'
import { openPayments, type OrgPayments, type TestPayments } from './test-payments.ts'

export interface OrgLinks extends OrgPayments {
  name: string
  /** A link of the organisation, as the API answers it. */
  make(change?: object): Promise<Json>
  link(linkId: string): Promise<Json>
}

export async function openLinks(t: TestPayments, brand: object = {}): Promise<OrgLinks> {
  const org = await openPayments(t)
  const path = `/v1/orgs/${org.orgId}/payment-links`
  const name = 'Kilimani Books'
  await org.call('PATCH', `/v1/organizations/${org.orgId}`, { name, ...brand })
  return {
    ...org,
    name,
    async make(change = {}) {
      const body = { amount: 25, currency: 'GBP', description: 'Order 7', ...change }
      const answer = await org.call('POST', path, body)
      if (answer.status !== 201) throw new Error(`no link was made: ${answer.text}`)
      return answer.body.data
    },
    link: async (linkId) => (await org.call('GET', `${path}/${linkId}`)).body.data,
  }
}
