export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** So many at once; the others wait in line, and it is for those who call to bound how many there are. */
export function createGate(limit: number): Gate {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < limit) underWay += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay -= 1
    }
  }
}
