import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { useApp } from '../../../test/app/test-app.ts'
import {
  claimDueAcrossOrgs,
  firstLane,
  nextDueInMsAcrossOrgs,
  readyDueAcrossOrgs,
  type Claim,
  type ClaimResult,
  type Saturation,
} from './claims.ts'
import {
  deleteHandedOverAcrossOrgs,
  enqueue,
  enqueueOnce,
  measureBacklogAcrossOrgs,
  noReceiver,
  releaseLeasesAcrossOrgs,
  type Job,
  type OutboxRow,
} from './outbox.ts'

const app = useApp()
let orgId: string
const job: Job = { service: 'Things', handler: 'do', payload: { thingId: 'one' } }

beforeAll(() => {
  orgId = app.seed.orgs[0]!.org_id
})

beforeEach(() => app.owner.query('delete from outbox'))

/** Postgres rounds times to the nearest millisecond, so a job due now may be due in half a millisecond. */
const put = async (change: Partial<Job> = {}, org = orgId): Promise<string> => {
  const outboxId = await app.deps.db.inOrg(org, (tx) => enqueue(tx, org, { ...job, ...change }))
  await delay(1)
  return outboxId
}

const nothingSaturated: Saturation = { services: [], organizations: [] }

const wholeClaim: Claim = {
  limit: 10,
  leaseSeconds: 5,
  after: firstLane,
  saturated: nothingSaturated,
}

const claimFrom = (change: Partial<Claim> = {}): Promise<ClaimResult> =>
  app.deps.db.acrossOrgs(async (tx) => {
    await readyDueAcrossOrgs(tx)
    return claimDueAcrossOrgs(tx, { ...wholeClaim, ...change })
  })
const claim = async (limit = 10): Promise<OutboxRow[]> => (await claimFrom({ limit })).rows

async function storedIds(): Promise<string[]> {
  const { rows } = await app.owner.query<{ outbox_id: string }>('select outbox_id from outbox')
  return rows.map((row) => row.outbox_id)
}

const expireLeases = () => app.owner.query(`update outbox set leased_until = now() - interval '1 second'`)

describe('a row exists exactly if the transaction that wrote it was committed', () => {
  test('it exists after a commit', async () => {
    const outboxId = await put()
    expect(await storedIds()).toEqual([outboxId])
  })

  test('it does not exist after an error that follows the write', async () => {
    const failing = app.deps.db.inOrg(orgId, async (tx) => {
      await enqueue(tx, orgId, job)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await storedIds()).toEqual([])
  })

  test('it does not exist after a failed statement whose error was swallowed, and the caller gets an error', async () => {
    const swallowing = app.deps.db.inOrg(orgId, async (tx) => {
      await enqueue(tx, orgId, job)
      await enqueue(tx, '00000000-0000-4000-8000-000000000000', job).catch(() => undefined)
    })
    await expect(swallowing).rejects.toThrow('the transaction was rolled back')
    expect(await storedIds()).toEqual([])
  })

  test('it does not exist if the connection ends before the commit', async () => {
    const cut = app.deps.db.inOrg(orgId, async (tx) => {
      await enqueue(tx, orgId, job)
      await app.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      )
    })
    await expect(cut).rejects.toMatchObject({ status: 503 })
    expect(await storedIds()).toEqual([])
  })
})

test('a job with an id of its own that is offered again while it waits is one job', async () => {
  const once = { ...job, outboxId: newId() }
  for (let time = 0; time < 2; time += 1) await app.deps.db.inOrg(orgId, (tx) => enqueueOnce(tx, orgId, once))
  expect(await storedIds()).toEqual([once.outboxId])
})

