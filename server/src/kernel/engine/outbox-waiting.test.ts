import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { recordStatements } from '../../../test/sql/record-statements.ts'
import { useApp } from '../../../test/app/test-app.ts'
import { storedTime } from '../db/money-clock.ts'
import { claimDueAcrossOrgs, firstLane, readyDueAcrossOrgs, type Claim } from './claims.ts'
import { enqueue, noReceiver, rescheduleStatement, type Due } from './outbox.ts'

/** `npm run outbox:scale` sets 300,000. */
const waiting = Number(process.env['WAITING_JOBS'] ?? 20_000)

const app = useApp()
let orgId: string
beforeAll(() => {
  orgId = app.seed.orgs[0]!.org_id
})
beforeEach(() => app.owner.query('delete from outbox'))

const wholeClaim: Claim = {
  limit: 10,
  leaseSeconds: 5,
  after: firstLane,
  saturated: { services: [], organizations: [] },
}
const claim = async (): Promise<string[]> =>
  (await app.deps.db.acrossOrgs((tx) => claimDueAcrossOrgs(tx, wholeClaim))).rows.map((row) => row.outboxId)

/** Postgres rounds times to the nearest millisecond, so a job due now may be due in half a millisecond. */
const put = async (due?: Due): Promise<string> => {
  const job = { service: 'Things', handler: 'do', payload: {}, ...(due && { due }) }
  const outboxId = await app.deps.db.inOrg(orgId, (tx) => enqueue(tx, orgId, job))
  await delay(1)
  return outboxId
}

/** As the relay does it. */
const readyAndClaim = (): Promise<unknown> =>
  app.deps.db.acrossOrgs(async (tx) => {
    await readyDueAcrossOrgs(tx)
    return claimDueAcrossOrgs(tx, wholeClaim)
  })

/** The pages of tables and indexes that this touches. */
async function pagesRead(): Promise<number> {
  const { statements } = await recordStatements(readyAndClaim)
  let pages = 0
  for (const { text, values } of statements) {
    const { rows } = await app.owner.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return pages
}

test('a row that waited is claimed once its time has come', async () => {
  const outboxId = await put({ inMs: 3_600_000 })
  await app.deps.db.acrossOrgs(readyDueAcrossOrgs)
  expect(await claim()).toEqual([])
  await app.owner.query(`update outbox set due_at = now() - interval '1 second'`)
  await app.deps.db.acrossOrgs(readyDueAcrossOrgs)
  expect(await claim()).toEqual([outboxId])
})

test('a row that is rescheduled waits until its new time', async () => {
  const outboxId = await put()
  const reschedule = (due: Due) => app.deps.db.batchInOrg(orgId, [rescheduleStatement(orgId, outboxId, due)])
  await reschedule({ inMs: 60_000 })
  await app.deps.db.acrossOrgs(readyDueAcrossOrgs)
  expect(await claim()).toEqual([])
  await reschedule({ inMs: -1 })
  expect(await claim()).toEqual([outboxId])
})

test('a row for a stored time waits until the database has reached it', async () => {
  const at = async (after: string): Promise<Due> => {
    const { rows } = await app.owner.query<{ at: Date }>(`select clock_timestamp() + $1::interval as at`, [
      after,
    ])
    return { at: storedTime(rows[0]!.at) }
  }
  const passed = await put(await at('-1 second'))
  const ahead = await put(await at('1 hour'))
  expect(await claim()).toEqual([passed])
  await app.deps.db.batchInOrg(orgId, [rescheduleStatement(orgId, ahead, await at('2 hours'))])
  expect(await readyAndClaim()).toMatchObject({ rows: [] })
  await app.deps.db.batchInOrg(orgId, [rescheduleStatement(orgId, ahead, await at('-1 second'))])
  expect(await claim()).toEqual([ahead])
})

test(`${waiting} rows that wait cost a claim no pages`, async () => {
  const fill = (rows: number, org: string, due: string) =>
    app.owner.query(
      `insert into outbox (org_id, outbox_id, service, handler, payload, due_at, is_ready, receiver)
       select ${org}, gen_random_uuid(), 'Fills', 'do', '{}', now() ${due}, false, $1 from generate_series(1, ${rows})`,
      [noReceiver],
    )
  // The last organisation has much that is due, and a claim gets to it after all the others.
  await fill(5_000, `'ffffffff-ffff-7fff-bfff-ffffffffffff'`, `- interval '1 second'`)
  for (let round = 0; round < 6; round++) await app.deps.db.acrossOrgs(readyDueAcrossOrgs)
  await app.owner.query('vacuum (analyze) outbox')
  const few = await pagesRead()
  await fill(waiting / 2, `'${orgId}'`, `+ interval '1 day'`)
  await fill(waiting / 2, 'gen_random_uuid()', `+ interval '1 day'`)
  // What the claims above have leased would be passed over first.
  await app.owner.query('update outbox set leased_until = null where leased_until is not null')
  await app.owner.query('vacuum (analyze) outbox')
  expect(await pagesRead()).toBeLessThanOrEqual(few + 50)
  expect(await claim()).toHaveLength(10)
}, 600_000)
