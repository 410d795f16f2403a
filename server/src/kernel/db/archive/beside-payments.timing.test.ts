import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { untilLockAwaited } from '../../../../test/app/test-database.ts'
import { archiveBesidePayments, watchLocks } from '../../../../test/worlds/archive-beside-payments.ts'
import { mobileMoneyPayin, usePayments } from '../../../../test/worlds/test-payments.ts'

const t = usePayments()
const longestWaitMs = 100

it('the watch sees a lock that payments wait for', async () => {
  const blocker = await t.owner.connect()
  const locks = watchLocks(t, 0)
  await blocker.query('begin; lock table events in access exclusive mode')
  const payment = t.initiate(mobileMoneyPayin())
  await untilLockAwaited(t.owner)
  await delay(2 * longestWaitMs)
  await blocker.query('commit')
  blocker.release()
  expect((await payment).status).toBe(200)
  expect(await locks.stop()).toBeGreaterThan(longestWaitMs)
})

it(`payments wait for no lock for ${longestWaitMs} ms while months are archived and put back`, async () => {
  const { paid, longestLockWaitMs } = await archiveBesidePayments(t)
  process.stdout.write(
    `archived beside ${paid.archiving} payments and put back beside ${paid.restoring}; the longest wait was ${longestLockWaitMs.toFixed(1)} ms\n`,
  )
  expect(longestLockWaitMs).toBeLessThan(longestWaitMs)
}, 120_000)
