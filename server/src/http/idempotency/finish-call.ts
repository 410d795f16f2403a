import type { Caller } from '../../lib/access.ts'
import { seal } from '../../lib/crypto.ts'
import { answerContext, type IdempotencyDeps, type RecordedAnswer } from './begin-call.ts'
import { saveAnswer } from './store.ts'

/** Keeps the answer, whatever it was. Sealed, because an answer may show a secret once. */
export function finishCall(
  deps: IdempotencyDeps,
  caller: Caller,
  answer: RecordedAnswer & { key: string },
): Promise<void> {
  const sealed = seal(deps.idempotencyKey, Buffer.from(answer.body), answerContext(caller.orgId, answer.key))
  return deps.db.inOrg(caller.orgId, (tx) =>
    saveAnswer(tx, caller.orgId, { key: answer.key, status: answer.status, sealed }),
  )
}
