interface WakeSignal {
  wake(): void
  wait(ms: number): Promise<void>
}

/** A wait that a wake-up ends early. A wake-up while nobody waits ends the next wait at once. */
export function createWakeSignal(): WakeSignal {
  let isPending = false
  let endWait: (() => void) | undefined
  return {
    wake() {
      isPending = true
      endWait?.()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, ms)
        function done(): void {
          clearTimeout(timer)
          isPending = false
          endWait = undefined
          resolve()
        }
        endWait = done
        if (isPending) done()
      }),
  }
}
