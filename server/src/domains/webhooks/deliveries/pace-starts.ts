/** How many calls may be young at a time; the rest wait, first come first served. */
export interface StartGate {
  /** The call may begin; what it gives is called when it has ended. */
  begin(): Promise<() => void>
}

const youngCalls = 8
/** A call that has been under way for longer holds nobody up: its endpoint has turned slow. */
const youngMs = 100

export function createStartGate(): StartGate {
  const waiting: (() => void)[] = []
  let young = 0
  const open = (): void => {
    const next = waiting.shift()
    if (next) next()
    else young -= 1
  }
  return {
    async begin() {
      if (young < youngCalls) young += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let isYoung = true
      const end = (): void => {
        clearTimeout(timer)
        if (isYoung) open()
        isYoung = false
      }
      const timer = setTimeout(end, youngMs)
      return end
    },
  }
}
