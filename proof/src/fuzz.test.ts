import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fuzz } from './fuzz/run.ts'
import { startWorld, type World } from './fuzz/world.ts'

const requests = 5_000
/** Not every route succeeds in a short run; that most do shows that requests get past validation. */
const unreachedLimit = 45
const limitMs = 240_000

let world: World
beforeAll(async () => {
  world = await startWorld()
}, limitMs)
afterAll(() => world.stop(), limitMs)

describe('requests of every kind, to every route, by everybody', () => {
  it(
    'get no answer that the OpenAPI document does not allow, and leave the books in order',
    async () => {
      const report = await fuzz(world, { requests, seed: 1, print: () => undefined })
      expect(report.findings).toEqual([])
      expect(report.unreached().slice(unreachedLimit)).toEqual([])
      await expect(world.audit()).resolves.toContain('Every invariant holds.')
    },
    limitMs,
  )
})
