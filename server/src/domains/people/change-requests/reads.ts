import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound, type AppError } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createDependence, hasSecondOperator, type IndependenceDeps } from '../empowerments/reads.ts'
import type { ChangeKind, ChangeRequest } from './record.ts'
import {
  findRequest,
  isSwitchedOn,
  selectOperatorsPendingAcrossOrgs,
  selectPending,
  selectPendingOfKindAcrossOrgs,
  selectRequests,
} from './store.ts'
import { isAboutPool, mayDecide } from './rules.ts'

export async function getRequest(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; requestId: string },
): Promise<ChangeRequest> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const request = await deps.db.inOrg(orgId, (tx) => findRequest(tx, orgId, input.requestId))
  if (!request) throw notFound('The change request')
  return request
}

export function listRequests(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { orgId: string; status: string | undefined; page: PageRequest },
): Promise<Page<ChangeRequest>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { status } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'change-requests', filters: { status } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectRequests(tx, orgId, { status, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.requestId }),
  })
}

/** The requests among the oldest `limit` that the caller may decide about; for the operator also those of other organisations. */
export async function listWaitingRequests(
  deps: IndependenceDeps & { clock: Clock },
  caller: Caller,
  limit: number,
): Promise<ChangeRequest[]> {
  const { orgId } = caller
  const page = { now: deps.clock.now(), limit }
  const own = await deps.db.inOrg(orgId, (tx) => selectPending(tx, orgId, page))
  const asked = caller.permissions.has('platform:write')
    ? await deps.db.acrossOrgs((tx) => selectOperatorsPendingAcrossOrgs(tx, page))
    : []
  const others = asked.filter((request) => request.orgId !== orgId)
  const dependence = createDependence(deps, caller)
  const waiting: ChangeRequest[] = []
  for (const request of [...own, ...others].filter((one) => mayDecide(caller, one))) {
    const standing = await readStanding(deps, dependence, caller, request)
    if (standing.dependence === undefined) waiting.push(request)
  }
  return waiting
}

/** What the caller’s approval would be. */
interface Standing {
  /** The first of two operators’ approvals, after which the request still waits. */
  isFirst: boolean
  /** Why it does not count. */
  dependence: AppError | undefined
}

/**
 * Two operators agree to what creates or releases pooled money. If none of those who have taken part is one now, the
 * caller’s approval is the first of the two, and needs to be independent of nobody.
 */
export async function readStanding(
  deps: IndependenceDeps,
  dependence: ReturnType<typeof createDependence>,
  caller: Caller,
  request: ChangeRequest,
): Promise<Standing> {
  const { orgId, requestedBy, reviewedBy } = request
  const { agreed, hasSecond } = isAboutPool(request)
    ? await deps.db.acrossOrgs(async (tx) => {
        const operators = (await deps.listOperators(tx)).map(({ userId }) => userId)
        return {
          agreed: operators.filter((userId) => userId === requestedBy || userId === reviewedBy),
          hasSecond: await hasSecondOperator(deps, tx, caller),
        }
      })
    : { agreed: [], hasSecond: false }
  if (hasSecond && agreed.length === 0) return { isFirst: true, dependence: undefined }
  const others = agreed.length > 0 ? agreed : [requestedBy]
  return { isFirst: false, dependence: await dependence({ orgId, others, isChangeRequest: true }) }
}

const readLimit = 1_000

/** The pending requests of a kind, the oldest first and whoever decides about them. */
export const listPendingOfKind = (
  deps: { db: Database; clock: Clock },
  orgId: string,
  kind: ChangeKind,
): Promise<ChangeRequest[]> =>
  deps.db.inOrg(orgId, (tx) =>
    selectPendingOfKindAcrossOrgs(tx, kind, { now: deps.clock.now(), limit: readLimit }),
  )

/** The same for the operator, who sees every organisation. */
export const listPendingOfKindAcrossOrgs = (
  deps: { db: Database; clock: Clock },
  kind: ChangeKind,
): Promise<ChangeRequest[]> =>
  deps.db.acrossOrgs((tx) =>
    selectPendingOfKindAcrossOrgs(tx, kind, { now: deps.clock.now(), limit: readLimit }),
  )

export function getChangeControl(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string },
): Promise<boolean> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return deps.db.inOrg(orgId, (tx) => isSwitchedOn(tx, orgId))
}
