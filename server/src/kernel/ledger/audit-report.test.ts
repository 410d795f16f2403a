import { expect, it } from 'vitest'
import { formatFindings, isClean, type Finding } from './audit.ts'

const kept: Finding = { promise: 'kept', examined: 12, violations: 0, examples: [] }
const broken: Finding = {
  promise: 'not kept',
  examined: 3,
  violations: 1,
  examples: [{ subject: 'va:1', problem: 'the sum differs' }],
}

it('an audit is clean when every promise is kept', () => {
  expect([isClean([kept, kept]), isClean([kept, broken]), isClean([broken])]).toEqual([true, false, false])
})

it('an audit is printed as a table, with examples below a broken promise', () => {
  expect(formatFindings([kept, broken])).toBe(
    [
      'promise    examined  violations',
      'kept             12           0',
      'not kept          3           1',
      '  va:1: the sum differs',
    ].join('\n'),
  )
})
