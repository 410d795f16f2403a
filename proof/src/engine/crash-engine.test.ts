import { expect, test } from 'vitest'
import { countMails, formatTable, isViolation } from './report.ts'
import { crashEngine } from './crash-engine.ts'

const runs = 2

test('whatever is killed with -9, every mail arrives, and once', { timeout: 120_000 }, async () => {
  const { results, idsInEngine, addressesInEngine } = await crashEngine({
    runs,
    seed: 20_260_801,
    leaseSeconds: 1,
    print: () => undefined,
  })
  expect(results.map(({ runs: ran, lost, doubled, problems }) => ({ ran, lost, doubled, problems }))).toEqual(
    [runs, runs, runs, 1].map((ran) => ({ ran, lost: 0, doubled: 0, problems: [] })),
  )
  expect(idsInEngine).toBeGreaterThan(0)
  expect(addressesInEngine).toBe(0)
})

test('a mail that never came or came too late is lost, one that came twice is doubled; both are violations', () => {
  const counts = new Map([
    ['once@crash.test', 1],
    ['twice@crash.test', 2],
  ])
  const expected = ['once@crash.test', 'twice@crash.test', 'never@crash.test']
  expect(countMails({ expected, missing: [] }, counts)).toEqual({ lost: 1, doubled: 1 })
  expect(countMails({ expected, missing: ['once@crash.test'] }, counts)).toEqual({ lost: 2, doubled: 1 })
  const clean = { name: 'a', runs: 1, lost: 0, doubled: 0, longestRecoveryMs: 1_250, problems: [] }
  const verdicts = [clean, { ...clean, lost: 1 }, { ...clean, doubled: 1 }, { ...clean, problems: ['x'] }]
  expect(verdicts.map(isViolation)).toEqual([false, true, true, true])
  expect(formatTable([clean])).toBe(
    'scenario  runs  lost  doubled  longest recovery\na            1     0        0             1.3 s',
  )
})
