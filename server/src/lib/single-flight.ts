export type SingleFlight<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>

/** A call for a key that is under way is joined, not made again. */
export function singleFlight<Result>(): SingleFlight<Result> {
  const underWay = new Map<string, Promise<Result>>()
  return (key, work) => {
    const known = underWay.get(key)
    if (known) return known
    const call = work().finally(() => underWay.delete(key))
    underWay.set(key, call)
    return call
  }
}
