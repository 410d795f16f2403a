import { expect, it } from 'vitest'
import { untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { nairaRows, openBatches } from './testing/test-batches.ts'

const t = usePayments({ delayMs: untilSettled })
const limitMs = 5_000

it(`a dry run of 10,000 rows takes less than ${limitMs} ms`, async () => {
  const org = await openBatches(t)
  const copies = await org.copyBeneficiary(10_000)
  const rows = nairaRows(org.banked, copies.length).map((row, index) => ({
    ...row,
    beneficiary_id: copies[index],
  }))
  const startedAt = performance.now()
  const { is_valid } = await org.dryRun(rows)
  expect(performance.now() - startedAt).toBeLessThan(limitMs)
  expect(is_valid).toBe(true)
})
