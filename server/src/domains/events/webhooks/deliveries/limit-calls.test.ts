import { expect, it } from 'vitest'
import { createBulkheads, type Bulkheads, type Admission } from './limit-calls.ts'

type Release = (hasResponded: boolean) => void

const releaseOf = (entry: Admission): Release => {
  if (!('release' in entry)) throw new Error('the call was rejected')
  return (hasResponded) => entry.release(hasResponded)
}
const waitOf = (entry: Admission): number => ('waitMs' in entry ? entry.waitMs : 0)
const fill = (bulkheads: Bulkheads, count: number, endpointId: string): Promise<Release[]> =>
  Promise.all(
    Array.from({ length: count }, async () => releaseOf(await bulkheads.enter('org', endpointId, 'new'))),
  )
const reenter = async (bulkheads: Bulkheads, endpointId: string): Promise<Release> =>
  releaseOf(await bulkheads.enter('org', endpointId, 'returning'))

it('an endpoint has 16 slots; the next call waits in the queue until one is released', async () => {
  const bulkheads = createBulkheads()
  const [first] = await fill(bulkheads, 16, 'a')
  let isIn = false
  const next = bulkheads.enter('org', 'a', 'new').then((entry) => {
    isIn = 'release' in entry
  })
  await fill(bulkheads, 1, 'b')
  expect(isIn).toBe(false)
  first!(true)
  await next
  expect(isIn).toBe(true)
})

it('an unresponsive endpoint gets one call at a time and rejects its queue until it responds', async () => {
  let nowMs = 0
  const bulkheads = createBulkheads(() => nowMs)
  const calls = await fill(bulkheads, 16, 'a')
  const queue = Array.from({ length: 8 }, () => bulkheads.enter('org', 'a', 'new'))
  nowMs = 10_000
  for (const release of calls) release(false)
  const entries = await Promise.all(queue)
  expect(entries.filter((entry) => 'waitMs' in entry)).toHaveLength(5)
  nowMs = 20_000
  for (const entry of entries.slice(0, 3)) releaseOf(entry)(false)
  const releaseOnly = await reenter(bulkheads, 'a')
  const waits = [
    waitOf(await bulkheads.enter('org', 'a', 'new')),
    waitOf(await bulkheads.enter('org', 'a', 'new')),
  ]
  expect(waits[0]).toBeGreaterThan(5_000)
  expect(waits[1]! - waits[0]!).toBeGreaterThan(9_000)
  releaseOnly(true)
  expect(await fill(bulkheads, 16, 'a')).toHaveLength(16)
})

it('rejected calls get distinct times, at most a minute away', async () => {
  let nowMs = 0
  const bulkheads = createBulkheads(() => nowMs)
  const calls = await fill(bulkheads, 5, 'a')
  nowMs = 10_000
  for (const release of calls) release(false)
  await fill(bulkheads, 1, 'a')
  const waits: number[] = []
  for (let count = 0; count < 200; count += 1) waits.push(waitOf(await bulkheads.enter('org', 'a', 'new')))
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
  expect(new Set(waits).size).toBeGreaterThan(5)
  expect(Math.max(...waits)).toBe(60_000)
})

it('a slow endpoint has no queue: calls are rejected with a time to come back', async () => {
  let nowMs = 0
  const bulkheads = createBulkheads(() => nowMs)
  await fill(bulkheads, 16, 'slow')
  nowMs = 2_000
  const waits: number[] = []
  for (let count = 0; count < 100; count += 1) waits.push(waitOf(await bulkheads.enter('org', 'slow', 'new')))
  expect(waits[0]).toBe(1_000)
  expect(waits.at(-1)).toBeGreaterThan(10_000)
})

it('a few calls that hang do not make an endpoint slow', async () => {
  let nowMs = 0
  const bulkheads = createBulkheads(() => nowMs)
  await fill(bulkheads, 7, 'a')
  nowMs = 9_000
  const [fast] = await fill(bulkheads, 9, 'a')
  const next = bulkheads.enter('org', 'a', 'new')
  fast!(true)
  expect('release' in (await next)).toBe(true)
})

