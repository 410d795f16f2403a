import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { conflict } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { queueNotification } from '../notifications/queue-notification.ts'
import {
  changeContext,
  type ChangeControl,
  type ChangeRequest,
  type HoldDeps,
  type NewChange,
} from './record.ts'
import { expiryFrom } from './rules.ts'
import { countPending, insertRequest, isSwitchedOn } from './store.ts'

const pendingLimit = 100

export const createChangeControl = (deps: HoldDeps): ChangeControl => ({
  hold: (tx, caller, change) => requestChange(deps, tx, caller, change),
  isControlled: async (tx, orgId) =>
    isControlled(deps, tx, orgId, (await deps.listAdministrators(tx, orgId)).length),
})

async function requestChange(
  deps: HoldDeps,
  tx: Tx,
  caller: Caller,
  change: NewChange,
): Promise<ChangeRequest | undefined> {
  const { orgId } = change
  const administrators = await deps.listAdministrators(tx, orgId)
  if (!(await isControlled(deps, tx, orgId, administrators.length))) return undefined
  const now = deps.clock.now()
  if ((await countPending(tx, orgId, now)) >= pendingLimit)
    throw conflict('Too many change requests are waiting. Decide about some of them first.')
  const requestId = newId()
  const request = await insertRequest(tx, orgId, {
    ...change,
    requestId,
    payloadSealed:
      change.secret === undefined
        ? null
        : await deps.vault.seal(orgId, changeContext(requestId), change.secret),
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
  for (const { userId, email, firstName, country } of administrators)
    if (userId !== caller.userId)
      await queueNotification(tx, orgId, {
        userId,
        template: 'change-requested',
        recipient: email,
        country,
        priority: 'high',
        variables: { firstName, summary: change.summary, requestId },
      })
  return request
}

/** Without policies nobody approves anything. Switching it off counts only as long as there is nobody else to ask. */
async function isControlled(deps: HoldDeps, tx: Tx, orgId: string, administrators: number): Promise<boolean> {
  if (!(await deps.hasPolicies(tx, orgId))) return false
  return administrators > 1 || isSwitchedOn(tx, orgId)
}
