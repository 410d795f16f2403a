import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addOperator, approveChange } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { leaveInDoubt, openDoubts, type Doubts } from '../../../../test/worlds/test-doubts.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

const hourMs = 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: Doubts
let id: string
afterAll(() => expectCleanAudit(t))

const open = async (custody: 'pooled' | 'own'): Promise<void> => {
  leaveInDoubt(t)
  org = await openDoubts(t, custody)
  id = await org.startPayin()
  clock.pass(25 * hourMs)
}
const newKey = async (as: string): Promise<string> =>
  (await t.call('POST', '/v1/public/api-keys', { as, body: { name: 'another' } })).body.data.api_key
const status = async (): Promise<string> => (await org.record(id)).status
const requestPath = (held: CallAnswer): string =>
  `/v1/organizations/${org.orgId}/change-requests/${held.body.data.request_id}`
const requestStatus = async (held: CallAnswer): Promise<string> =>
  (await org.call('GET', requestPath(held))).body.data.status

describe('own money: one person alone cannot decide', () => {
  beforeEach(() => open('own'))

  it('whatever credential of theirs they use, and in whatever order', async () => {
    const keys = [await newKey(org.second.token), await newKey(org.second.token)]
    const held = await org.resolve(id, 'completed', org.second.token)
    expect(held.body.data).toMatchObject({ approver: 'administrator', requested_by: org.second.userId })
    for (const as of [org.second.token, ...keys])
      expect([(await org.decide(held, 'approve', as)).status, await status()]).toEqual([403, 'processing'])
    const byKey = await org.resolve(id, 'completed', keys[0])
    for (const as of [org.second.token, ...keys])
      expect([(await org.decide(byKey, 'approve', as)).status, await status()]).toEqual([403, 'processing'])
    expect((await org.decide(byKey, 'approve', org.credential)).status).toBe(200)
    expect(await status()).toBe('completed')
  })

  it('nor by proposing the same twice, nor by a change control that is switched off', async () => {
    await org.resolve(id, 'completed', org.second.token)
    const again = await org.resolve(id, 'completed', org.second.token)
    expect([again.status, await status()]).toEqual([202, 'processing'])
    const off = await t.call('PUT', `/v1/organizations/${org.orgId}/change-control`, {
      as: org.second.token,
      body: { enabled: false },
    })
    expect(off.status).toBe(409)
    await t.owner.query('insert into change_controls (org_id, enabled) values ($1, false)', [org.orgId])
    expect((await org.resolve(id, 'failed', org.second.token)).status).toBe(202)
    expect(await status()).toBe('processing')
  })

  it('a second person who is no administrator, or was removed or demoted, does not count', async () => {
    const held = await org.resolve(id, 'completed')
    expect((await org.decide(held, 'approve', org.staff.token)).status).toBe(403)
    const granted = await t.call(
      'PUT',
      `/v1/organizations/${org.orgId}/members/${org.staff.userId}/permissions`,
      {
        as: org.credential,
        body: { permissions: ['approval-policies:write', 'payouts:approve'] },
      },
    )
    expect(granted.status).toBe(200)
    expect((await org.decide(held, 'approve', org.staff.token)).status).toBe(403)
    const key = await newKey(org.second.token)
    const demoted = await org.call('PATCH', `/v1/organizations/${org.orgId}/members/${org.second.userId}`, {
      role: 'staff',
    })
    expect(demoted.status).toBe(200)
    for (const as of [org.second.token, key]) expect((await org.decide(held, 'approve', as)).status).toBe(403)
    await approveChange(
      t,
      await org.call('DELETE', `/v1/organizations/${org.orgId}/members/${org.second.userId}`),
    )
    for (const as of [org.second.token, key])
      expect([401, 403]).toContain((await org.decide(held, 'approve', as)).status)
    expect([await status(), await requestStatus(held)]).toEqual(['processing', 'pending'])
  })

  it('an approval counts once, and a rejected, canceled or expired proposal not at all', async () => {
    const canceled = await org.resolve(id, 'completed')
    await t.call('POST', `${requestPath(canceled)}/cancel`, { as: org.credential })
    const rejected = await org.resolve(id, 'completed')
    expect((await org.decide(rejected, 'reject', org.second.token)).status).toBe(200)
    for (const held of [canceled, rejected])
      expect((await org.decide(held, 'approve', org.second.token)).status).toBe(409)
    const expired = await org.resolve(id, 'completed')
    clock.pass(73 * hourMs)
    expect((await org.decide(expired, 'approve', org.second.token)).status).toBe(409)
    expect(await status()).toBe('processing')
    const [first, other] = [await org.resolve(id, 'completed'), await org.resolve(id, 'failed')]
    const answers = await Promise.all([
      org.decide(first, 'approve', org.second.token),
      org.decide(first, 'approve', org.second.token),
      org.decide(other, 'approve', org.second.token),
    ])
    expect(answers.map((answer) => String(answer.status)).sort()).toEqual(['200', '409', '409'])
    expect((await org.decide(first, 'approve', org.second.token)).status).toBe(409)
    expect((await org.timeline(id)).filter(({ kind }) => kind === 'resolution')).toHaveLength(1)
  })

  it('another organisation’s administrator does not count', async () => {
    const held = await org.resolve(id, 'completed')
    const stranger = await openDoubts(t, 'own')
    expect((await org.decide(held, 'approve', stranger.credential)).status).toBe(403)
    expect(await status()).toBe('processing')
  })

  it('the database refuses a decision of one person', async () => {
    const one = t.owner.query(
      `insert into resolutions (org_id, resolution_id, payment_id, attempt_no, outcome, evidence, proposed_by, approved_by)
       values ($1, gen_random_uuid(), $2, 1, 'completed', 'none', 'me', 'me')`,
      [org.orgId, id],
    )
    await expect(one).rejects.toThrow('check constraint')
  })
})

