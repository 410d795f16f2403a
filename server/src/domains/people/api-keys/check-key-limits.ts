import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { keyNotActive, keyOutlivesYours, tooManyKeys } from './errors.ts'
import type { ApiKey } from './record.ts'
import { keysPerMember, keyStatus } from './rules.ts'
import { countWorkingKeys, findApiKey, lockKeysOf } from './store.ts'

/** Locks the member's keys until the transaction ends. */
export async function assertRoomForKey(tx: Tx, { orgId, userId }: Caller, now: Date): Promise<void> {
  await lockKeysOf(tx, orgId, userId)
  if ((await countWorkingKeys(tx, orgId, userId, now)) >= keysPerMember) throw tooManyKeys(keysPerMember)
}

/** The key behind the request, read again under the lock, because it may have been revoked since. */
export async function usedKey(tx: Tx, caller: Caller, now: Date): Promise<ApiKey | undefined> {
  if (caller.credential.kind !== 'api_key') return undefined
  const key = await findApiKey(tx, caller.orgId, caller.credential.apiKeyId)
  const status = key && keyStatus(key, now)
  if (status !== 'active' && status !== 'expiring') throw keyNotActive()
  return key
}

/** An end that is left open is the end of the key in use. */
export function assertNotOutliving(used: ApiKey | undefined, expiresAt: Date | null): void {
  if (used?.expiresAt && expiresAt && expiresAt > used.expiresAt) throw keyOutlivesYours(used.expiresAt)
}
