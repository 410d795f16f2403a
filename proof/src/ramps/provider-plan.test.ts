import { expect, it } from 'vitest'
import { planRamps } from './provider-plan.ts'

const options = { ramps: 100, kills: 20, seed: 1 }

it('the same seed gives the same plan, and another seed another one', () => {
  expect(planRamps(options)).toEqual(planRamps(options))
  expect(planRamps({ ...options, seed: 2 })).not.toEqual(planRamps(options))
})

it('a plan covers every corridor in both directions and has the requested number of kills', () => {
  const { ramps, steps } = planRamps(options)
  const ways = new Set(ramps.map(({ corridor }) => `${corridor.country} ${corridor.direction}`))
  expect([...ways].toSorted()).toEqual(
    ['DE', 'NG', 'UG', 'US'].flatMap((country) => [`${country} off_ramp`, `${country} on_ramp`]),
  )
  expect(steps.filter(({ move }) => move.kind !== 'provider')).toHaveLength(options.kills)
})
