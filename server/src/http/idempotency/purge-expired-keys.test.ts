import { beforeAll, describe, expect, it } from 'vitest'
import { startSchedule } from '../../kernel/engine/schedule.ts'
import { recurringJobs } from '../../main/services.ts'
import { openOrganization, type OpenedOrganization } from '../../../test/app/people.ts'
import { useApp } from '../../../test/app/test-app.ts'
import { until } from '../../../test/app/test-relay.ts'
import { startTestWorker } from '../../../test/app/test-worker.ts'
import { purgeExpiredKeys } from './purge-expired-keys.ts'

const hourMs = 60 * 60 * 1000
let offsetMs = 0
const clock = { now: () => new Date(Date.now() + offsetMs) }

const t = useApp({ clock })
let org: OpenedOrganization
beforeAll(async () => {
  org = await openOrganization(t)
  for (const key of ['first', 'second'])
    await t.call('POST', '/v1/public/api-keys', {
      as: org.admin.token,
      headers: { 'idempotency-key': key },
      body: { name: key },
    })
})

describe('the purge', () => {
  const count = async (): Promise<number> =>
    (await t.owner.query('select from idempotent_calls')).rowCount ?? 0

  it('is a recurring job of the worker', async () => {
    const jobs = recurringJobs.filter(({ service }) => service === 'Idempotency')
    expect(jobs).toHaveLength(1)
    await t.owner.query(
      `insert into idempotent_calls (org_id, user_id, idempotency_key, request_hash, expires_at)
       values ($1, 'somebody', 'expired', '\\x00', $2)`,
      [org.orgId, new Date(clock.now().getTime() - 1000)],
    )
    const worker = await startTestWorker(t)
    const schedule = startSchedule({ db: t.deps.db, log: t.deps.log, jobs })
    const expired = `select from idempotent_calls where idempotency_key = 'expired'`
    await until('the purge', async () => (await t.owner.query(expired)).rowCount === 0, 30_000)
    schedule.stop()
    await worker.stop()
  }, 40_000)

  it('removes all expired keys, in several batches, and nothing else', async () => {
    await purgeExpiredKeys(t.deps)
    const kept = await count()
    expect(kept).toBe(2)
    await t.owner.query(
      `insert into idempotent_calls (org_id, user_id, idempotency_key, request_hash, expires_at)
       select $1, 'somebody', 'old-' || n, '\\x00', $2::timestamptz from generate_series(1, 2500) n`,
      [org.orgId, new Date(clock.now().getTime() - 1000)],
    )
    expect(await purgeExpiredKeys(t.deps)).toBe(2500)
    expect(await count()).toBe(kept)
    offsetMs += 25 * hourMs
    expect(await purgeExpiredKeys(t.deps)).toBe(kept)
    expect(await count()).toBe(0)
  })
})
