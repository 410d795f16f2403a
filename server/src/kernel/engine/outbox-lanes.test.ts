import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { useApp } from '../../../test/app/test-app.ts'
import {
  claimDueAcrossOrgs,
  firstPartition,
  nextDueInMsAcrossOrgs,
  type Claim,
  type Claimed,
  type Saturated,
} from './claims.ts'
import { enqueue, measureBacklogAcrossOrgs, type Job } from './outbox.ts'

const app = useApp()
let orgId: string
beforeAll(() => {
  orgId = app.seed.orgs[0]!.org_id
})
beforeEach(() => app.owner.query('delete from outbox'))

const job: Job = { service: 'Things', handler: 'do', payload: {} }
/** Postgres rounds times to the nearest millisecond, so a job due now may be due in half a millisecond. */
const put = async (change: Partial<Job>): Promise<void> => {
  await app.deps.db.inOrg(orgId, (tx) => enqueue(tx, orgId, { ...job, ...change }))
  await delay(1)
}
const nothingSaturated: Saturated = { services: [], partitions: [] }
const wholeClaim: Claim = { limit: 10, leaseSeconds: 5, after: firstPartition, saturated: nothingSaturated }
const claimFrom = (change: Partial<Claim> = {}): Promise<Claimed> =>
  app.deps.db.acrossOrgs((tx) => claimDueAcrossOrgs(tx, { ...wholeClaim, ...change }))

const [first, second] = [newId(), newId()]
const lanesOf = ({ rows }: Claimed): string[] => rows.map(({ lane }) => lane)

test('a lane with much to do does not delay another one of the same organisation and service', async () => {
  for (let count = 0; count < 60; count++) await put({ lane: first })
  await put({ lane: second })
  expect(lanesOf(await claimFrom({ limit: 100 })).filter((lane) => lane === second)).toHaveLength(1)
})

test('a lane without capacity is stepped over, and its rows remain due', async () => {
  await put({ lane: first })
  await put({ lane: second })
  const saturated = { ...nothingSaturated, lanes: [first] }
  expect(lanesOf(await claimFrom({ saturated }))).toEqual([second])
  expect(lanesOf(await claimFrom())).toEqual([first])
})

test('a claim continues behind the last lane that it reached', async () => {
  const many = Array.from({ length: 70 }, () => newId()).toSorted()
  for (const lane of many) await put({ lane })
  const start = await claimFrom({ limit: 100 })
  expect(lanesOf(start).toSorted()).toEqual(many.slice(0, 64))
  const rest = await claimFrom({ limit: 100, after: start.last! })
  expect(lanesOf(rest).toSorted()).toEqual(many.slice(64))
  expect(rest.last).toBeUndefined()
})

test('rows that wait for their receiver neither keep the relay awake nor count as stuck', async () => {
  await app.owner.query(
    `insert into outbox (org_id, outbox_id, service, handler, payload, due_at, is_ready, lane)
     select $1, gen_random_uuid(), 'Things', 'do', '{}', now() - interval '1 hour', true, $2
     from generate_series(1, 150)`,
    [orgId, first],
  )
  expect(await app.deps.db.acrossOrgs(nextDueInMsAcrossOrgs)).toBeUndefined()
  expect(await measureBacklogAcrossOrgs(app.deps.db.readAcrossOrgs)).toEqual({
    pending: 150,
    oldestAgeSeconds: 0,
  })
  await put({ dueAt: new Date(Date.now() + 5_000) })
  expect(await app.deps.db.acrossOrgs(nextDueInMsAcrossOrgs)).toBeGreaterThan(4_000)
})
