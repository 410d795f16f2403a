interface Gate {
  /** Undefined if too many tasks are waiting. */
  readonly run: <Result>(task: () => Promise<Result>) => Promise<Result | undefined>
}

/** Limits the number of concurrent tasks; the others wait in order. */
export function createGate(maxRunning: number, maxWaiting: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    run: async (task) => {
      if (running < maxRunning) running += 1
      else if (waiting.length >= maxWaiting) return undefined
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
