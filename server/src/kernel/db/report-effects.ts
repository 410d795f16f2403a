import { watchedEffects } from '../../lib/flow/watch-effects.ts'
import { isConnectionError } from './errors.ts'
import type { Row, Statement } from './pipeline.ts'

/** The last statement of a watched transaction. */
export const hasWritten: Statement = {
  sql: 'select pg_current_xact_id_if_assigned() is not null as "hasWritten"',
  parameters: [],
}

/** Tells a watched call whether a transaction has written anything, or may have because its connection broke. */
export async function reportingEffects<T>(
  run: (isWatched: boolean) => Promise<{ result: T; answer: Row | undefined }>,
): Promise<T> {
  const effects = watchedEffects()
  try {
    const { result, answer } = await run(effects !== undefined)
    if (effects && answer?.['hasWritten'] !== false) effects.hasActed = true
    return result
  } catch (error) {
    if (effects && isConnectionError(error)) effects.hasActed = true
    throw error
  }
}
