import { expect, it } from 'vitest'
import { archiveBesidePayments } from '../../../../test/worlds/archive-beside-payments.ts'
import { usePayments } from '../../../../test/worlds/test-payments.ts'

const t = usePayments()

it('months are detached, archived and put back while payments run, none of which fails', async () => {
  const { months, paid, oldEvents } = await archiveBesidePayments(t)
  expect(months).toBe(9)
  expect(paid.archiving).toBeGreaterThan(0)
  expect(oldEvents).toEqual([10_000, 0, 10_000])
}, 120_000)
