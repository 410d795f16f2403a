import { expect, it } from 'vitest'
import { insertTransfers, account, posted } from '../../../kernel/ledger/transfers.ts'
import { newId } from '../../../lib/ids.ts'
import { recurringJobs } from '../../../main/services.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { foldBalances, nextFoldAfterMs } from './fold-balances.ts'

const t = useDatabase()

/** The times at which a job folds when each fold finds as many balances as given. */
function foldTimes(found: (round: number) => number): number[] {
  const times = [0]
  for (let round = 0; ; round += 1) {
    const afterMs = nextFoldAfterMs(found(round), round)
    if (afterMs === null) return times
    times.push((times.at(-1) ?? 0) + afterMs)
  }
}

it('a job folds every second while transfers come, and ends before the next job begins', () => {
  const everyMs = recurringJobs.find(({ service }) => service === 'Balances')?.everyMs ?? 0
  const times = foldTimes(() => 3)
  expect(times).toEqual([0, 1_000, 2_000, 3_000, 4_000])
  expect(everyMs - (times.at(-1) ?? 0)).toBe(1_000)
})

it('a job ends with the first fold that finds nothing', () => {
  expect(foldTimes(() => 0)).toEqual([0])
  expect(foldTimes((round) => (round < 2 ? 1 : 0))).toEqual([0, 1_000, 2_000])
})

it('a fold finds transfers once', async () => {
  const orgId = newId()
  const payin = posted({
    causeId: newId(),
    kind: 'payin',
    debit: account.provider('paystack', null),
    credit: account.available('pooled'),
    currency: 'NGN',
    amountMinor: 5n,
  })
  await t.db.batchInOrg(orgId, [insertTransfers(orgId, [payin])])
  // Transfers are folded once no older transaction runs, in whatever database of the server.
  await until('a fold to find the transfer', async () => (await foldBalances(t)) > 0)
  expect(await foldBalances(t)).toBe(0)
})
