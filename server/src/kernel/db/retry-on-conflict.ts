import { isStaleVersion } from './errors.ts'

const attemptsLimit = 10

/**
 * Runs `write` again when another process has changed the row in the meantime. `write` reads the row, decides and
 * writes; it is told how often it was run before. A conflict has rolled everything back, so nothing is done twice.
 */
export async function retryOnConflict<Result>(
  row: string,
  write: (retry: number) => Promise<Result>,
  isConflict: (error: unknown) => boolean = isStaleVersion,
): Promise<Result> {
  let conflict: unknown
  for (let retry = 0; retry < attemptsLimit; retry++) {
    try {
      return await write(retry)
    } catch (error) {
      if (!isConflict(error)) throw error
      conflict = error
    }
  }
  throw new Error(`${row} changed ${attemptsLimit} times while it was written`, { cause: conflict })
}
