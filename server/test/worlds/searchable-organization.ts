import { request } from 'undici'
import { createTermHash } from '../../src/domains/payments/reads/search/rules.ts'
import { openOrganization, type OpenedOrganization } from '../app/people.ts'
import { credentialHeaders, type Json, type TestApp } from '../app/test-app.ts'
import { fillSearchable } from './searchable-payments.ts'

/** `npm run search:scale` sets two million; SEARCH_PAYMENTS overrides it. */
export const searchablePayments = Number(process.env['SEARCH_PAYMENTS'] ?? 5_000)
export const fillLimitMs = 7_200_000

const dayMs = 24 * 60 * 60_000
const yearMs = 365 * dayMs

export const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()

export const searches: readonly string[] = [
  '',
  'status=completed',
  'status=failed',
  'status=rejected',
  'status=initiated',
  'status=rejected,initiated,canceled',
  'country=SN',
  'country=KE',
  'currency=XOF',
  'provider=circle',
  'provider=paystack&status=failed',
  'method=crypto',
  'direction=outbound&country=GB',
  'status=rejected&country=GB&provider=stripe',
  'client_reference=order-77',
  'beneficiary_id=00000000-0000-0000-0000-000000000000',
  'currency=KES&min_amount=5000&max_amount=5001',
  'currency=KES&min_amount=5000',
  'currency=KES&min_amount=1&max_amount=1',
  'currency=KES&min_amount=5000&status=rejected',
  `updated_since=${daysAgo(0.01)}`,
  `updated_since=${daysAgo(20)}`,
  `updated_since=${daysAgo(200)}&status=rejected`,
  `from=${daysAgo(300)}&to=${daysAgo(299)}&status=failed`,
  'q=order-1234',
  'q=order-',
  'q=ref_77',
  'q=1234.56',
  'q=0712345678',
  'q=someone@example.com',
  'q=Mary',
  'q=Mary+Moraa',
  'q=Mary&status=rejected',
]

export interface SearchableOrganization extends OpenedOrganization {
  list(query: string): Promise<Json>
}

/** An organisation with a year of payments. */
export async function openSearchable(t: TestApp): Promise<SearchableOrganization> {
  const org = await openOrganization(t)
  // An API key, because filling millions of rows takes longer than a token lives.
  const made = await t.call('POST', '/v1/public/api-keys', { as: org.admin.token, body: { name: 'scale' } })
  const headers = credentialHeaders(made.body.data.api_key)
  await fillSearchable(t.owner, {
    orgId: org.orgId,
    count: searchablePayments,
    from: new Date(Date.now() - yearMs).toISOString(),
    secondsBetween: yearMs / 1000 / searchablePayments,
    commonTerm: createTermHash(t.deps.searchKey, org.orgId)('name', 'mary'),
  })
  return {
    ...org,
    async list(query) {
      const answer = await request(`${t.url}/v1/transactions?limit=50&${query}`, { headers })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`the list answered ${answer.statusCode}: ${text}`)
      return JSON.parse(text)
    },
  }
}
