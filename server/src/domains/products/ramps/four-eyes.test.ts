import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  createTestClock,
  openPayments,
  renewRates,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../test/worlds/test-ramps.ts'
import { advanceRamp } from './advance-ramp.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
afterAll(() => expectCleanAudit(t))
let org: OrgPayments
let reviewers: Person[]
beforeEach(async () => {
  org = await openPayments(t)
  reviewers = [await addPerson(t, org.orgId, 'staff'), await addPerson(t, org.orgId, 'org-admin')]
})

const limit = async (policy: Json): Promise<void> => {
  const path = `/v1/organizations/${org.orgId}/approval-policies`
  expect((await org.call('PUT', path, { policies: [policy] })).status).toBe(200)
}
const ramp = async (): Promise<Json> =>
  (await org.call('POST', '/v1/payments-init/ramp', await wholeRampBody(org))).body.response
const review = (
  id: string,
  as: Person | undefined,
  body: Json = { decision: 'approve' },
): Promise<CallAnswer> => t.call('POST', `/v1/payments/${id}/review`, { as: as?.token ?? '', body })
const advance = (paymentId: string) => advanceRamp(t.deps, { orgId: org.orgId, paymentId })
const legs = async (id: string): Promise<number> => {
  const found = await t.owner.query('select from ramp_legs where org_id = $1 and payment_id = $2', [
    org.orgId,
    id,
  ])
  return found.rowCount ?? 0
}

describe('ramps below the limit', () => {
  it('count towards the daily sum, also at the same moment', async () => {
    await limit({ currency: 'NGN', payout_from: 200_000, daily_from: 400_000 })
    const statuses = (await Promise.all(Array.from({ length: 4 }, ramp))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 'initiated')).toHaveLength(2)
  })
})

describe('a ramp over the limit', () => {
  it('waits: nothing is collected and nothing is sent until two people have approved it', async () => {
    await limit({ currency: 'NGN', payout_from: 100_000 })
    const { payment_id: id, status } = await ramp()
    expect([status, await legs(id)]).toEqual(['initiated', 0])
    expect((await advance(id)).nextPollMs).toBeUndefined()
    expect(await legs(id)).toBe(0)
    expect((await review(id, reviewers[0])).body.status).toBe('reviewed')
    await advance(id)
    expect(await legs(id)).toBe(0)
    expect((await review(id, reviewers[1])).body.status).toBe('confirmed')
    await advance(id)
    expect(await legs(id)).toBe(1)
    await t.simulator.settle({ all: true })
    await advance(id)
    expect((await org.record(id)).status).toBe('completed')
  })

  it('is closed when it is rejected', async () => {
    await limit({ currency: 'NGN', payout_from: 100_000 })
    const { payment_id: id } = await ramp()
    expect((await review(id, reviewers[0], { decision: 'reject' })).body.status).toBe('rejected')
    expect((await advance(id)).loaded.ramp.phase).toBe('closed')
    expect(await legs(id)).toBe(0)
  })

  it('is priced again when its rate has expired and the approver accepts the new one', async () => {
    await limit({ currency: 'NGN', payout_from: 100_000 })
    const { payment_id: id } = await ramp()
    await review(id, reviewers[0])
    clock.pass(16 * 60_000)
    await renewRates(t, clock)
    const refused = await review(id, reviewers[1])
    expect(refused.status).toBe(409)
    const org_rate_id = refused.body.details[0].message
    expect((await review(id, reviewers[1], { decision: 'approve', org_rate_id })).status).toBe(200)
    expect((await advance(id)).loaded.ramp.expiresAt.getTime()).toBeGreaterThan(clock.now().getTime())
    expect(await legs(id)).toBe(1)
  })
})
