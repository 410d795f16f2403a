import { describe, expect, it } from 'vitest'
import { countDown, discounted, isNeverAsked } from './sample.ts'

describe('the sample', () => {
  it('gives members a discount on large amounts', () => {
    expect([discounted(200, true), discounted(200, false), discounted(50, true)]).toEqual([190, 200, 50])
  })

  it('has a function that no check calls', () => {
    expect(isNeverAsked).toBeTypeOf('function')
  })

  it('counts down to zero', () => {
    expect([countDown(3), countDown(0)]).toEqual([0, 0])
  })
})
