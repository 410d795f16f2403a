import { describe, expect, it } from 'vitest'
import type { Caller, Role } from '../../../lib/requests/access.ts'
import { forbidden } from '../../../lib/errors.ts'
import { statuses, type Status } from '../lifecycle/rules.ts'
import { isAwaitingReview, mayDecide, refuseReview, type Decision, type Reviewable } from './rules.ts'

const callerOf = (userId: string, role: Role): Caller => ({
  orgId: 'org',
  userId,
  role,
  permissions: new Set(),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin: { ip: '127.0.0.1', userAgent: undefined, requestId: 'request' },
})

const refusal = (
  caller: Caller,
  payment: { status?: Status; reviewers?: string[] },
  decision: Decision = 'approve',
): string | undefined =>
  refuseReview(
    caller,
    { status: 'initiated', userId: 'maker', reviewers: [], dependence: undefined, ...payment },
    decision,
  )?.code

describe('a payment', () => {
  it('awaits a review until it is confirmed, rejected or canceled', () => {
    expect(statuses.filter(isAwaitingReview)).toEqual(['initiated', 'reviewed'])
    for (const status of statuses)
      expect(refusal(callerOf('admin', 'org-admin'), { status })).toBe(
        isAwaitingReview(status) ? undefined : 'CONFLICT',
      )
  })

  it('is not reviewed by the person who initiated it, whatever their role', () => {
    for (const role of ['staff', 'org-admin', 'platform-admin'] as const)
      for (const decision of ['approve', 'reject'] as const)
        expect(refusal(callerOf('maker', role), {}, decision)).toBe('FORBIDDEN')
  })

  it('is not reviewed twice by one person', () => {
    const reviewed = { status: 'reviewed', reviewers: ['first', 'second'] } as const
    for (const userId of reviewed.reviewers)
      expect(
        refusal(callerOf(userId, 'org-admin'), { status: 'reviewed', reviewers: ['first', 'second'] }),
      ).toBe('CONFLICT')
    expect(
      refusal(callerOf('third', 'org-admin'), { status: 'reviewed', reviewers: ['first'] }),
    ).toBeUndefined()
  })

  it('is approved by an administrator in the end; anybody may reject it, or approve first', () => {
    const verdicts = (status: Status, decision: Decision): (string | undefined)[] =>
      (['viewer', 'staff', 'org-admin', 'platform-admin'] as const).map((role) =>
        refusal(callerOf('other', role), { status }, decision),
      )
    expect(verdicts('reviewed', 'approve')).toEqual(['FORBIDDEN', 'FORBIDDEN', undefined, undefined])
    expect(verdicts('reviewed', 'reject')).toEqual([undefined, undefined, undefined, undefined])
    expect(verdicts('initiated', 'approve')).toEqual([undefined, undefined, undefined, undefined])
  })
})

it('a colleague who depends on the others may reject, and does not count as a second person', () => {
  const dependence = forbidden('Your colleague invited you.')
  const decide = (decision: Decision, status: Status = 'initiated') =>
    refuseReview(
      callerOf('other', 'org-admin'),
      { status, userId: 'maker', reviewers: [], dependence },
      decision,
    )
  expect([decide('approve'), decide('approve', 'reviewed')]).toEqual([dependence, dependence])
  expect([decide('reject'), decide('reject', 'reviewed')]).toEqual([undefined, undefined])
})

describe('what a person may decide', () => {
  const mayCall = (caller: Caller, change: Partial<Reviewable> = {}) =>
    mayDecide(
      { ...caller, permissions: new Set(['payouts:approve']) },
      { status: 'initiated', userId: 'maker', reviewers: [], dependence: undefined, ...change },
    )

  it('is both where nothing speaks against it', () => {
    expect(mayCall(callerOf('other', 'staff'))).toEqual({ decisions: ['approve', 'reject'], reason: null })
  })

  it('is to reject only, with the reason why they cannot approve', () => {
    expect(mayCall(callerOf('other', 'staff'), { status: 'reviewed' })).toEqual({
      decisions: ['reject'],
      reason: 'The second approval is an org-admin’s to give.',
    })
    const dependence = forbidden('Your colleague invited you.')
    expect(mayCall(callerOf('other', 'org-admin'), { dependence })).toEqual({
      decisions: ['reject'],
      reason: 'Your colleague invited you.',
    })
  })

  it('is nothing for whoever initiated it, or has reviewed it', () => {
    expect(mayCall(callerOf('maker', 'org-admin'))).toEqual({
      decisions: [],
      reason: 'You cannot review a payment that you initiated.',
    })
    expect(
      mayCall(callerOf('first', 'org-admin'), {
        status: 'reviewed',
        subject: 'refund',
        reviewers: ['first'],
      }),
    ).toEqual({ decisions: [], reason: 'You have reviewed this refund already.' })
  })

  it('is nothing without the permission to approve payouts', () => {
    const waiting = { status: 'initiated', userId: 'maker', reviewers: [], dependence: undefined } as const
    expect(mayDecide(callerOf('other', 'org-admin'), waiting)).toEqual({
      decisions: [],
      reason: 'You lack the permission payouts:approve.',
    })
  })
})

it('a refusal says why', () => {
  const reasonOf = (caller: Caller, change: { status?: Status; reviewers?: string[] }): string | undefined =>
    refuseReview(
      caller,
      { status: 'initiated', userId: 'maker', reviewers: [], dependence: undefined, ...change },
      'approve',
    )?.message
  const admin = callerOf('admin', 'org-admin')
  expect(reasonOf(admin, { status: 'failed' })).toBe('A payment that is failed waits for no review.')
  expect(reasonOf(callerOf('maker', 'staff'), {})).toBe('You cannot review a payment that you initiated.')
  expect(reasonOf(admin, { reviewers: ['admin'] })).toBe('You have reviewed this payment already.')
  expect(reasonOf(callerOf('other', 'staff'), { status: 'reviewed' })).toBe(
    'The second approval is an org-admin’s to give.',
  )
})
