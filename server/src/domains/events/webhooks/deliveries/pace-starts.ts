/** Limits the calls that have just started. The others wait in order of arrival. */
interface StartGate {
  /** Resolves when the call may start. The caller calls the result when the call has ended. */
  begin(): Promise<() => void>
}

const youngCalls = 6
/** A call that runs longer gives its slot to the next, because its endpoint has become slow. */
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
