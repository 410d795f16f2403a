import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectorDefinitions } from '@switchyard/server/connectors/registry.ts'
import { corridors, orderFor } from './corridors.ts'
import { faultKinds, makePlan, type PlanOptions } from './plan.ts'

const options: fc.Arbitrary<PlanOptions> = fc.record({
  payments: fc.integer({ min: 1, max: 300 }),
  kills: fc.integer({ min: 0, max: 60 }),
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  faults: fc.subarray([...faultKinds], { minLength: 1 }),
})

test('the same seed gives the same plan, and another seed another one', () => {
  fc.assert(
    fc.property(options, (one) => {
      expect(makePlan(one)).toEqual(makePlan(one))
    }),
  )
  const [one, other] = [1, 2].map((seed) => makePlan({ payments: 50, kills: 5, seed, faults: faultKinds }))
  expect(one).not.toEqual(other)
})

test('a plan has the requested payments and kills, and no other faults', () => {
  fc.assert(
    fc.property(options, (asked) => {
      const { payments, steps } = makePlan(asked)
      expect(payments.map(({ index }) => index)).toEqual(payments.map((_, index) => index))
      expect(payments).toHaveLength(asked.payments)
      const kills = steps.filter(({ move }) => move.kind === 'kill' || move.kind === 'point')
      expect(kills).toHaveLength(asked.kills)
      for (const kind of ['pause', 'provider', 'point', 'network'] as const)
        if (!asked.faults.includes(kind)) expect(steps.some(({ move }) => move.kind === kind)).toBe(false)
    }),
  )
})

test('every move is due before the last payment begins', () => {
  fc.assert(
    fc.property(options, (asked) => {
      const { steps } = makePlan(asked)
      expect(steps.every(({ afterPayments }) => afterPayments < asked.payments)).toBe(true)
      expect(steps.map(({ afterPayments }) => afterPayments)).toEqual(
        steps.map(({ afterPayments }) => afterPayments).toSorted((a, b) => a - b),
      )
    }),
  )
})

test('every registered connector except those for ramps is tried first by some payment', () => {
  const { payments } = makePlan({ payments: 500, kills: 0, seed: 1, faults: [] })
  const first = new Set(payments.map(({ org, corridor }) => orderFor(org, corridor)[0]))
  const ofRamps = new Set(['circle', 'yellowcard'])
  expect(first).toEqual(new Set(Object.keys(connectorDefinitions)).difference(ofRamps))
})

test('the manual provider is used only where no other provider offers the corridor', () => {
  const byHand = corridors.filter(({ providers }) => providers.includes('manual'))
  expect(byHand).not.toEqual([])
  for (const { providers } of byHand) expect(providers).toEqual(['manual'])
})