describe('claims', () => {
  test('a claimed row belongs to one relay until its lease ends', async () => {
    const outboxId = await put()
    expect(await claim()).toMatchObject([{ outboxId, orgId, service: 'Things', attempts: 1 }])
    expect(await claim()).toEqual([])
    await expireLeases()
    expect(await claim()).toMatchObject([{ outboxId, attempts: 2 }])
  })

  test('many relays at once claim every row once', async () => {
    for (let count = 0; count < 40; count++) await put()
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(10)))
    const ids = claims.flat().map((row) => row.outboxId)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids, ...(await claim(40)).map((row) => row.outboxId)].toSorted()).toEqual(
      (await storedIds()).toSorted(),
    )
  })

  test('a claim passes over rows that another transaction has locked, and does not wait for them', async () => {
    const locked = await put()
    const free = await put()
    const client = await app.owner.connect()
    try {
      await client.query('begin')
      await client.query('select from outbox where outbox_id = $1 for update', [locked])
      expect((await claim()).map((row) => row.outboxId)).toEqual([free])
    } finally {
      await client.query('rollback')
      client.release()
    }
    expect((await claim()).map((row) => row.outboxId)).toEqual([locked])
  })

  test('a claimed row is next due when its lease ends', async () => {
    await put()
    await claimFrom({ leaseSeconds: 60 })
    const dueInMs = await app.deps.db.acrossOrgs(nextDueInMsAcrossOrgs)
    expect(dueInMs).toBeGreaterThan(20_000)
    expect(dueInMs).toBeLessThanOrEqual(60_000)
  })

  test('a row is not claimed before it is due, and the relay learns how long to wait', async () => {
    await put({ due: { inMs: 60_000 } })
    expect(await claim()).toEqual([])
    const dueInMs = await app.deps.db.acrossOrgs(nextDueInMsAcrossOrgs)
    expect(dueInMs).toBeGreaterThan(20_000)
    expect(dueInMs).toBeLessThanOrEqual(60_000)
  })

  test('the oldest due rows go first', async () => {
    const minuteAgo = await put({ due: { inMs: -60_000 } })
    const hourAgo = await put({ due: { inMs: -3_600_000 } })
    expect((await claim(1))[0]?.outboxId).toBe(hourAgo)
    expect((await claim(1))[0]?.outboxId).toBe(minuteAgo)
  })

  describe('lanes', () => {
    const orgs = (): string[] => app.seed.orgs.map((org) => org.org_id)
    const fill = async (org: string, service: string, count: number): Promise<void> => {
      await app.owner.query(
        `insert into outbox (org_id, outbox_id, service, handler, payload, due_at, is_ready, receiver)
         select $1, gen_random_uuid(), $2, 'do', '{}', now() - interval '1 hour', false, $4 from generate_series(1, $3)`,
        [org, service, count, noReceiver],
      )
    }
    const counts = ({ rows }: ClaimResult): Record<string, number> =>
      Object.fromEntries(
        [...Map.groupBy(rows, (row) => `${orgs().indexOf(row.orgId)} ${row.service}`)].map(
          ([lane, group]) => [lane, group.length],
        ),
      )

    test('a busy lane delays neither another organisation nor another service of its own', async () => {
      await fill(orgs()[0]!, 'Flood', 500)
      await put({ service: 'Late' })
      await put({}, orgs()[1]!)
      expect(counts(await claimFrom({ limit: 200 }))).toEqual({ '0 Flood': 50, '0 Late': 1, '1 Things': 1 })
    })

    test('rows of a saturated organisation or service are not claimed, and the others are', async () => {
      for (const org of orgs().slice(0, 2)) for (const service of ['A', 'B', 'C']) await fill(org, service, 2)
      const saturated = { services: ['C'], organizations: [{ orgId: orgs()[0]!, service: 'A' }] }
      expect(counts(await claimFrom({ saturated }))).toEqual({ '0 B': 2, '1 A': 2, '1 B': 2 })
    })

    test('a claim that does not reach all lanes returns where the next one continues', async () => {
      for (let lane = 0; lane < 150; lane += 1) await fill(orgs()[0]!, `S${lane}`, 1)
      const first = await claimFrom({ limit: 200 })
      const second = await claimFrom({ limit: 200, after: first.last! })
      const third = await claimFrom({ limit: 200, after: second.last! })
      expect([first, second, third].map(({ rows }) => rows.length)).toEqual([64, 64, 22])
      expect(third.last).toBeUndefined()
      await fill(orgs()[0]!, 'T', 30)
      await fill(orgs()[0]!, 'U', 30)
      const cut = await claimFrom({ limit: 20 })
      expect(cut.last).toMatchObject({ orgId: orgs()[0]!, service: 'T' })
      expect(counts(await claimFrom({ limit: 20, after: cut.last! }))).toEqual({ '0 U': 20 })
    })

    test('a claim that finds only saturated lanes continues after them', async () => {
      for (let lane = 0; lane < 70; lane += 1) await fill(orgs()[0]!, `S${100 + lane}`, 1)
      const organizations = Array.from({ length: 64 }, (_, lane) => ({
        orgId: orgs()[0]!,
        service: `S${100 + lane}`,
      }))
      const { rows, last } = await claimFrom({ saturated: { services: [], organizations } })
      expect(rows).toEqual([])
      expect((await claimFrom({ after: last! })).rows).toHaveLength(6)
    })
  })

  test('a released row can be claimed once its wait is over', async () => {
    await put()
    const [row] = await claim()
    await app.deps.db.acrossOrgs((tx) => releaseLeasesAcrossOrgs(tx, [{ ...row!, waitSeconds: 20 }]))
    expect(await claim()).toEqual([])
    await app.deps.db.acrossOrgs((tx) => releaseLeasesAcrossOrgs(tx, [{ ...row!, waitSeconds: 0 }]))
    expect(await claim()).toMatchObject([{ attempts: 2 }])
  })

  test('a slow relay does not release a row that another one has claimed in the meantime', async () => {
    await put()
    const [slow] = await claim()
    await expireLeases()
    await claim()
    await app.deps.db.acrossOrgs((tx) => releaseLeasesAcrossOrgs(tx, [{ ...slow!, waitSeconds: 0 }]))
    expect(await claim()).toEqual([])
  })

  test('only the rows that were handed over are deleted', async () => {
    const kept = await put({ due: { inMs: 60_000 } })
    await put()
    const rows = await claim()
    await app.deps.db.acrossOrgs((tx) => deleteHandedOverAcrossOrgs(tx, rows))
    expect(await storedIds()).toEqual([kept])
  })
})

