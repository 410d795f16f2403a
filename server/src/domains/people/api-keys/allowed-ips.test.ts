import { beforeAll, describe, expect, it } from 'vitest'
import { openOrganization, type OpenedOrganization } from '../../../../test/app/people.ts'
import { useApp, type CallAnswer, type Json } from '../../../../test/app/test-app.ts'

const keys = '/v1/public/api-keys'
const office = '203.0.113.7'
const elsewhere = '198.51.100.9'
const officeNetwork = ['203.0.113.0/24']

// The proxy is this machine, so each request names the address that it comes from.
const t = useApp({ env: { TRUST_PROXY: '127.0.0.1' } })
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const create = (body: object, as = org.admin.token, address = office): Promise<CallAnswer> =>
  t.call('POST', keys, { as, body: { name: 'key', ...body }, ...from(address) })
const created = async (body: object, as = org.admin.token): Promise<Json> =>
  (await create(body, as)).body.data
const useKey = (key: string, address: string): Promise<CallAnswer> =>
  t.call('GET', '/v1/users/me', { as: key, ...from(address) })

describe('a key with allowed_ips', () => {
  it('works from them and is refused from everywhere else', async () => {
    const key = await created({ allowed_ips: [...officeNetwork, '2001:db8::/32'] })
    expect(key.allowed_ips).toEqual([...officeNetwork, '2001:db8::/32'])
    for (const address of [office, '2001:db8::42'])
      expect((await useKey(key.api_key, address)).status).toBe(200)
    const refused = await useKey(key.api_key, elsewhere)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'FORBIDDEN',
      expect.stringContaining(elsewhere),
    ])
  })

  it('does not count as used where it was refused', async () => {
    const key = await created({ allowed_ips: officeNetwork })
    await useKey(key.api_key, elsewhere)
    await t.deps.keyUsage.flush()
    const { body } = await t.call('GET', keys, { as: org.admin.token })
    const shown = body.data.find(({ api_key_id }: Json) => api_key_id === key.api_key_id)
    expect([shown.last_used_at, shown.allowed_ips]).toEqual([null, officeNetwork])
  })

  it('keeps them when it is rotated', async () => {
    const { api_key_id: id } = await created({ allowed_ips: officeNetwork })
    const { body } = await t.call('POST', `${keys}/${id}/rotate`, { as: org.admin.token, ...from(office) })
    expect(body.data.allowed_ips).toEqual(officeNetwork)
    expect((await useKey(body.data.api_key, elsewhere)).status).toBe(403)
  })

  it('makes no key that can be used from elsewhere, neither anew nor by rotating', async () => {
    const anywhere = await created({})
    const limited = await created({ allowed_ips: officeNetwork })
    const silent = await created({}, limited.api_key)
    expect(silent.allowed_ips).toEqual(officeNetwork)
    const narrower = await created({ allowed_ips: [office] }, limited.api_key)
    expect(narrower.allowed_ips).toEqual([office])
    for (const allowed_ips of [[elsewhere], ['203.0.112.0/23'], [office, elsewhere]])
      expect((await create({ allowed_ips }, limited.api_key)).status).toBe(403)
    const rotated = await t.call('POST', `${keys}/${anywhere.api_key_id}/rotate`, {
      as: limited.api_key,
      ...from(office),
    })
    expect(rotated.status).toBe(403)
  })
})

it.each([
  [[]],
  [['office']],
  [['0.0.0.0/0']],
  [['203.0.113.0/33']],
  [Array.from({ length: 51 }, () => office)],
])('400 for %j', async (allowed_ips) => expect((await create({ allowed_ips })).status).toBe(400))
