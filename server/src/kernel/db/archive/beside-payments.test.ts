import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { verifyLogAcrossOrgs } from '../../../domains/records/audit-log/blocks/verify-log.ts'
import { sealEntries } from '../../../domains/records/audit-log/blocks/seal-entries.ts'
import { transitions } from '../../../domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../../ledger/audit.ts'
import { systemClock } from '../../../lib/clock.ts'
import { archiveUses } from '../../../main/archive-uses.ts'
import { fillMonth, makeOldMonths } from '../../../../test/worlds/old-months.ts'
import { untilLockAwaited } from '../../../../test/app/test-database.ts'
import { mobileMoneyPayin, usePayments } from '../../../../test/worlds/test-payments.ts'
import { archiveMonths } from './archive-months.ts'
import { connectOwner } from './partitions.ts'
import { restoreArchive } from './restore-archive.ts'

const t = usePayments()
const directory = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
const longestWaitMs = 100
const monthsBack = 5
/** Between the payments of one of them; without it, they would leave the archive no processor on a small machine. */
const pauseMs = 50
const payers = 3
let orgId: string

beforeAll(async () => {
  orgId = t.seed.orgs[0]?.org_id ?? ''
  await makeOldMonths(t.owner, monthsBack)
  for (const monthsAgo of [4, 5]) await fillMonth(t.owner, { orgId, monthsAgo, count: 5_000 })
  await sealEntries(t.deps)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The longest time that a process of ours has waited for a table, or for the archive, looked at again and again. */
function watchLocks(archivePid: number): { stop(): Promise<number> } {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await t.owner.query<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart) * 1000), 0)::float8 as ms
         from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.datname = current_database() and a.usename like 'switchyard_%'
           and (l.locktype = 'relation' or $1 = any (pg_blocking_pids(l.pid)))`,
        [archivePid],
      )
      longest = Math.max(longest, rows[0]?.ms ?? 0)
      await delay(2)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return longest
    },
  }
}

/** Payments one after the other, by several payers at once, until they are told to stop. */
function startPaying(): { made(): number; stop(): Promise<void> } {
  const progress = { isOver: false, made: 0 }
  const pay = async (): Promise<void> => {
    while (!progress.isOver) {
      const { status, body } = await t.initiate(mobileMoneyPayin())
      expect(status).toBe(200)
      const path = `/v1/payments/${body.response.payment_id}/timeline`
      expect((await t.call('GET', path, { as: t.admin })).status).toBe(200)
      progress.made += 1
      await delay(pauseMs)
    }
  }
  const paying = Promise.all(Array.from({ length: payers }, pay))
  return {
    made: () => progress.made,
    async stop() {
      progress.isOver = true
      await paying
    },
  }
}

it('the watch sees a lock that payments wait for', async () => {
  const blocker = await t.owner.connect()
  const locks = watchLocks(0)
  await blocker.query('begin; lock table events in access exclusive mode')
  const payment = t.initiate(mobileMoneyPayin())
  await untilLockAwaited(t.owner)
  await delay(2 * longestWaitMs)
  await blocker.query('commit')
  blocker.release()
  expect((await payment).status).toBe(200)
  expect(await locks.stop()).toBeGreaterThan(longestWaitMs)
})

it('months are detached, archived and put back while payments run: no error, no lock over 100 ms', async () => {
  const database = new URL(t.config.DATABASE_APP_URL).pathname.slice(1)
  const owner = await connectOwner(databaseUrl(inject('postgresUrl'), database, 'postgres'))
  const locks = watchLocks((await owner.query('select pg_backend_pid() as pid')).rows[0].pid)
  const payments = startPaying()
  const before = await countOld()
  let archived = 0
  let longest = 0
  try {
    const moved = await archiveMonths({
      owner,
      db: t.deps.db,
      clock: systemClock,
      directory,
      retention: { events: 3, audit_log: 3, inquiries: 3 },
      ...archiveUses(t.deps.db),
      log: () => undefined,
    })
    archived = payments.made()
    expect(moved).toBe(9)
    expect(await countOld()).toBe(0)
    await checkAudit()
    const { rows } = await t.owner.query<{ file: string }>('select file from archives')
    for (const { file } of rows) await restoreArchive(owner, join(directory, file))
  } finally {
    await payments.stop()
    longest = await locks.stop()
    await owner.end()
  }
  process.stdout.write(
    `archived beside ${archived} payments and put back beside ${payments.made() - archived}; the longest wait was ${longest.toFixed(1)} ms\n`,
  )
  expect(archived).toBeGreaterThan(0)
  expect(longest).toBeLessThan(longestWaitMs)
  expect([before, await countOld()]).toEqual([10_000, 10_000])
}, 120_000)

async function countOld(): Promise<number> {
  const { rows } = await t.owner.query<{ count: string }>(
    `select count(*) from events where event_id < first_id_at(date_trunc('month', now(), 'UTC'))`,
  )
  return Number(rows[0]?.count)
}

/** Neither the ledger nor the audit log is found broken because months are gone. */
async function checkAudit(): Promise<void> {
  const findings = [
    ...(await auditAcrossOrgs(t.deps.db.readAcrossOrgs, transitions)),
    ...(await verifyLogAcrossOrgs(t.deps.db.readAcrossOrgs)),
  ]
  expect(isClean(findings) ? '' : formatFindings(findings)).toBe('')
}
