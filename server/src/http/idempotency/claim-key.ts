import type { CompiledQuery } from 'kysely'
import { runStatements, timeIn } from '../../kernel/db/database.ts'
import { isKeyTaken, mayHaveCommitted } from '../../kernel/db/errors.ts'
import type { Caller } from '../../lib/requests/access.ts'
import type { Log } from '../../lib/log.ts'
import { firstCallUnfinished } from './errors.ts'
import { findFirstCall, type FirstCall, type IdempotencyDeps, type KeyedRequest } from './find-first-call.ts'
import { releaseKey, type ClaimedKey } from './release-key.ts'
import { claimStatement, retentionMs } from './store.ts'

/** Claims the key before the call runs; returns the claim, or the first call if there was one. */
export async function claimKey(
  deps: IdempotencyDeps,
  caller: Caller,
  { log, ...request }: KeyedRequest & { log: Pick<Log, 'error'> },
): Promise<{ claimed: ClaimedKey } | { first: FirstCall }> {
  let claimed: ClaimedKey | undefined
  const find = () => deps.db.inOrg(caller.orgId, (tx) => findFirstCall(deps, tx, caller, request))
  try {
    return await deps.db.inOrg(caller.orgId, async (tx) => {
      const [first, now] = await Promise.all([findFirstCall(deps, tx, caller, request), timeIn(tx)])
      if (first) return { first }
      const { orgId, userId } = caller
      claimed = { key: request.key, expiresAt: new Date(now.getTime() + retentionMs) }
      await runStatements(tx, [
        claimStatement(orgId, { userId, ...request, resourceId: null, expiresAt: claimed.expiresAt }),
      ])
      return { claimed }
    })
  } catch (error) {
    // The call ends here, so a claim that was committed although its answer was lost must not outlast it.
    if (claimed && mayHaveCommitted(error)) await releaseKey(deps, caller, { claimed, log })
    if (!isKeyTaken(error)) throw error
    const first = await find()
    // The call that took the key has released it since; only a repeat can claim it.
    if (!first) throw firstCallUnfinished()
    return { first }
  }
}

/** The statement that claims the key together with what the call begins. */
export const claimFor =
  ({ orgId, userId }: Caller, request: KeyedRequest) =>
  (resourceId: string): CompiledQuery =>
    claimStatement(orgId, { userId, ...request, resourceId, expiresAt: undefined })
