type Stoppable = { stop(): Promise<unknown> }

export type Cleanup = {
  add: <Part extends Stoppable>(part: Part) => Part
  /** Stops everything in the reverse order of `add`. A part that fails to stop does not prevent the others. */
  stop(): Promise<void>
}

/** Collects what has been started, so that a start that fails half-way leaves nothing running. */
export function createCleanup(): Cleanup {
  const started: Stoppable[] = []
  return {
    add(part) {
      started.unshift(part)
      return part
    },
    async stop() {
      const failures: unknown[] = []
      for (const part of started.splice(0)) await part.stop().catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be stopped')
    },
  }
}

/** Like Promise.all, but it waits for the others when one fails, so that whatever they started can be stopped. */
export async function startTogether<const Starting extends readonly unknown[]>(
  starting: Starting,
): Promise<{ -readonly [Index in keyof Starting]: Awaited<Starting[Index]> }> {
  await Promise.allSettled(starting)
  return Promise.all(starting)
}
