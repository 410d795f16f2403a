import type { Caller } from '../../lib/access.ts'
import { seal } from '../../lib/crypto.ts'
import { responseContext, type IdempotencyDeps, type RecordedResponse } from './begin-call.ts'
import { saveResponse } from './store.ts'

/** Stores the response, success or error. It is encrypted, because a response may contain a secret shown once. */
export function finishCall(
  deps: IdempotencyDeps,
  caller: Caller,
  response: RecordedResponse & { key: string },
): Promise<void> {
  const sealed = seal(
    deps.idempotencyKey,
    Buffer.from(response.body),
    responseContext(caller.orgId, response.key),
  )
  return deps.db.inOrg(caller.orgId, (tx) =>
    saveResponse(tx, caller.orgId, { key: response.key, status: response.status, sealed }),
  )
}
