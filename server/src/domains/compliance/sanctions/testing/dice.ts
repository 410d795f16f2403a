/** Numbers from a seed, so that every run invents the same people. */
export function createDice(seed: number): { roll(sides: number): number; pick<T>(list: readonly T[]): T } {
  let state = seed >>> 0
  const roll = (sides: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
  return {
    roll,
    pick(list) {
      const picked = list[roll(list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}
export type Dice = ReturnType<typeof createDice>
