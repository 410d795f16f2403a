export type SingleFlight<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>

/** Concurrent calls with the same key share one execution. */
export function singleFlight<Result>(): SingleFlight<Result> {
  const inFlight = new Map<string, Promise<Result>>()
  return (key, work) => {
    const known = inFlight.get(key)
    if (known) return known
    const call = work().finally(() => inFlight.delete(key))
    inFlight.set(key, call)
    return call
  }
}
