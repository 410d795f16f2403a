import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../lib/requests/access.ts'
import type { Log } from '../../lib/log.ts'
import type { IdempotencyDeps } from './find-first-call.ts'
import { deleteClaim } from './store.ts'

export interface ClaimedKey {
  key: string
  expiresAt: Date
}

const retryDelaysMs = [1_000, 5_000, 30_000]

/**
 * For a call that has done nothing: frees its key, so that a repeat is executed. A database that cannot be reached is
 * often the reason for the call's failure, so the caller does not wait for the retries.
 */
export async function releaseKey(
  deps: IdempotencyDeps,
  caller: Caller,
  { claimed, log }: { claimed: ClaimedKey; log: Pick<Log, 'error'> },
): Promise<void> {
  const release = (): Promise<void> =>
    deps.db.inOrg(caller.orgId, (tx) => deleteClaim(tx, caller.orgId, { userId: caller.userId, ...claimed }))
  await release().catch(() => {
    retry(release).catch((error: unknown) =>
      log.error({ err: error }, 'releasing the idempotency key failed'),
    )
  })
}

async function retry(release: () => Promise<void>): Promise<void> {
  let failure: unknown
  for (const delayMs of retryDelaysMs) {
    await sleep(delayMs, undefined, { ref: false })
    try {
      return await release()
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
