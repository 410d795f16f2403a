import { describe, expect, it } from 'vitest'
import type { AuditEntry, OperatorFacts } from '../people-records.ts'
import { empoweredDecided, operatorAlone } from './lineage.ts'
import { evidence } from './testing.ts'

/** Each entry is a request of its own. */
const entry = (userId: string, action: string, resourceId: string, more: Partial<AuditEntry> = {}) => ({
  orgId: 'org',
  userId,
  action,
  resourceId,
  requestId: `${userId} ${action} ${resourceId}`,
  requestedBy: null,
  reviewedBy: null,
  gives: false,
  ...more,
})
const adds = (giver: string, receiver: string, more: Partial<AuditEntry> = {}): AuditEntry =>
  entry(giver, 'member.add', receiver, { gives: true, ...more })
const none: OperatorFacts = {
  known: ['root'],
  added: [],
  limits: [],
  waived: [],
  adjusted: [],
  schedules: [],
}
const startedBy = new Map([['payment', 'ann']])
const judged = (...audit: AuditEntry[]) => empoweredDecided(evidence({ audit, startedBy, operators: none }))
const approves = (userId: string): AuditEntry => entry(userId, 'payment.approve', 'payment')

describe('nobody decided', () => {
  it.each<[string, AuditEntry[]]>([
    ['about a payment of their own', [approves('ann')]],
    ['about what somebody asked for whom they had added', [adds('ben', 'ann'), approves('ben')]],
    ['about what somebody asked for who had added them', [adds('ann', 'ben'), approves('ben')]],
    ['who has access from the same person', [adds('eve', 'ann'), adds('eve', 'ben'), approves('ben')]],
    ['who is related through others', [adds('ann', 'cid'), adds('cid', 'ben'), approves('ben')]],
    ['after a relative had approved it', [adds('ben', 'cid'), approves('ben'), approves('cid')]],
    [
      'whom only a relative had confirmed',
      [adds('ann', 'ben'), entry('ann', 'member.confirm', 'ben'), approves('ben')],
    ],
  ])('%s', (_case, audit) => {
    expect(judged(...audit).at(-1)).toMatchObject({ judge: 'empowered decided' })
  })

  it.each<[string, AuditEntry]>([
    ['a batch', entry('ben', 'payout-batch.approved', 'payment')],
    ['a manual payment', entry('ben', 'payment.confirm', 'payment')],
    ['a change', entry('ben', 'change-request.approve', 'request', { requestedBy: 'ann' })],
    ['a member', entry('ben', 'member.confirm', 'ann')],
  ])('about %s of a relative', (_case, decision) => {
    expect(judged(adds('ann', 'ben'), decision)).toHaveLength(1)
    expect(judged(adds('eve', 'ben'), decision)).toEqual([])
  })
})

describe('somebody may decide', () => {
  it.each<[string, AuditEntry[]]>([
    ['who is not related', [adds('ann', 'cid'), approves('ben')]],
    ['whom the operator has added as well', [adds('root', 'ann'), adds('root', 'ben'), approves('ben')]],
    ['who was only demoted', [adds('ann', 'ben', { gives: false }), approves('ben')]],
    [
      'whom somebody unrelated has confirmed',
      [adds('ann', 'ben'), entry('cid', 'member.confirm', 'ben'), approves('ben')],
    ],
    [
      'to whose access somebody unrelated agreed',
      [
        entry('cid', 'change-request.approve', 'request', { requestId: 'one', requestedBy: 'ann' }),
        adds('cid', 'ben', { requestId: 'one' }),
        approves('ben'),
      ],
    ],
  ])('%s', (_case, audit) => {
    expect(judged(...audit)).toEqual([])
  })

  it('who is related to whoever asked, but not to the operator who approved it first', () => {
    const change = entry('ben', 'change-request.approve', 'request', {
      requestedBy: 'ann',
      reviewedBy: 'cid',
    })
    expect(judged(adds('ben', 'ann'), change)).toEqual([])
    expect(judged(adds('ben', 'cid'), change)).toHaveLength(1)
  })

  it('unless the operator who decides has added the person', () => {
    expect(judged(adds('root', 'ann'), approves('root'))).toHaveLength(1)
  })
})

describe('one operator alone', () => {
  const sum = { orgId: 'friend', currency: 'KES', minor: '100' }

  it('changed nothing that takes two', () => {
    expect(operatorAlone(evidence({ operators: none }))).toEqual([])
  })

  it.each<[string, Partial<OperatorFacts>]>([
    ['added an operator', { added: ['eve'] }],
    ['raised a credit limit', { limits: [sum] }],
    ['waived a verification', { waived: ['friend'] }],
    ['adjusted pooled money', { adjusted: [sum] }],
    ['set a price', { schedules: ['friend'] }],
  ])('%s', (_case, change) => {
    expect(operatorAlone(evidence({ operators: { ...none, ...change } }))).toMatchObject([
      { judge: 'operator alone' },
    ])
  })
})
