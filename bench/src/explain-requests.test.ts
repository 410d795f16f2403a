import { expect, it } from 'vitest'
import { explainRequests, type Observed } from './explain-requests.ts'

/** A request of 100 ms, or as long as its second transaction takes. */
const request = (number: number, startMs: number, secondMs: number) => ({
  sent: { number, dueAtMs: startMs, sentAtMs: startMs, endedAtMs: startMs + 60 + secondMs },
  served: {
    fromMs: startMs + 5,
    toMs: startMs + 60 + secondMs,
    calls: [
      { kind: 'pool' as const, fromMs: startMs + 15, toMs: startMs + 18 },
      { kind: 'postgres' as const, fromMs: startMs + 18, toMs: startMs + 28, pid: 7, isApp: true },
      { kind: 'provider' as const, fromMs: startMs + 30, toMs: startMs + 50 },
      { kind: 'pool' as const, fromMs: startMs + 50, toMs: startMs + 50 },
      { kind: 'postgres' as const, fromMs: startMs + 50, toMs: startMs + 50 + secondMs, pid: 7, isApp: true },
    ],
  },
})

const quick = Array.from({ length: 200 }, (_, index) => request(index, index * 1_000, 10))
const slow = Array.from({ length: 100 }, (_, index) => request(1_000 + index, 500_000 + index * 1_000, 400))
const all = [...quick, ...slow]
const observed: Observed = {
  load: { traced: all.map(({ sent }) => sent), fdatasyncMs: 1, fdatasyncP99Ms: 9, diskSamples: [] },
  trace: {
    requests: Object.fromEntries(all.map(({ sent, served }) => [String(sent.number), served])),
    blocks: [],
    collections: [{ fromMs: 1_010, toMs: 1_020 }],
  },
  backends: slow.map(({ sent }) => ({ atMs: sent.dueAtMs + 200, pid: 7, wait: 'IO WalSync' })),
  vacuums: [],
  checkpoints: { writes: [{ fromMs: 500_000, toMs: Infinity }], syncs: [] },
}
const { parts, coincidences, ...figures } = explainRequests(observed)
const part = (name: string) => parts.find((found) => found.name === name)

it('the slowest hundred are compared with all requests', () => {
  expect(figures).toMatchObject({ requests: 300, slowest: 100, slowestFromMs: 460, p50Ms: 70, p99Ms: 460 })
  expect(part('Postgres, second transaction')).toMatchObject({ allMs: 140, slowestMs: 400 })
  expect(part('Postgres, first transaction')).toMatchObject({ allMs: 10, slowestMs: 10 })
})

it('the parts of a request add up to all of it', () => {
  const own = parts.filter(({ name }) => !name.startsWith('Postgres: '))
  expect(own.reduce((sum, { slowestMs }) => sum + slowestMs, 0)).toBeCloseTo(460)
  expect(part('waiting for a connection')).toMatchObject({ slowestMs: 3 })
  expect(part('authentication, validation, route')).toMatchObject({ slowestMs: 10 })
})

it('time in Postgres is shared out among what its backends were seen to wait for', () => {
  expect(part('Postgres: waiting for IO WalSync')).toMatchObject({ slowestMs: 410 })
})

it('what a request met is what overlaps with it', () => {
  const met = (name: string) => coincidences.find((found) => found.name === name)
  expect(met('a checkpoint that writes')).toMatchObject({ all: 100, slowest: 100 })
  expect(met('a garbage collection of 2 ms')).toMatchObject({ all: 1, slowest: 0 })
  expect(met('a wait for a connection')).toMatchObject({ all: 300, slowest: 100 })
})
