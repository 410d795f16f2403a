import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden, conflict } from '../../../lib/errors.ts'
import type { ChangeKind, ChangeRequest, ChangeStatus } from './record.ts'

const lifetimeMs = 72 * 60 * 60_000

export const expiryFrom = (now: Date): Date => new Date(now.getTime() + lifetimeMs)

const poolKinds: ReadonlySet<ChangeKind> = new Set([
  'payment.resolve',
  'refund.resolve',
  'ledger.adjust',
  'sanctions-match.clear',
])

/** Whether it creates or releases money in the installation’s accounts, so that two operators agree where there are two. */
export const isAboutPool = ({ approver, kind }: Pick<ChangeRequest, 'approver' | 'kind'>): boolean =>
  approver === 'operator' && poolKinds.has(kind)

/** A pending request past its expiry counts as expired. */
export const statusAt = (request: Pick<ChangeRequest, 'status' | 'expiresAt'>, now: Date): ChangeStatus =>
  request.status === 'pending' && request.expiresAt <= now ? 'expired' : request.status

export function assertPending(request: ChangeRequest, now: Date): void {
  const status = statusAt(request, now)
  if (status !== 'pending') throw conflict(`The change request is ${status}: it can no longer be decided.`)
}

const isOperator = (caller: Caller): boolean =>
  caller.role === 'platform-admin' && caller.permissions.has('platform:write')

/** The second person is an administrator who approves payouts too, and never the one who asked. */
export function assertMayDecide(caller: Caller, request: ChangeRequest): void {
  if (caller.userId === request.requestedBy)
    throw forbidden('You asked for this change, so somebody else has to decide about it.')
  if (caller.userId === request.reviewedBy)
    throw forbidden('You have approved this change already. Another operator has to decide about it.')
  if (request.approver === 'operator' && !isOperator(caller))
    throw forbidden(
      'The operator has to decide about this change: the money lies in an account of the installation, or nobody in the organisation counts as a second person.',
    )
  const isAdministrator = caller.role === 'org-admin' || caller.role === 'platform-admin'
  if (!isAdministrator || !caller.permissions.has('payouts:approve'))
    throw forbidden('Another org-admin has to decide about this change.')
}

export function mayDecide(caller: Caller, request: ChangeRequest): boolean {
  try {
    assertMayDecide(caller, request)
    return true
  } catch {
    return false
  }
}
