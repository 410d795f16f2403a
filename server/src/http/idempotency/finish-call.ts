import type { Caller } from '../../lib/requests/access.ts'
import { seal } from '../../lib/crypto/crypto.ts'
import { responseContext, type IdempotencyDeps, type RecordedResponse } from './find-first-call.ts'
import { saveResponse } from './store.ts'

/** Stores the response for replay. It is encrypted, because a response may contain a secret shown once. */
export function finishCall(
  deps: IdempotencyDeps,
  caller: Caller,
  { key, status, body }: RecordedResponse & { key: string },
): Promise<void> {
  const { orgId, userId } = caller
  const sealed = seal(deps.idempotencyKey.current, Buffer.from(body), responseContext(caller, key))
  return deps.db.inOrg(orgId, (tx) => saveResponse(tx, orgId, { userId, key, status, sealed }))
}
