import { beforeEach, describe, expect, it } from 'vitest'
import { openOrganization, type OpenedOrganization } from '../../../../test/app/people.ts'
import { useApp, type Json } from '../../../../test/app/test-app.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const t = useApp({ clock })
let org: OpenedOrganization
let key: Json
beforeEach(async () => {
  org = await openOrganization(t)
  key = (await t.call('POST', '/v1/public/api-keys', { as: org.admin.token, body: { name: 'Robot' } })).body
    .data
})

const use = (): Promise<unknown> => t.call('GET', '/v1/users/me', { as: key.api_key })
const lastUsed = async (): Promise<string | null> => {
  await t.deps.keyUsage.flush()
  const { body } = await t.call('GET', '/v1/public/api-keys', { as: org.admin.token })
  return body.data.find(({ api_key_id }: Json) => api_key_id === key.api_key_id).last_used_at
}

describe('when a key was last used', () => {
  it('is null for a new key, and the time of its use afterwards', async () => {
    expect(key.last_used_at).toBeNull()
    expect(await lastUsed()).toBeNull()
    await use()
    const used = await lastUsed()
    expect(Math.abs(new Date(used ?? 0).getTime() - clock.now().getTime())).toBeLessThan(30_000)
  })

  it('is written at most once a minute', async () => {
    await use()
    const first = await lastUsed()
    clock.pass(59_000)
    await use()
    expect(await lastUsed()).toBe(first)
    clock.pass(2_000)
    await use()
    expect(new Date((await lastUsed()) ?? 0).getTime()).toBeGreaterThan(new Date(first ?? 0).getTime())
    clock.pass(-61_000)
  })

  it('is not written by a key that is refused', async () => {
    await t.call('DELETE', `/v1/public/api-keys/${key.api_key_id}`, { as: org.admin.token })
    await use()
    expect(await lastUsed()).toBeNull()
  })

  it('a write that fails fails no request', async () => {
    await t.owner.query('alter table api_keys rename column last_used_at to renamed')
    try {
      expect((await t.call('GET', '/v1/users/me', { as: key.api_key })).status).toBe(200)
      await expect(t.deps.keyUsage.flush()).resolves.toBeUndefined()
    } finally {
      await t.owner.query('alter table api_keys rename column renamed to last_used_at')
    }
  })
})
