import { expect, test } from 'vitest'
import { setUpRelayBench, until } from '../../../test/app/test-relay.ts'

const farAwayMs = 60_000
const bench = setUpRelayBench()

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN

test('NOTIFY wakes the relay within 200 ms, with a poll interval of a minute', async () => {
  bench.start({ pollMs: farAwayMs })
  await bench.untilListening()
  const tookMs: number[] = []
  for (let count = 1; count <= 20; count++) {
    const committedAt = await bench.put().then(() => performance.now())
    await until('the hand-over', () => bench.engine.handOvers.length === count)
    tookMs.push(bench.engine.handOvers.at(-1)!.at - committedAt)
  }
  expect(median(tookMs)).toBeLessThan(200)
  expect(Math.max(...tookMs)).toBeLessThan(1_000)
})

test('a job is handed over soon after its due time', async () => {
  bench.start({ pollMs: farAwayMs })
  const startedAt = performance.now()
  await bench.put({ due: { inMs: 1_500 } })
  await bench.put()
  await until('both hand-overs', () => bench.engine.handOvers.length === 2)
  const [atOnce, later] = bench.engine.handOvers.map(({ at }) => at - startedAt)
  expect(atOnce).toBeLessThan(1_400)
  expect(later).toBeLessThan(3_000)
})