it('at a slow endpoint, rejected calls have priority over new ones', async () => {
  let nowMs = 0
  const bulkheads = createBulkheads(() => nowMs)
  const calls = await fill(bulkheads, 16, 'slow')
  nowMs = 2_000
  for (let count = 0; count < 100; count += 1) await bulkheads.enter('org', 'slow', 'new')
  for (const release of calls) release(true)
  expect(waitOf(await bulkheads.enter('org', 'slow', 'new'))).toBeGreaterThan(10_000)
  expect(await reenter(bulkheads, 'slow')).toBeDefined()
  nowMs = 60_000
  expect('release' in (await bulkheads.enter('org', 'slow', 'new'))).toBe(true)
})

it('a queued call is rejected when the calls take longer than half a second, and takes no slot', async () => {
  const bulkheads = createBulkheads()
  const [first] = await fill(bulkheads, 16, 'a')
  expect(waitOf(await bulkheads.enter('org', 'a', 'new'))).toBeGreaterThanOrEqual(1_000)
  first!(true)
  expect(await reenter(bulkheads, 'a')).toBeDefined()
})

it('an organisation has 128 slots over all of its endpoints, and another one has its own', async () => {
  const bulkheads = createBulkheads()
  for (const endpointId of ['a', 'b', 'c', 'd', 'g', 'h', 'i', 'j']) await fill(bulkheads, 16, endpointId)
  expect(waitOf(await bulkheads.enter('org', 'e', 'new'))).toBe(1_000)
  expect('release' in (await bulkheads.enter('another', 'f', 'new'))).toBe(true)
})

it('an endpoint with 16 deliveries in its queue gets no more from the outbox until they are fewer', async () => {
  const bulkheads = createBulkheads()
  const [first] = await fill(bulkheads, 16, 'a')
  await fill(bulkheads, 1, 'b')
  const queue = Array.from({ length: 15 }, () => bulkheads.enter('org', 'a', 'claimed'))
  expect(bulkheads.closed()).toEqual([])
  queue.push(bulkheads.enter('org', 'a', 'claimed'))
  expect(bulkheads.closed()).toEqual(['a'])
  first!(true)
  await queue[0]
  expect(bulkheads.closed()).toEqual([])
})

it('an unresponsive endpoint is closed to the outbox while its one call runs', async () => {
  let nowMs = 0
  const bulkheads = createBulkheads(() => nowMs)
  const calls = await fill(bulkheads, 5, 'a')
  nowMs = 10_000
  for (const release of calls) release(false)
  expect(bulkheads.closed()).toEqual([])
  const [alone] = await fill(bulkheads, 1, 'a')
  expect(bulkheads.closed()).toEqual(['a'])
  alone!(true)
  expect(bulkheads.closed()).toEqual([])
})

it('a delivery from the outbox that is rejected reserves no time, and closes the endpoint for half a second', async () => {
  let nowMs = 0
  const bulkheads = createBulkheads(() => nowMs)
  const calls = await fill(bulkheads, 16, 'slow')
  nowMs = 2_000
  for (let count = 0; count < 100; count += 1)
    expect(waitOf(await bulkheads.enter('org', 'slow', 'claimed'))).toBe(500)
  expect(bulkheads.closed()).toEqual(['slow'])
  expect(waitOf(await bulkheads.enter('org', 'slow', 'new'))).toBe(1_000)
  for (const release of calls) release(true)
  expect(bulkheads.closed()).toEqual(['slow'])
  nowMs = 2_500
  expect(bulkheads.closed()).toEqual([])
})

it('a call that ends twice frees one slot', async () => {
  const bulkheads = createBulkheads()
  const [first] = await fill(bulkheads, 16, 'a')
  first!(true)
  first!(true)
  await fill(bulkheads, 1, 'a')
  const next = bulkheads.enter('org', 'a', 'new').then((entry) => 'release' in entry)
  expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits')
})
