import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { conflict } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { queueNotification } from '../notifications/queue-notification.ts'
import { listSecondOperators } from '../empowerments/reads.ts'
import { decidersAmong, isSecondPerson } from '../empowerments/rules.ts'
import {
  changeContext,
  type Administrator,
  type ChangeControl,
  type ChangeRequest,
  type HoldDeps,
  type NewChange,
} from './record.ts'
import { expiryFrom } from './rules.ts'
import { countPending, insertRequest, isSwitchedOn } from './store.ts'

const pendingLimit = 100

export const createChangeControl = (deps: HoldDeps): ChangeControl => ({
  async hold(tx, caller, change) {
    const { orgId } = change
    const administrators = await deps.listAdministrators(tx, orgId)
    const lineage = await deps.lineage.readIn(tx, orgId)
    if (await deps.isOperators(tx, orgId)) {
      // Everything else in the installation depends on the operator's organisation. Only who is alone in it, or has
      // added everybody else, decides alone.
      const asked = decidersAmong(lineage, caller.userId, administrators)
      return asked.length > 0 ? requestChange(deps, tx, caller, { ...change, deciders: asked }) : undefined
    }
    const deciders = administrators.filter(({ userId }) => isSecondPerson(lineage, caller.userId, userId))
    if (!(await isControlled(deps, tx, orgId, administrators.length))) return undefined
    const approver = deciders.length > 0 ? change.approver : 'operator'
    return requestChange(deps, tx, caller, { ...change, ...(approver && { approver }), deciders })
  },
  async propose(tx, caller, change) {
    const deciders =
      change.approver === 'operator'
        ? await deps.listOperators(tx)
        : await deps.listAdministrators(tx, change.orgId)
    return requestChange(deps, tx, caller, { ...change, deciders })
  },
  async holdForOperators(tx, caller, change) {
    const deciders = await listSecondOperators(deps, tx, caller)
    if (deciders.length === 0) return undefined
    return requestChange(deps, tx, caller, { ...change, approver: 'operator', deciders })
  },
  isControlled: async (tx, orgId) =>
    isControlled(deps, tx, orgId, (await deps.listAdministrators(tx, orgId)).length),
})

/** An operator gets the notice in the organisation that they are a member of. */
type Decider = Administrator & { orgId?: string }

async function requestChange(
  deps: HoldDeps,
  tx: Tx,
  caller: Caller,
  { deciders, ...change }: NewChange & { deciders: readonly Decider[] },
): Promise<ChangeRequest> {
  const { orgId } = change
  const now = deps.clock.now()
  if ((await countPending(tx, orgId, now)) >= pendingLimit)
    throw conflict('Too many change requests are waiting. Decide about some of them first.')
  const requestId = newId()
  const request = await insertRequest(tx, orgId, {
    ...change,
    approver: change.approver ?? 'administrator',
    requestId,
    payloadSealed:
      change.secret === undefined
        ? null
        : await deps.vault.seal(orgId, changeContext(requestId), change.secret, change.subject),
    requestedBy: caller.userId,
    expiresAt: expiryFrom(now),
    createdAt: now,
  })
  await recordAudit(tx, caller, orgId, {
    action: 'change-request.create',
    resourceType: 'change-request',
    resourceId: requestId,
    after: { kind: change.kind, summary: change.summary },
  })
  for (const { userId, email, firstName, country, orgId: ownOrgId } of deciders)
    if (userId !== caller.userId)
      await queueNotification(tx, ownOrgId ?? orgId, {
        userId,
        template: 'change-requested',
        recipient: email,
        country,
        priority: 'high',
        variables: { firstName, summary: change.summary, requestId },
      })
  return request
}

/** Without policies nobody approves anything. Switching it off is effective only while there is no second administrator. */
async function isControlled(deps: HoldDeps, tx: Tx, orgId: string, administrators: number): Promise<boolean> {
  if (!(await deps.hasPolicies(tx, orgId))) return false
  return administrators > 1 || isSwitchedOn(tx, orgId)
}
