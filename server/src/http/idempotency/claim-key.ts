import type { CompiledQuery } from 'kysely'
import { runStatements } from '../../db/database.ts'
import { isKeyTaken } from '../../db/errors.ts'
import type { Caller } from '../../lib/access.ts'
import { findFirstCall, type FirstCall, type IdempotencyDeps, type KeyedRequest } from './find-first-call.ts'
import { claimStatement } from './store.ts'

const retentionMs = 24 * 60 * 60 * 1000

/** Claims the key before the call runs; returns the first call if there was one. */
export async function claimKey(
  deps: IdempotencyDeps,
  caller: Caller,
  request: KeyedRequest,
): Promise<FirstCall | undefined> {
  const claim = (): Promise<FirstCall | undefined> =>
    deps.db.inOrg(caller.orgId, async (tx) => {
      const first = await findFirstCall(deps, tx, caller, request)
      if (!first) await runStatements(tx, [claimFor(deps, caller, request)(null)])
      return first
    })
  return claim().catch((error: unknown) => {
    if (!isKeyTaken(error)) throw error
    return deps.db.inOrg(caller.orgId, (tx) => findFirstCall(deps, tx, caller, request))
  })
}

/** The statement that claims the key, optionally together with what the call begins. */
export const claimFor =
  (deps: IdempotencyDeps, { orgId, userId }: Caller, request: KeyedRequest) =>
  (resourceId: string | null): CompiledQuery => {
    const now = deps.clock.now()
    const expiresAt = new Date(now.getTime() + retentionMs)
    return claimStatement(orgId, { userId, ...request, resourceId, now, expiresAt })
  }
