import { between, type Chance } from '../../shared/chance.ts'
import type { Gang } from '../gang.ts'
import type { Person } from '../people.ts'

/** One thing that a thief tries; it sends one request or a few. */
export type Move = (gang: Gang, chance: Chance) => Promise<unknown>
export type WeightedMove = readonly [Move, number]

export function oneOf<Value>(chance: Chance, values: readonly Value[]): Value {
  const value = values[Math.floor(chance() * values.length)]
  if (value === undefined) throw new Error('there is nothing to choose from')
  return value
}

/** Mostly the administrator, because most of the others’ requests are refused for a missing permission. */
export const somebody = (gang: Gang, chance: Chance): Person =>
  chance() < 0.6 ? gang.org.admin : oneOf(chance, gang.persons)

/** Mostly one that a bank has really paid into. */
export const virtualAccount = (gang: Gang, chance: Chance): string => {
  const funded = gang.notebook.all(fundedAccount)
  return chance() < 0.7 && funded.length > 0
    ? oneOf(chance, funded)
    : gang.notebook.any('virtual_account_id', chance)
}
export const fundedAccount = 'funded virtual account'

/** Mostly amounts that a balance could cover, sometimes a fortune. */
export const amountOf = (chance: Chance): number =>
  chance() < 0.85 ? between(chance, 1, 60) * 100 : between(chance, 1, 90) * 100_000
