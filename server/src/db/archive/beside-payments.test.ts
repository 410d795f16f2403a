import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { verifyLogAcrossOrgs } from '../../domains/audit-log/blocks/verify-log.ts'
import { sealEntries } from '../../domains/audit-log/blocks/seal-entries.ts'
import { transitions } from '../../domains/payments/rules.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../../ledger/audit.ts'
import { systemClock } from '../../lib/clock.ts'
import { archiveUses } from '../../main/archive-uses.ts'
import { fillMonth, makeOldMonths } from '../../testing/old-months.ts'
import { mobileMoneyPayin, usePayments } from '../../testing/test-payments.ts'
import { archiveMonths } from './archive-months.ts'
import { connectOwner } from './partitions.ts'
import { restoreArchive } from './restore-archive.ts'

const t = usePayments()
const directory = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
const longestWaitMs = 100
const monthsBack = 6
let orgId: string

beforeAll(async () => {
  orgId = t.seed.orgs[0]?.org_id ?? ''
  await makeOldMonths(t.owner, monthsBack)
  for (const monthsAgo of [5, 6]) await fillMonth(t.owner, { orgId, monthsAgo, count: 5_000 })
  await sealEntries(t.deps)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The longest time that a process of ours has waited for a lock, looked at again and again. */
function watchLocks(): { stop(): Promise<number> } {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await t.owner.query<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart) * 1000), 0)::float8 as ms
         from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.datname = current_database() and a.usename like 'switchyard_%'`,
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

it('months are detached, archived and put back while payments run: no error, no lock over 100 ms', async () => {
  const database = new URL(t.config.DATABASE_APP_URL).pathname.slice(1)
  const owner = await connectOwner(databaseUrl(inject('postgresUrl'), database, 'postgres'))
  const before = await countOld()
  const progress = { isOver: false, payments: 0 }
  const paying = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!progress.isOver) {
        const { status, body } = await t.initiate(mobileMoneyPayin())
        expect(status).toBe(200)
        const timeline = await t.call('GET', `/v1/payments/${body.response.payment_id}/timeline`, {
          as: t.admin,
        })
        expect(timeline.status).toBe(200)
        progress.payments += 1
      }
    }),
  )
  const locks = watchLocks()
  const moved = await archiveMonths({
    owner,
    db: t.deps.db,
    clock: systemClock,
    directory,
    retention: { events: 3, audit_log: 3, inquiries: 3, rate_quotes: 3 },
    ...archiveUses(t.deps.db),
    log: () => undefined,
  })
  const archived = progress.payments
  const { rows } = await t.owner.query<{ file: string }>('select file from archives')
  await checkAudit()
  for (const { file } of rows) await restoreArchive(owner, join(directory, file))
  progress.isOver = true
  await paying
  const longest = await locks.stop()
  await owner.end()
  process.stdout.write(
    `${moved} months archived beside ${archived} payments and put back beside ${progress.payments - archived}; the longest wait for a lock was ${longest.toFixed(1)} ms\n`,
  )
  expect(moved).toBe(16)
  expect(archived).toBeGreaterThan(0)
  expect(longest).toBeLessThan(longestWaitMs)
  expect(before).toBe(10_000)
  expect(await countOld()).toBe(before)
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
  expect(isClean(findings), formatFindings(findings)).toBe(true)
}
