import type { CompiledQuery } from 'kysely'
import { runStatements } from '../../kernel/db/database.ts'
import { isKeyTaken, mayHaveCommitted } from '../../kernel/db/errors.ts'
import type { Caller } from '../../lib/requests/access.ts'
import type { Log } from '../../lib/log.ts'
import { firstCallUnfinished } from './errors.ts'
import { findFirstCall, type FirstCall, type IdempotencyDeps, type KeyedRequest } from './find-first-call.ts'
import { releaseKey, type ClaimedKey } from './release-key.ts'
import { claimStatement } from './store.ts'

const retentionMs = 24 * 60 * 60 * 1000

/** Claims the key before the call runs; returns the claim, or the first call if there was one. */
export async function claimKey(
  deps: IdempotencyDeps,
  caller: Caller,
  { log, ...request }: KeyedRequest & { log: Pick<Log, 'error'> },
): Promise<{ claimed: ClaimedKey } | { first: FirstCall }> {
  const now = deps.clock.now()
  const claimed = { key: request.key, expiresAt: expiryFrom(now) }
  const find = () => deps.db.inOrg(caller.orgId, (tx) => findFirstCall(deps, tx, caller, request))
  try {
    return await deps.db.inOrg(caller.orgId, async (tx) => {
      const first = await findFirstCall(deps, tx, caller, request)
      if (first) return { first }
      const { orgId, userId } = caller
      const claim = { userId, ...request, resourceId: null, now, expiresAt: claimed.expiresAt }
      await runStatements(tx, [claimStatement(orgId, claim)])
      return { claimed }
    })
  } catch (error) {
    // The call ends here, so a claim that was committed although its answer was lost must not outlast it.
    if (mayHaveCommitted(error)) await releaseKey(deps, caller, { claimed, log })
    if (!isKeyTaken(error)) throw error
    const first = await find()
    // The call that took the key has released it since; only a repeat can claim it.
    if (!first) throw firstCallUnfinished()
    return { first }
  }
}

const expiryFrom = (now: Date): Date => new Date(now.getTime() + retentionMs)

/** The statement that claims the key together with what the call begins. */
export const claimFor =
  (deps: IdempotencyDeps, { orgId, userId }: Caller, request: KeyedRequest) =>
  (resourceId: string): CompiledQuery => {
    const now = deps.clock.now()
    return claimStatement(orgId, { userId, ...request, resourceId, now, expiresAt: expiryFrom(now) })
  }
