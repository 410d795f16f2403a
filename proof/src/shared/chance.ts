/** A random number from 0 up to but not including 1; the sequence depends on the seed only. */
export type Chance = () => number

export const highestSeed = 2 ** 32

/** Mulberry32: small, and the same on every machine. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / highestSeed
  }
}

/** Picks one of the values with the given weights. */
export function pick<Value>(chance: Chance, weighted: readonly (readonly [Value, number])[]): Value {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0)
  let left = chance() * total
  for (const [value, weight] of weighted) {
    left -= weight
    if (left < 0) return value
  }
  const last = weighted.at(-1)
  if (!last) throw new Error('there is nothing to pick from')
  return last[0]
}

/** A random whole number between first and last, both included. */
export const between = (chance: Chance, first: number, last: number): number =>
  first + Math.floor(chance() * (last - first + 1))
