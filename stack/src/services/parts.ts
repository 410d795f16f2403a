export type Stoppable = { stop(): Promise<unknown> }

export type Parts = {
  keep: <Part extends Stoppable>(part: Part) => Part
  /** In the reverse order of their start. */
  stop(): Promise<void>
}

/** What was started so far, so that a start that fails half way leaves nothing running. */
export function createParts(): Parts {
  const started: Stoppable[] = []
  return {
    keep(part) {
      started.unshift(part)
      return part
    },
    async stop() {
      for (const part of started) await part.stop()
    },
  }
}
