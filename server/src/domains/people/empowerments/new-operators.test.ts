import { beforeAll, describe, expect, it } from 'vitest'
import { openOrganization, personBody } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { usePayments } from '../../../../test/worlds/test-payments.ts'
import { must } from './testing/controlled-call.ts'

const t = usePayments({ env: { LOG_LEVEL: 'silent' } })
/** Root has just added the two others, who do not count as second persons yet. */
let root: { userId: string; as: string }
let one: { userId: string; as: string }
let other: { userId: string; as: string }
beforeAll(async () => {
  root = { userId: t.seed.platformAdmin.user_id, as: t.seed.platformAdmin.api_key }
  one = await added()
  other = await added()
})

const membersPath = (): string => `/v1/organizations/${t.seed.platformAdmin.org_id}/members`
const operatorBody = (): Json => ({ ...personBody(), role: 'platform-admin' })
async function added(): Promise<{ userId: string; as: string }> {
  const body = operatorBody()
  must(await t.call('POST', membersPath(), { as: root.as, body }), 201)
  const as = await t.identity.sign({ sub: body.user_id, org_id: t.seed.platformAdmin.org_id })
  return { userId: body.user_id, as }
}
const decide = (held: CallAnswer, verb: 'approve' | 'reject', as: string): Promise<CallAnswer> => {
  const { org_id, request_id } = must(held, 202).data
  return t.call('POST', `/v1/organizations/${org_id}/change-requests/${request_id}/${verb}`, { as, body: {} })
}

describe('an operator whom root has just added', () => {
  it('202: adds nobody alone; another such operator cannot agree, and root decides', async () => {
    const held = await t.call('POST', membersPath(), { as: one.as, body: operatorBody() })
    const waiting = await t.call('GET', '/v1/users/me/waiting', { as: root.as })
    expect(waiting.text).toContain(must(held, 202).data.request_id)
    expect((await decide(held, 'approve', one.as)).status).toBe(403)
    expect((await decide(held, 'approve', other.as)).status).toBe(403)
    expect((await decide(held, 'reject', root.as)).status).toBe(200)
  })

  it.each([
    ['removes', 'DELETE', () => `${membersPath()}/${root.userId}`, undefined],
    ['demotes', 'PATCH', () => `${membersPath()}/${root.userId}`, { role: 'viewer' }],
    [
      'takes permissions from',
      'DELETE',
      () => `${membersPath()}/${root.userId}/permissions`,
      { permissions: ['payouts:approve'] },
    ],
  ] as const)('202: %s root only if root agrees', async (_verb, method, path, body) => {
    const held = await t.call(method, path(), { as: one.as, ...(body && { body }) })
    expect((await decide(held, 'approve', other.as)).status).toBe(403)
    expect((await decide(held, 'reject', root.as)).status).toBe(200)
  })

  it('202: raises no credit limit alone', async () => {
    const { orgId } = await openOrganization(t)
    const body = { limits: [{ currency: 'NGN', amount: 10 }] }
    const path = `/v1/organizations/${orgId}/credit-limits`
    const held = await t.call('PUT', path, { as: one.as, body })
    expect((await decide(held, 'approve', other.as)).status).toBe(403)
    expect((await decide(held, 'approve', root.as)).status).toBe(200)
    expect((await t.call('GET', path, { as: root.as })).body.data).toEqual(body)
  })
})

describe('root', () => {
  it('200: decides alone meanwhile, also about an organisation that a new operator has opened', async () => {
    const admin = personBody()
    const opened = await t.call('POST', '/v1/organizations', {
      as: one.as,
      body: { name: 'New', country: 'NG', admin },
    })
    const { org_id } = must(opened, 201).data
    const asked = await t.call('POST', '/v1/ledger/adjustments', {
      as: await t.identity.sign({ sub: admin.user_id, org_id }),
      body: { debit: 'opening', credit: 'available', currency: 'NGN', amount: 5, reason: 'A bank charge.' },
    })
    expect((await decide(asked, 'approve', one.as)).body.data.status).toBe('pending')
    expect((await decide(asked, 'approve', other.as)).status).toBe(403)
    expect((await decide(asked, 'approve', root.as)).body.data.status).toBe('approved')
    const body = { limits: [{ currency: 'NGN', amount: 20 }] }
    const path = `/v1/organizations/${org_id}/credit-limits`
    expect((await t.call('PUT', path, { as: root.as, body })).status).toBe(200)
  })
})
