import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  bruteCountries,
  bruteTrends,
  comparable,
  fillPayments,
  parseExactly,
} from '../../../../test/worlds/many-payments.ts'
import { openOrganization, type OpenedOrganization } from '../../../../test/app/people.ts'
import { credentialHeaders, useApp, type Json } from '../../../../test/app/test-app.ts'
import { foldDeltas } from './fold-deltas.ts'

/** `npm run analytics:scale` sets a million. */
const count = Number(process.env['ANALYTICS_PAYMENTS'] ?? 20_000)
const from = '2025-11-01'
const to = '2026-10-31'

const t = useApp()
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
  await fillPayments(t.owner, { orgId: org.orgId, count, from: `${from}T00:00:00Z` })
  await foldDeltas(t.deps)
  await t.owner.query('vacuum analyze payment_rollups, country_rollups, payment_deltas, payments')
}, 600_000)

async function read(path: string): Promise<Json> {
  const answer = await request(`${t.url}${path}`, { headers: credentialHeaders(org.admin.token) })
  return parseExactly(await answer.body.text()).data
}

describe(`${count} payments in a year`, () => {
  it.each(['UTC', 'Africa/Lagos', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Chatham'])(
    'trends in %s are equal to the payments themselves to the minor unit',
    async (timeZone) => {
      const span = `dateFrom=${from}&dateTo=${to}&timeZone=${encodeURIComponent(timeZone)}`
      const data = await read(`/v1/transactions/analytics/trends?${span}`)
      expect(data.series.map(comparable)).toEqual(
        await bruteTrends(t.owner, { orgId: org.orgId, from, to, timeZone }),
      )
    },
  )

  it('geography likewise', async () => {
    const data = await read('/v1/users/analytics/geographic-distribution')
    const rows = data.countries.flatMap((one: Json) =>
      one.payments.map((row: Json) => ({ country: one.country, ...comparable(row) })),
    )
    const sorted = rows.toSorted((a: Json, b: Json) => (a.country < b.country ? -1 : 1))
    expect(sorted).toEqual(await bruteCountries(t.owner, org.orgId))
  })
})
