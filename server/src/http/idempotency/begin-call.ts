import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import type { Clock } from '../../lib/clock.ts'
import { equalInConstantTime, open } from '../../lib/crypto.ts'
import { firstCallUnfinished, keyUsedForAnotherRequest } from './errors.ts'
import { claimKey, findCall } from './store.ts'

export interface IdempotencyDeps {
  db: Database
  clock: Clock
  idempotencyKey: Buffer
}

export interface RecordedResponse {
  status: number
  body: string
}

const retentionMs = 24 * 60 * 60 * 1000

export const responseContext = (orgId: string, key: string): string => `${orgId} ${key}`

/** Claims the key for a first call, or returns the response of the first call for replay. */
export function beginCall(
  deps: IdempotencyDeps,
  caller: Caller,
  call: { key: string; requestHash: Buffer },
): Promise<RecordedResponse | undefined> {
  const now = deps.clock.now()
  return deps.db.inOrg(caller.orgId, async (tx) => {
    if (await claimKey(tx, caller.orgId, { ...call, now, expiresAt: new Date(now.getTime() + retentionMs) }))
      return undefined
    const first = await findCall(tx, caller.orgId, call.key)
    if (!first) throw firstCallUnfinished()
    if (!equalInConstantTime(first.requestHash, call.requestHash)) throw keyUsedForAnotherRequest()
    if (first.responseStatus === null || first.responseSealed === null) throw firstCallUnfinished()
    const body = open(deps.idempotencyKey, first.responseSealed, responseContext(caller.orgId, call.key))
    if (!body) throw firstCallUnfinished()
    return { status: first.responseStatus, body: body.toString() }
  })
}
