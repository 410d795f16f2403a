import { describe, expect, it } from 'vitest'
import { rolePermissions, type Caller, type Permission, type Role } from '../../../lib/requests/access.ts'
import { AppError } from '../../../lib/errors.ts'
import { changeKinds, type Approver, type ChangeRequest, type ChangeStatus } from './record.ts'
import { assertMayDecide, assertPending, expiryFrom, isAboutPool, mayDecide, statusAt } from './rules.ts'

const now = new Date('2026-03-01T12:00:00Z')
const hourMs = 3_600_000

const requestOf = (change: Partial<ChangeRequest> = {}): ChangeRequest => ({
  orgId: 'org',
  requestId: 'request',
  kind: 'member.add',
  payload: {},
  payloadSealed: null,
  summary: 'Add a member.',
  approver: 'administrator',
  status: 'pending',
  reviewedBy: null,
  requestedBy: 'asker',
  decidedBy: null,
  comments: null,
  expiresAt: new Date(now.getTime() + 1),
  createdAt: now,
  updatedAt: now,
  ...change,
})

const callerOf = (role: Role, change: { userId?: string; without?: Permission } = {}): Caller => ({
  orgId: 'org',
  userId: change.userId ?? 'other',
  role,
  permissions: new Set(rolePermissions[role].filter((permission) => permission !== change.without)),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin: { ip: '127.0.0.1', userAgent: undefined, requestId: 'request' },
})

/** The code and the first words of the refusal; undefined when there is none. */
function refusal(decide: () => void): string | undefined {
  try {
    decide()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `${error.code} ${error.message.split(' ').slice(0, 2).join(' ')}`
  }
}

describe('a change request', () => {
  it('can be decided for three days', () => {
    expect(expiryFrom(now)).toEqual(new Date(now.getTime() + 72 * hourMs))
  })

  it('is expired from its expiry on, unless it was decided before', () => {
    const statuses: ChangeStatus[] = ['pending', 'approved', 'rejected', 'canceled', 'expired']
    const at = (offsetMs: number): ChangeStatus[] =>
      statuses.map((status) => statusAt({ status, expiresAt: new Date(now.getTime() + offsetMs) }, now))
    expect(at(1)).toEqual(statuses)
    expect(at(0)).toEqual(['expired', 'approved', 'rejected', 'canceled', 'expired'])
    expect(at(-1)).toEqual(['expired', 'approved', 'rejected', 'canceled', 'expired'])
  })

  it('can be decided only while it is pending', () => {
    expect(refusal(() => assertPending(requestOf(), now))).toBeUndefined()
    expect(refusal(() => assertPending(requestOf({ expiresAt: now }), now))).toBe('CONFLICT The change')
    for (const status of ['approved', 'rejected', 'canceled', 'expired'] as const)
      expect(refusal(() => assertPending(requestOf({ status }), now))).toBe('CONFLICT The change')
  })
})

it('two operators agree to what creates or releases money in the installation’s accounts', () => {
  const aboutPool = (approver: Approver): string[] =>
    changeKinds.filter((kind) => isAboutPool({ approver, kind }))
  expect(aboutPool('operator')).toEqual([
    'payment.resolve',
    'refund.resolve',
    'ledger.adjust',
    'sanctions-match.clear',
  ])
  // The money of the organisation's own accounts is its own affair.
  expect(aboutPool('administrator')).toEqual([])
})

describe('the second person', () => {
  const verdict = (caller: Caller, change: Partial<ChangeRequest> = {}): string | undefined => {
    const request = requestOf(change)
    const refused = refusal(() => assertMayDecide(caller, request))
    expect(mayDecide(caller, request)).toBe(refused === undefined)
    return refused
  }

  it('is never the one who asked, not even the operator', () => {
    for (const role of ['org-admin', 'platform-admin'] as const)
      for (const approver of ['administrator', 'operator'] as const)
        expect(verdict(callerOf(role, { userId: 'asker' }), { approver })).toBe('FORBIDDEN You asked')
  })

  it('is not the operator who has approved it already: where there are two, both decide', () => {
    const approvedOnce = { approver: 'operator', reviewedBy: 'first' } as const
    expect(verdict(callerOf('platform-admin', { userId: 'first' }), approvedOnce)).toBe('FORBIDDEN You have')
    expect(verdict(callerOf('platform-admin', { userId: 'second' }), approvedOnce)).toBeUndefined()
  })

  it('is an administrator who approves payouts too', () => {
    expect(verdict(callerOf('org-admin'))).toBeUndefined()
    expect(verdict(callerOf('platform-admin'))).toBeUndefined()
    expect(verdict(callerOf('staff'))).toBe('FORBIDDEN Another org-admin')
    expect(verdict(callerOf('viewer'))).toBe('FORBIDDEN Another org-admin')
    for (const role of ['org-admin', 'platform-admin'] as const)
      expect(verdict(callerOf(role, { without: 'payouts:approve' }))).toBe('FORBIDDEN Another org-admin')
  })

  it('is the operator where the money lies in an account of the installation', () => {
    const ofOperator = { approver: 'operator' } as const
    expect(verdict(callerOf('platform-admin'), ofOperator)).toBeUndefined()
    expect(verdict(callerOf('org-admin'), ofOperator)).toBe('FORBIDDEN The operator')
    expect(verdict(callerOf('platform-admin', { without: 'platform:write' }), ofOperator)).toBe(
      'FORBIDDEN The operator',
    )
    const granted = { ...callerOf('org-admin'), permissions: new Set(rolePermissions['platform-admin']) }
    expect(verdict(granted, ofOperator)).toBe('FORBIDDEN The operator')
  })
})
