import type { Caller, Permission } from '../../../lib/requests/access.ts'
import { validationError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { assertNotOutliving, assertRoomForKey, usedKey } from './check-key-limits.ts'
import { addressBeyondYours, scopeBeyondYours } from './errors.ts'
import type { CreatedApiKey, ApiKeyDeps } from './record.ts'
import { areIpsWithin, keyHash, keyPrefix, newApiKey } from './rules.ts'
import { toApiKey } from './schema.ts'
import { insertApiKey } from './store.ts'

/** The key acts as the member who creates it, limited to its scopes. A key that is made with a key ends with it. */
export function createApiKey(
  deps: ApiKeyDeps,
  caller: Caller,
  input: { name: string; scopes: Permission[] | null; allowedIps: string[] | null; expiresAt: Date | null },
): Promise<CreatedApiKey> {
  const beyond = input.scopes?.find((scope) => !caller.permissions.has(scope))
  if (beyond) throw scopeBeyondYours(beyond)
  const now = deps.clock.now()
  if (input.expiresAt && input.expiresAt <= now) throw validationError('expires_at must be in the future.')
  // A key limited by scopes cannot create one without them.
  const scopes = input.scopes ?? (caller.credential.kind === 'api_key' ? [...caller.permissions] : null)
  const secret = newApiKey(deps.apiKeyMode)
  const pepper = deps.peppers.current
  return deps.db.inOrg(caller.orgId, async (tx) => {
    await assertRoomForKey(tx, caller, now)
    const parent = await usedKey(tx, caller, now)
    assertNotOutliving(parent, input.expiresAt)
    const allowedIps = input.allowedIps ?? parent?.allowedIps ?? null
    if (parent && !areIpsWithin(allowedIps, parent.allowedIps)) throw addressBeyondYours()
    const apiKey = await insertApiKey(tx, caller.orgId, {
      apiKeyId: newId(),
      userId: caller.userId,
      name: input.name,
      prefix: keyPrefix(secret),
      keyHash: keyHash(pepper, secret),
      pepperId: pepper.id,
      scopes,
      allowedIps,
      expiresAt: input.expiresAt ?? parent?.expiresAt ?? null,
      parentApiKeyId: parent?.apiKeyId ?? null,
    })
    await recordAudit(tx, caller, caller.orgId, {
      action: 'api-key.create',
      resourceType: 'api-key',
      resourceId: apiKey.apiKeyId,
      after: toApiKey(apiKey, now),
    })
    return { apiKey, secret }
  })
}
