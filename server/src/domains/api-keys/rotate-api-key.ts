import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { toPermissions } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { keyNotActive, keyOfAnotherMember, keyWiderThanYours } from './errors.ts'
import type { ApiKey, ApiKeyDeps, CreatedApiKey } from './record.ts'
import { isWithin, keyHash, keyPrefix, keyStatus, newApiKey } from './rules.ts'
import { toApiKey } from './schema.ts'
import { findScopes, insertApiKey, lockApiKey, updateApiKey } from './store.ts'

/** Creates a key with the same name, scopes and owner; the old one works until the overlap ends. */
export function rotateApiKey(
  deps: ApiKeyDeps,
  caller: Caller,
  input: { apiKeyId: string; overlapSeconds: number },
): Promise<CreatedApiKey> {
  const now = deps.clock.now()
  const overlapEnd = new Date(now.getTime() + input.overlapSeconds * 1000)
  const secret = newApiKey(deps.apiKeyMode)
  return deps.db.inOrg(caller.orgId, async (tx) => {
    const old = await lockApiKey(tx, caller.orgId, input.apiKeyId)
    if (!old) throw notFound('The API key')
    if (old.userId !== caller.userId) throw keyOfAnotherMember()
    if (keyStatus(old, now) !== 'active') throw keyNotActive()
    if (!isWithin(old.scopes, await ownScopes(tx, caller, old))) throw keyWiderThanYours()
    const expiresAt = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd
    await updateApiKey(tx, caller.orgId, { apiKeyId: old.apiKeyId, expiresAt, isReplaced: true })
    const apiKey = await insertApiKey(tx, caller.orgId, {
      apiKeyId: newId(),
      userId: old.userId,
      name: old.name,
      prefix: keyPrefix(secret),
      keyHash: keyHash(deps.apiKeyPepper, secret),
      scopes: old.scopes && toPermissions(old.scopes),
      expiresAt: old.expiresAt,
    })
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

/** The scopes that limit the caller: a key limited by scopes must not obtain one without them. */
const ownScopes = (tx: Tx, caller: Caller, old: ApiKey): Promise<string[] | null> | null =>
  caller.credential.kind === 'api_key' && caller.credential.apiKeyId !== old.apiKeyId
    ? findScopes(tx, caller.orgId, caller.credential.apiKeyId)
    : null
