import type { Database } from '../../../kernel/db/database.ts'
import {
  replaceWrappingAcrossOrgs,
  selectOutdatedAcrossOrgs,
  type StoredDataKey,
} from '../../../kernel/db/rewrap.ts'
import { wrappingContext } from '../../../kernel/db/vault.ts'
import type { KeyService } from '../../../lib/crypto/key-service.ts'
import type { Log } from '../../../lib/log.ts'
import { recordSystemAudit } from '../audit-log/record-audit.ts'

export interface RewrapDeps {
  db: Database
  log: Log
  keys: { readonly service: KeyService; rewrapStable(): Promise<void> }
}

const batchSize = 100

/**
 * Wraps every data key again that an older key has wrapped. Each is replaced in a transaction of its own and only if
 * it is unchanged, so a worker that dies, or two that work at once, leave every key wrapped by an accepted key.
 */
export async function rewrapDataKeys(deps: RewrapDeps): Promise<number> {
  await deps.keys.rewrapStable()
  const { currentId } = deps.keys.service
  let [rewrapped, unopened] = [0, 0]
  let after: StoredDataKey | undefined
  for (;;) {
    const page = { after, limit: batchSize }
    const batch = await deps.db.acrossOrgs((tx) => selectOutdatedAcrossOrgs(tx, currentId, page))
    for (const stored of batch)
      if (await rewrap(deps, stored)) rewrapped++
      else unopened++
    if (batch.length < batchSize) break
    after = batch.at(-1)
  }
  if (unopened > 0)
    deps.log.error(
      { count: unopened },
      'data keys could not be wrapped again: the key that wrapped them is missing',
    )
  return rewrapped
}

/** False if no key of this process opens it. */
async function rewrap({ db, keys }: RewrapDeps, stored: StoredDataKey): Promise<boolean> {
  const { orgId, dataKeyId } = stored
  const context = wrappingContext(orgId, dataKeyId)
  const plain = await keys.service.unwrap(stored, context)
  if (!plain) return false
  const wrapped = await keys.service.wrap(plain, context)
  await db.acrossOrgs(async (tx) => {
    if (!(await replaceWrappingAcrossOrgs(tx, stored, wrapped))) return
    await recordSystemAudit(tx, orgId, {
      action: 'data-key.rewrap',
      resourceType: 'data-key',
      resourceId: dataKeyId,
      before: { wrapped_by: stored.wrappedBy },
      after: { wrapped_by: wrapped.wrappedBy },
    })
  })
  return true
}
