import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getNotificationStates } from '../../people/notifications/reads.ts'
import type { AnsweredRequest } from './record.ts'
import { answerContext } from './rules.ts'
import { findRequest } from './store.ts'

/** Includes the answer, and records in the audit log who has seen it. */
export async function getVerificationRequest(
  deps: { db: Database; vault: Vault },
  caller: Caller,
  input: { requestId: string },
): Promise<AnsweredRequest> {
  const { orgId } = caller
  const { answerSealed, ...request } = await deps.db.inOrg(orgId, async (tx) => {
    const found = await findRequest(tx, orgId, input.requestId)
    if (!found) throw notFound('The verification request')
    const states = await getNotificationStates(tx, orgId, [found.notificationId])
    if (found.answerSealed)
      await recordAudit(tx, caller, orgId, {
        action: 'verification.read',
        resourceType: 'verification-request',
        resourceId: found.requestId,
      })
    return { ...found, mailStatus: states.get(found.notificationId)?.status ?? 'pending' }
  })
  if (!answerSealed) return { ...request, answer: null }
  const answer = await deps.vault.open(orgId, answerContext(request.requestId), answerSealed)
  return { ...request, answer: String(answer) }
}
