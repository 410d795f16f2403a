export interface Clock {
  readonly now: () => Date
  /** Runs once after the delay; the returned function cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void
}

interface ManualClock extends Clock {
  readonly advance: (byMs: number) => void
}

export function createSystemClock(): Clock {
  return {
    now: () => new Date(),
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
}

export function createManualClock(startAt: Date): ManualClock {
  let nowMs = startAt.getTime()
  const waiting = new Set<{ readonly dueMs: number; readonly run: () => void }>()

  function earliestDue(untilMs: number) {
    const due = [...waiting].filter((timer) => timer.dueMs <= untilMs)
    return due.sort((left, right) => left.dueMs - right.dueMs)[0]
  }

  return {
    now: () => new Date(nowMs),
    after: (delayMs, run) => {
      const timer = { dueMs: nowMs + delayMs, run }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    advance: (byMs) => {
      const untilMs = nowMs + byMs
      for (let timer = earliestDue(untilMs); timer !== undefined; timer = earliestDue(untilMs)) {
        waiting.delete(timer)
        nowMs = timer.dueMs
        timer.run()
      }
      nowMs = untilMs
    },
  }
}

export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve))
}