it('those who have to approve are notified', async () => {
  await open('pooled')
  const held = await org.resolve(id, 'completed')
  const { rows } = await t.owner.query(
    `select user_id from notifications where variables ->> 'requestId' = $1`,
    [held.body.data.request_id],
  )
  expect(rows).toContainEqual({ user_id: t.seed.platformAdmin.user_id })
  expect(rows).not.toContainEqual({ user_id: org.second.userId })
})

describe('pooled money: the organisation’s administrators cannot decide, however many they are', () => {
  beforeEach(() => open('pooled'))

  it('two administrators cannot resolve a payin at the installation’s account', async () => {
    for (const proposer of [org.credential, org.staff.token]) {
      const held = await org.resolve(id, 'completed', proposer)
      expect(held.body.data.approver).toBe('operator')
      expect(held.body.message).toContain('operator')
      const refused = await org.decide(held, 'approve', org.second.token)
      expect([refused.status, await status()]).toEqual([403, 'processing'])
    }
  })

  it('an administrator who is also the operator does not decide in both roles', async () => {
    const both = await t.identity.sign({ sub: t.seed.platformAdmin.user_id, org_id: org.orgId })
    const { orgId } = org
    await t.owner.query(
      `insert into members (org_id, user_id, email, first_name, last_name, role)
       values ($1, $2, 'both@example.test', 'Bo', 'Th', 'org-admin')`,
      [orgId, t.seed.platformAdmin.user_id],
    )
    const asMember = await org.resolve(id, 'completed', both)
    expect(asMember.status).toBe(202)
    expect((await org.decide(asMember, 'approve', t.seed.platformAdmin.api_key)).status).toBe(403)
    const asOperator = await org.resolve(id, 'completed', t.seed.platformAdmin.api_key, { org_id: orgId })
    expect(asOperator.status).toBe(202)
    for (const as of [both, t.seed.platformAdmin.api_key, org.second.token])
      expect((await org.decide(asOperator, 'approve', as)).status).toBe(403)
    expect(await status()).toBe('processing')
    const colleague = await addOperator(t)
    expect((await org.decide(asOperator, 'approve', colleague.token)).status).toBe(200)
    expect(await status()).toBe('completed')
  })

  it('a platform-admin without the permission does not count', async () => {
    const held = await org.resolve(id, 'completed')
    const narrow = await t.call('POST', '/v1/public/api-keys', {
      as: t.seed.platformAdmin.api_key,
      body: { name: 'narrow', scopes: ['approval-policies:write', 'payouts:approve', 'platform:read'] },
    })
    const refused = await org.decide(held, 'approve', (narrow.body.data as Json).api_key)
    expect([refused.status, await status()]).toEqual([403, 'processing'])
  })
})
