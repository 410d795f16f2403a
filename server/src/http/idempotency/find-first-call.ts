import type { Database, Tx } from '../../kernel/db/database.ts'
import type { Caller } from '../../lib/requests/access.ts'
import { equalInConstantTime } from '../../lib/crypto/crypto.ts'
import { openWithAny, type KeyRing } from '../../lib/crypto/key-ring.ts'
import { firstCallUnfinished, keyUsedForAnotherRequest } from './errors.ts'
import { findCall } from './store.ts'

export interface IdempotencyDeps {
  db: Database
  idempotencyKey: KeyRing
}

export interface RecordedResponse {
  status: number
  body: string
}

export interface KeyedRequest {
  key: string
  requestHash: Buffer
}

/** The first call with a key: what it began, if it binds its key to that, and its response, if it was stored. */
export interface FirstCall {
  resourceId: string | undefined
  response: RecordedResponse | undefined
}

/** Binds the stored response to its row: it cannot be opened for another key. */
export const responseContext = ({ orgId, userId }: Caller, key: string): string => `${orgId} ${key} ${userId}`

/** Undefined when there was none. Fails if it was another request, or left nothing to answer a repeat with. */
export async function findFirstCall(
  deps: IdempotencyDeps,
  tx: Tx,
  caller: Caller,
  { key, requestHash }: KeyedRequest,
): Promise<FirstCall | undefined> {
  const { userId } = caller
  const first = await findCall(tx, caller.orgId, { userId, key })
  if (!first) return undefined
  if (!equalInConstantTime(first.requestHash, requestHash)) throw keyUsedForAnotherRequest()
  const { responseStatus: status, responseSealed: sealed } = first
  const resourceId = first.resourceId ?? undefined
  const body =
    sealed === null ? undefined : openWithAny(deps.idempotencyKey, sealed, responseContext(caller, key))
  const response = status !== null && body ? { status, body: body.toString() } : undefined
  if (!response && resourceId === undefined) throw firstCallUnfinished()
  return { resourceId, response }
}
