interface Alarm {
  ring(): void
  wait(ms: number): Promise<void>
}

/** A wait that a ring ends early; a ring while nobody waits ends the next wait at once. */
export function createWakeSignal(): Alarm {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, ms)
        function done(): void {
          clearTimeout(timer)
          rung = false
          wake = undefined
          resolve()
        }
        wake = done
        if (rung) done()
      }),
  }
}
