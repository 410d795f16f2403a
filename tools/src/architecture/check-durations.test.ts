import { describe, expect, it } from 'vitest'
import { checkDurations } from './check-durations.ts'
import { repositoryOf, type Repository } from './repository.ts'

const test = 'server/src/lib/read-csv.test.ts'

function holding(path: string, ...lines: string[]): Repository {
  return repositoryOf([{ path, text: lines.join('\n') }])
}

describe('a duration in a test that does not run alone', () => {
  it.each([
    'expect(performance.now() - startedAt).toBeLessThan(2_000)',
    'expect(performance.now() - startedAt).toBeGreaterThan(2_000)',
    'expect(Math.round((performance.now() - startedAt) / 1_000)).toBe(2)',
    'expect(Date.now() - startedAt).toBeLessThan(2_000)',
    'expect(Math.abs(Date.now() - time)).toBeLessThan(1_000)',
    'expect(process.cpuUsage(before).user).toBeLessThan(500_000)',
    'expect(process.threadCpuUsage(before).user).toBeLessThan(500_000)',
    'expect(process.hrtime.bigint()).toBeLessThan(end)',
    'expect(tookMs).toBeLessThan(limitMs)',
    'expect(answer.tookMs).not.toBeLessThanOrEqual(3_000)',
    'expect(attempt.duration_ms).toBeLessThan(1_000)',
    'expect(Math.max(...elapsedMs)).toBeLessThan(1_000)',
    'expect(cpuMs / rounds).toBeLessThan(0.1)',
    'await expect(Promise.resolve(tookMs)).resolves.toBeLessThan(3_000)',
  ])('%s is refused', (line) => {
    expect(checkDurations(holding(test, '// a comment', line))).toEqual([
      `${test}:2 asserts a duration; wait for a condition, or move the test to a file *.timing.test.ts`,
    ])
  })

  it.each([
    'expect(answeredAt).toBeGreaterThanOrEqual(before)',
    'expect(row.dueAt.getTime() - Date.now()).toBeGreaterThan(20_000)',
    'expect(attempt.duration_ms).toBeGreaterThanOrEqual(245)',
    'expect(passed).toBeLessThanOrEqual(10 + elapsedMs / 200)',
    'expect(rows.length).toBeLessThan(20)',
    'const tookMs = performance.now() - startedAt',
  ])('%s is accepted', (line) => {
    expect(checkDurations(holding(test, line))).toEqual([])
  })

  it.each(['server/src/lib/read-csv.timing.test.ts', 'server/src/lib/read-csv.ts'])(
    'in %s is accepted',
    (path) => {
      expect(checkDurations(holding(path, 'expect(tookMs).toBeLessThan(limitMs)'))).toEqual([])
    },
  )

  it('in a helper of tests is refused', () => {
    const path = 'server/test/app/test-relay.ts'
    expect(checkDurations(holding(path, 'expect(tookMs).toBeLessThan(limitMs)'))).toHaveLength(1)
  })
})
