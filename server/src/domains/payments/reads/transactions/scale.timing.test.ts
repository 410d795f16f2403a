import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../../../../test/app/test-app.ts'
import {
  fillLimitMs,
  openSearchable,
  searchablePayments,
  searches,
  type SearchableOrganization,
} from '../../../../../test/worlds/searchable-organization.ts'

const limitMs = 50
const rounds = 15

const t = useApp()
let org: SearchableOrganization
beforeAll(async () => {
  org = await openSearchable(t)
}, fillLimitMs)

describe(`among ${searchablePayments} payments`, () => {
  it.each(searches)(`%s is answered in less than ${limitMs} ms (median)`, async (query) => {
    const times: number[] = []
    const { data } = await org.list(query)
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      await org.list(query)
      times.push(performance.now() - began)
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Infinity
    process.stdout.write(`${median.toFixed(1)} ms, ${data.length} rows: ${query}\n`)
    expect(median).toBeLessThan(limitMs)
  })
})