test('the backlog counts due rows only and includes the age of the oldest', async () => {
  expect(await measureBacklogAcrossOrgs(app.deps.db.readAcrossOrgs)).toEqual({
    pending: 0,
    oldestAgeSeconds: 0,
  })
  await put({ due: { inMs: -90_000 } })
  await put()
  await put({ due: { inMs: 90_000 } })
  const backlog = await measureBacklogAcrossOrgs(app.deps.db.readAcrossOrgs)
  expect(backlog.pending).toBe(2)
  expect(backlog.oldestAgeSeconds).toBeGreaterThanOrEqual(90)
  expect(backlog.oldestAgeSeconds).toBeLessThan(120)
})

test('an organisation sees none of another one’s rows', async () => {
  await put()
  const seen = await app.deps.db.inOrg(app.seed.orgs[1]!.org_id, (tx) => measureBacklogAcrossOrgs(tx.db))
  expect(seen.pending).toBe(0)
})

describe('jobs with a receiver', () => {
  const [first, second] = [newId(), newId()]
  const receiversOf = ({ rows }: ClaimResult): string[] => rows.map(({ receiver }) => receiver)

  test('a lane with much to do does not delay another one of the same organisation and service', async () => {
    for (let count = 0; count < 60; count++) await put({ receiver: first })
    await put({ receiver: second })
    expect(
      receiversOf(await claimFrom({ limit: 100 })).filter((receiver) => receiver === second),
    ).toHaveLength(1)
  })

  test('a receiver without capacity is stepped over, and its rows remain due', async () => {
    await put({ receiver: first })
    await put({ receiver: second })
    const saturated = { ...nothingSaturated, receivers: [first] }
    expect(receiversOf(await claimFrom({ saturated }))).toEqual([second])
    expect(receiversOf(await claimFrom())).toEqual([first])
  })

  test('a claim continues behind the last lane that it reached', async () => {
    const many = Array.from({ length: 70 }, () => newId()).toSorted()
    for (const receiver of many) await put({ receiver })
    const start = await claimFrom({ limit: 100 })
    expect(receiversOf(start).toSorted()).toEqual(many.slice(0, 64))
    const rest = await claimFrom({ limit: 100, after: start.last! })
    expect(receiversOf(rest).toSorted()).toEqual(many.slice(64))
    expect(rest.last).toBeUndefined()
  })

  test('rows that wait for their receiver neither keep the relay awake nor count as stuck', async () => {
    await app.owner.query(
      `insert into outbox (org_id, outbox_id, service, handler, payload, due_at, is_ready, receiver)
       select $1, gen_random_uuid(), 'Things', 'do', '{}', now() - interval '1 hour', true, $2
       from generate_series(1, 150)`,
      [orgId, first],
    )
    expect(await app.deps.db.acrossOrgs(nextDueInMsAcrossOrgs)).toBeUndefined()
    expect(await measureBacklogAcrossOrgs(app.deps.db.readAcrossOrgs)).toEqual({
      pending: 150,
      oldestAgeSeconds: 0,
    })
    await put({ due: { inMs: 60_000 } })
    expect(await app.deps.db.acrossOrgs(nextDueInMsAcrossOrgs)).toBeGreaterThan(4_000)
  })
})
