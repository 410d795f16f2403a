import { expect, test } from 'vitest'
import { useApp } from '../../../test/app/test-app.ts'
import { claimDueAcrossOrgs, firstLane, readyDueAcrossOrgs, type Claim } from './claims.ts'
import { noReceiver } from './outbox.ts'

/** `npm run outbox:scale` sets 300,000. */
const waiting = Number(process.env['WAITING_JOBS'] ?? 20_000)

const app = useApp()
const wholeClaim: Claim = {
  limit: 10,
  leaseSeconds: 5,
  after: firstLane,
  saturated: { services: [], organizations: [] },
}

const fill = (rows: number, org: string, due: string) =>
  app.owner.query(
    `insert into outbox (org_id, outbox_id, service, handler, payload, due_at, is_ready, receiver)
     select ${org}, gen_random_uuid(), 'Fills', 'do', '{}', now() ${due}, false, $1 from generate_series(1, ${rows})`,
    [noReceiver],
  )

/** As the relay does it. */
const readyAndClaim = (): Promise<unknown> =>
  app.deps.db.acrossOrgs(async (tx) => {
    await readyDueAcrossOrgs(tx)
    return claimDueAcrossOrgs(tx, wholeClaim)
  })

async function medianClaimMs(): Promise<number> {
  const durations: number[] = []
  for (let round = 0; round < 101; round++) {
    const startedAt = performance.now()
    await readyAndClaim()
    durations.push(performance.now() - startedAt)
  }
  return durations.toSorted((a, b) => a - b)[50]!
}

test(`a claim takes hardly longer while ${waiting} rows wait`, async () => {
  await app.owner.query('delete from outbox')
  // The last organisation has much that is due, and a claim gets to it after all the others.
  await fill(5_000, `'ffffffff-ffff-7fff-bfff-ffffffffffff'`, `- interval '1 second'`)
  for (let round = 0; round < 6; round++) await app.deps.db.acrossOrgs(readyDueAcrossOrgs)
  await app.owner.query('vacuum (analyze) outbox')
  const bareMs = await medianClaimMs()
  await fill(waiting / 2, `'${app.seed.orgs[0]!.org_id}'`, `+ interval '1 day'`)
  await fill(waiting / 2, 'gen_random_uuid()', `+ interval '1 day'`)
  // What the claims above have leased would be passed over first.
  await app.owner.query('update outbox set leased_until = null where leased_until is not null')
  await app.owner.query('vacuum (analyze) outbox')
  const ms = await medianClaimMs()
  process.stdout.write(
    `a claim of ten takes ${bareMs.toFixed(2)} ms, and ${ms.toFixed(2)} ms while ${waiting} rows wait\n`,
  )
  expect(ms).toBeLessThan(Math.max(2, bareMs * 1.3))
}, 600_000)
