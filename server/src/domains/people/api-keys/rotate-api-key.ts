import type { Caller } from '../../../lib/requests/access.ts'
import { toPermissions } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { assertRoomForKey, usedKey } from './check-key-limits.ts'
import {
  addressBeyondYours,
  keyNotActive,
  keyOfAnotherMember,
  keyOutlivesYours,
  keySuspended,
  keyWiderThanYours,
} from './errors.ts'
import type { ApiKey, ApiKeyDeps, CreatedApiKey } from './record.ts'
import { areIpsWithin, isWithin, keyHash, keyPrefix, keyStatus, newApiKey } from './rules.ts'
import { toApiKey } from './schema.ts'
import { insertApiKey, isKeySuspended, lockApiKey, lockKeysOf, moveChildren, updateApiKey } from './store.ts'

/** Creates a key with the same name, scopes, addresses and owner; the old one works until the overlap ends. */
export function rotateApiKey(
  deps: ApiKeyDeps,
  caller: Caller,
  input: { apiKeyId: string; overlapSeconds: number },
): Promise<CreatedApiKey> {
  const now = deps.clock.now()
  const overlapEnd = new Date(now.getTime() + input.overlapSeconds * 1000)
  const secret = newApiKey(deps.apiKeyMode)
  const pepper = deps.peppers.current
  return deps.db.inOrg(caller.orgId, async (tx) => {
    // Without an overlap the number of working keys stays the same.
    if (input.overlapSeconds > 0) await assertRoomForKey(tx, caller, now)
    else await lockKeysOf(tx, caller.orgId, caller.userId)
    const old = await lockApiKey(tx, caller.orgId, input.apiKeyId)
    if (!old) throw notFound('The API key')
    if (old.userId !== caller.userId) throw keyOfAnotherMember()
    if (keyStatus(old, now) !== 'active') throw keyNotActive()
    // The keys that were made with it would move to a key that is not suspended.
    if (await isKeySuspended(tx, caller.orgId, old.apiKeyId)) throw keySuspended()
    const used = await usedKey(tx, caller, now)
    const isOfAnother = used !== undefined && used.apiKeyId !== old.apiKeyId
    if (isOfAnother) assertWithin(used, old)
    const expiresAt = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd
    await updateApiKey(tx, caller.orgId, { apiKeyId: old.apiKeyId, expiresAt, isReplaced: true })
    const apiKey = await insertApiKey(tx, caller.orgId, {
      apiKeyId: newId(),
      userId: old.userId,
      name: old.name,
      prefix: keyPrefix(secret),
      keyHash: keyHash(pepper, secret),
      pepperId: pepper.id,
      scopes: old.scopes && toPermissions(old.scopes),
      allowedIps: old.allowedIps,
      expiresAt: old.expiresAt,
      // Whoever rotates another key learns the new one, which therefore ends with the key that they used.
      parentApiKeyId: isOfAnother ? used.apiKeyId : old.parentApiKeyId,
    })
    await moveChildren(tx, caller.orgId, { from: old.apiKeyId, to: apiKey.apiKeyId })
    await recordAudit(tx, caller, caller.orgId, {
      action: 'api-key.rotate',
      resourceType: 'api-key',
      resourceId: old.apiKeyId,
      before: toApiKey(old, now),
      after: toApiKey(apiKey, now),
    })
    return { apiKey, secret }
  })
}

/** A limited key must not obtain one that is wider, lives longer or can be used from elsewhere. */
function assertWithin(used: ApiKey, old: ApiKey): void {
  if (!isWithin(old.scopes, used.scopes)) throw keyWiderThanYours()
  if (used.expiresAt && (!old.expiresAt || old.expiresAt > used.expiresAt))
    throw keyOutlivesYours(used.expiresAt)
  if (!areIpsWithin(old.allowedIps, used.allowedIps)) throw addressBeyondYours()
}
