import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, approveChange } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const path = (orgId = org.orgId): string => `/v1/organizations/${orgId}/approval-policies`
/** The operator approves what needs a second person. */
const set = async (policies: Json, as = org.credential, orgId = org.orgId): Promise<CallAnswer> => {
  const answer = await t.call('PUT', path(orgId), { as, body: { policies } })
  await approveChange(t, answer)
  return answer
}
const read = async (): Promise<Json> => (await org.call('GET', path())).body.data.policies

const unlimited = { daily_from: null, refund_from: null, refund_daily_from: null }

describe('200', () => {
  it('is empty at first; a new list replaces the old one and keeps its digits', async () => {
    expect(await read()).toEqual([])
    const answer = await set([
      { currency: 'NGN', payout_from: 1000.5 },
      { currency: 'UGX', payout_from: 5000, daily_from: 20_000 },
    ])
    expect(answer.text).toContain(
      '{"currency":"NGN","payout_from":1000.50,"daily_from":null,"refund_from":null,"refund_daily_from":null},{"currency":"UGX","payout_from":5000.0,"daily_from":20000.0,',
    )
    await set([{ currency: 'KES', payout_from: 1 }])
    expect(await read()).toEqual([{ currency: 'KES', payout_from: 1, ...unlimited }])
    await set([])
    expect(await read()).toEqual([])
  })

  it('applies to the next payout of that amount or more', async () => {
    const beneficiary = await org.addBeneficiary(bankBeneficiary())
    const statusOf = async (amount: number): Promise<string> =>
      (await org.initiate(bankPayout(beneficiary, { amount, target_amount: amount }))).body.response.status
    expect(await statusOf(1000)).toBe('processing')
    await set([{ currency: 'NGN', payout_from: 1000 }])
    expect([await statusOf(999.99), await statusOf(1000)]).toEqual(['processing', 'initiated'])
    await set([])
    expect(await statusOf(1000)).toBe('processing')
  })

  it('staff and viewers may read them', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      expect((await t.call('GET', path(), { as: token })).status).toBe(200)
    }
  })
})

describe('400', () => {
  it.each([
    [[{ currency: 'XYZ', payout_from: 1 }]],
    [[{ currency: 'NGN', payout_from: 0 }]],
    [[{ currency: 'NGN', payout_from: -1 }]],
    [[{ currency: 'NGN', payout_from: 1.005 }]],
    [[{ currency: 'NGN', payout_from: 1e40 }]],
    [[{ currency: 'NGN', payout_from: '1' }]],
    [[{ currency: 'NGN' }]],
    [[{ currency: 'NGN', payout_from: 1, daily_from: 0 }]],
    [[{ currency: 'NGN', payout_from: 1, daily_from: 1.005 }]],
    [[{ currency: 'NGN', daily_from: 1 }]],
    [
      [
        { currency: 'NGN', payout_from: 1 },
        { currency: 'NGN', payout_from: 2 },
      ],
    ],
    ['none'],
  ])('%j', async (policies) => {
    await set([{ currency: 'KES', payout_from: 7 }])
    expect((await set(policies)).status).toBe(400)
    expect(await read()).toEqual([{ currency: 'KES', payout_from: 7, ...unlimited }])
  })
})

describe('403', () => {
  it('staff and viewers may not change them', async () => {
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      expect((await set([], token)).status).toBe(403)
    }
  })

  it('another organisation’s can be neither read nor changed', async () => {
    const stranger = await openPayments(t)
    expect((await set([], org.credential, stranger.orgId)).status).toBe(403)
    expect((await org.call('GET', path(stranger.orgId))).status).toBe(403)
  })
})
