import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  await t.owner.query('delete from banks')
  t.deps.bankCache.clear()
  for (const provider of ['paystack', 'flutterwave']) t.simulator.setFaults(provider, [])
  org = await openPayments(t)
})

const list = (query: string, as = org.credential): Promise<CallAnswer> =>
  t.call('GET', `/v1/catalog/banks${query}`, { as })

describe('200', () => {
  it('lists the banks of a country by name, each code once', async () => {
    const { body } = await list('?country=NG')
    expect(body.count).toBe(body.data.length)
    expect(body.data.length).toBeGreaterThan(1)
    const access = body.data.find(({ bank_code }: Json) => bank_code === '044')
    expect(access).toMatchObject({ name: expect.stringContaining('Access'), country: 'NG' })
    expect(access.providers).toContain('paystack')
    const codes = body.data.map(({ bank_code }: Json) => bank_code)
    expect(new Set(codes).size).toBe(codes.length)
    const names = body.data.map(({ name }: Json) => name)
    expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b, 'en')))
  })

  it('asks a provider once and answers from what it stored', async () => {
    const first = (await list('?country=NG')).body.data
    t.deps.bankCache.clear()
    for (const provider of ['paystack', 'flutterwave'])
      t.simulator.setFaults(provider, [{ on: 'list', fault: 'error_500' }])
    expect((await list('?country=NG')).body.data).toEqual(first)
  })

  it('a provider that does not answer leaves the list without its banks', async () => {
    for (const provider of ['paystack', 'flutterwave'])
      t.simulator.setFaults(provider, [{ on: 'list', fault: 'error_500' }])
    expect((await list('?country=NG')).body).toMatchObject({ data: [], count: 0 })
  })

  it('a country whose providers list no banks has none', async () => {
    expect((await list('?country=GB')).body).toMatchObject({ data: [], count: 0 })
    expect((await list('?country=AQ')).body).toMatchObject({ data: [], count: 0 })
  })

  it.each(['viewer', 'staff', 'org-admin'] as const)('a member who is %s may list banks', async (role) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await list('?country=NG', token)).status).toBe(200)
  })
})

describe('400', () => {
  it.each(['', '?country=Nigeria', '?country=ng'])('%j', async (query) => {
    expect((await list(query)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', '/v1/catalog/banks?country=NG')).status).toBe(401)
  })
})
