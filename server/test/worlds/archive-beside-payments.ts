import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, inject } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { transitions } from '../../src/domains/payments/lifecycle/rules.ts'
import { sealEntries } from '../../src/domains/records/audit-log/blocks/seal-entries.ts'
import { verifyLogAcrossOrgs } from '../../src/domains/records/audit-log/blocks/verify-log.ts'
import { archiveMonths } from '../../src/kernel/db/archive/archive-months.ts'
import { connectOwner } from '../../src/kernel/db/archive/partitions.ts'
import { restoreArchive } from '../../src/kernel/db/archive/restore-archive.ts'
import { auditAcrossOrgs, formatFindings, isClean } from '../../src/kernel/ledger/audit.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { archiveUses } from '../../src/main/archive-uses.ts'
import { fillMonth, makeOldMonths } from './old-months.ts'
import { mobileMoneyPayin, type TestPayments } from './test-payments.ts'

const monthsBack = 5
/** Between the payments of one of them; without it, they would leave the archive no processor on a small machine. */
const pauseMs = 50
const payers = 3

interface ArchivedBesidePayments {
  months: number
  /** The payments that were made during the archive, and while the months were put back. */
  paid: { archiving: number; restoring: number }
  /** The old events before the archive, without the archived months, and after they were put back. */
  oldEvents: [number, number, number]
  longestLockWaitMs: number
}

/** Archives months and puts them back while payments run, each of which must succeed. */
export async function archiveBesidePayments(t: TestPayments): Promise<ArchivedBesidePayments> {
  await fillOldMonths(t)
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
  const database = new URL(t.config.DATABASE_APP_URL).pathname.slice(1)
  const owner = await connectOwner(databaseUrl(inject('postgresUrl'), database, 'postgres'))
  const locks = watchLocks(t, (await owner.query('select pg_backend_pid() as pid')).rows[0].pid)
  const payments = startPaying(t)
  const oldBefore = await countOld(t)
  let [months, archiving, oldBetween, longestLockWaitMs] = [0, 0, 0, 0]
  try {
    months = await archiveMonths({
      owner,
      db: t.deps.db,
      clock: systemClock,
      directory,
      retention: { events: 3, audit_log: 3, inquiries: 3 },
      ...archiveUses(t.deps.db),
      log: () => undefined,
    })
    archiving = payments.made()
    oldBetween = await countOld(t)
    await checkAudit(t)
    const { rows } = await t.owner.query<{ file: string }>('select file from archives')
    for (const { file } of rows) await restoreArchive(owner, join(directory, file))
  } finally {
    await payments.stop()
    longestLockWaitMs = await locks.stop()
    await owner.end()
    rmSync(directory, { recursive: true, force: true })
  }
  return {
    months,
    paid: { archiving, restoring: payments.made() - archiving },
    oldEvents: [oldBefore, oldBetween, await countOld(t)],
    longestLockWaitMs,
  }
}

async function fillOldMonths(t: TestPayments): Promise<void> {
  const orgId = t.seed.orgs[0]?.org_id ?? ''
  await makeOldMonths(t.owner, monthsBack)
  for (const monthsAgo of [4, 5]) await fillMonth(t.owner, { orgId, monthsAgo, count: 5_000 })
  await sealEntries(t.deps)
}

/** The longest time that a process of ours has waited for a table, or for the archive, sampled again and again. */
export function watchLocks(t: TestPayments, archivePid: number): { stop(): Promise<number> } {
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
function startPaying(t: TestPayments): { made(): number; stop(): Promise<void> } {
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

async function countOld(t: TestPayments): Promise<number> {
  const { rows } = await t.owner.query<{ count: string }>(
    `select count(*) from events where event_id < first_id_at(date_trunc('month', now(), 'UTC'))`,
  )
  return Number(rows[0]?.count)
}

/** Neither the ledger nor the audit log is found broken because months are gone. */
async function checkAudit(t: TestPayments): Promise<void> {
  const findings = [
    ...(await auditAcrossOrgs(t.deps.db.readAcrossOrgs, transitions)),
    ...(await verifyLogAcrossOrgs(t.deps.db.readAcrossOrgs)),
  ]
  expect(isClean(findings) ? '' : formatFindings(findings)).toBe('')
}
