import type { Database, Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeRequest } from './record.ts'
import { assertPending } from './rules.ts'
import { endRequest, lockRequest, setReviewer } from './store.ts'

interface RequestDecision {
  orgId: string
  requestId: string
  comments: string | null
  /** Of these, `reviewed` is the first of two approvals, after which the request still waits. */
  status: 'approved' | 'rejected' | 'canceled' | 'reviewed'
  assertMay(this: void, request: ChangeRequest): void
  apply?(this: void, tx: Tx): Promise<void>
  /** Its transaction sees every organisation. */
  isOperators?: boolean | undefined
}

const actions = { approved: 'approve', rejected: 'reject', canceled: 'cancel', reviewed: 'review' } as const

/** Shared by approve, reject and cancel: only a pending request is decided about, and it ends once. */
export function recordDecision(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  { orgId, requestId, comments, status, assertMay, apply, isOperators = false }: RequestDecision,
): Promise<ChangeRequest> {
  const at = deps.clock.now()
  const decide = async (tx: Tx): Promise<ChangeRequest> => {
    const request = await lockRequest(tx, orgId, requestId)
    if (!request) throw notFound('The change request')
    assertMay(request)
    assertPending(request, at)
    await apply?.(tx)
    const decided =
      status === 'reviewed'
        ? await setReviewer(tx, orgId, { requestId, reviewedBy: caller.userId, at })
        : await endRequest(tx, orgId, { requestId, status, decidedBy: caller.userId, comments, at })
    await recordAudit(tx, caller, orgId, {
      action: `change-request.${actions[status]}`,
      resourceType: 'change-request',
      resourceId: requestId,
      before: { status: request.status },
      after: {
        status,
        kind: request.kind,
        summary: request.summary,
        requested_by: request.requestedBy,
        reviewed_by: request.reviewedBy,
      },
    })
    return decided
  }
  const isInstallations = orgId === installationOrgId
  return isOperators || isInstallations ? deps.db.acrossOrgs(decide) : deps.db.inOrg(orgId, decide)
}
