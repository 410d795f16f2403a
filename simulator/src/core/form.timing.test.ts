import { expect, test } from 'vitest'
import { parseForm } from './form.ts'

test('a name of opening brackets takes linear time', () => {
  const before = process.threadCpuUsage()
  parseForm(`${'['.repeat(60_000)}=1`)
  expect(process.threadCpuUsage(before).user).toBeLessThan(500_000)
})
