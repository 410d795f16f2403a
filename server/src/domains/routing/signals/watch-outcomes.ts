import type { Database } from '../../../kernel/db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { repeatEvery } from '../../../lib/flow/repeat-every.ts'
import { foldOutcomes } from './fold-outcomes.ts'

const foldEveryMs = 1_000

/** Every worker runs it. One of them folds at a time, and another one takes over when it dies. */
export const watchOutcomes = (deps: { db: Database; clock: Clock; log: Log }): { stop(): Promise<void> } =>
  repeatEvery(
    foldEveryMs,
    async () => {
      const report = await foldOutcomes(deps)
      return { hasMore: report?.isCaughtUp === false }
    },
    (error) => deps.log.warn({ err: error }, 'the outcomes could not be folded into routing signals'),
  )
