import { expect, it } from 'vitest'
import { createGate } from './gate.ts'

it('lets so many through at once, the others in turn, also after a failure', async () => {
  const gate = createGate(2)
  const order: string[] = []
  let underWay = 0
  let most = 0
  const work = (name: string) => async (): Promise<void> => {
    underWay += 1
    most = Math.max(most, underWay)
    await Promise.resolve()
    order.push(name)
    underWay -= 1
    if (name === 'b') throw new Error('b failed')
  }
  const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((name) => gate(work(name))))
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true])
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(most).toBe(2)
})
