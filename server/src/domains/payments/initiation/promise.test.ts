import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { migratedDatabase } from '@switchyard/stack/installation/migrated-database.ts'
import { mainFile, startProgram, type Env, type Program } from '@switchyard/stack/programs.ts'
import type { Postgres } from '@switchyard/stack/services/postgres.ts'
import { startScratchPostgres, type ScratchPostgres } from '@switchyard/stack/testing/scratch-postgres.ts'
import { interceptWrites } from '../../../../test/sql/intercept-writes.ts'
import { paymentEnv } from '../../../../test/processes/processes-payments.ts'
import { clockedDatabase } from '../../../../test/app/clocked-database.ts'
import { credentialHeaders, memberOf, type CallAnswer, type Json } from '../../../../test/app/test-app.ts'
import { cardPayin, startTestPayments, type TestPayments } from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { advancePayment } from '../supervision/advance-payment.ts'

/** How many payments meet each fault. They meet it in waves, so that a fault is waited for once per wave. */
const runs = Number(process.env['PROMISE_RUNS'] ?? 4)
const waveSize = 10
const poolSize = waveSize
const sendDeadlineMs = 15_000
const waveLimitMs = 60_000

let server: ScratchPostgres
let postgres: Postgres
let owner: pg.Pool
let t: TestPayments
let otherProcess: Program
let otherUrl: string

beforeAll(async () => {
  server = await startScratchPostgres({ synchronous_commit: 'on' }) // what was committed must outlive a kill
  postgres = server.postgres
  const { ownerUrl, ...urls } = await migratedDatabase(postgres.url)
  owner = new pg.Pool({ connectionString: ownerUrl })
  owner.on('error', () => undefined)
  t = await startTestPayments({
    sendDeadlineMs,
    connectTimeoutMs: 2_000,
    env: { ...urls, LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: String(poolSize) },
  })
  const env: Env = { ...(await paymentEnv(t)), ...urls, LOG_LEVEL: 'silent' }
  otherProcess = await startProgram(mainFile('api'), env)
  otherUrl = `http://127.0.0.1:${env['API_PORT']}`
  await otherProcess.untilReady(`${otherUrl}/readyz`)
}, 120_000)
afterAll(async () => {
  await otherProcess.stop()
  await t.close()
  await owner.end()
  await server.stop()
})

/** Makes the waiting transactions fail, and ends the fault once they have. */
interface Fault {
  begin(): Promise<void>
  end(): Promise<void>
}

function exhaustedPool(): Fault {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { db } = t.deps
  let holders: Promise<void>[] = []
  return {
    async begin() {
      const hold = (): Promise<void> =>
        db.inOrg(t.seed.orgs[0]!.org_id, async (tx) => {
          await sql`select 1`.execute(tx.db)
          await released
        })
      holders = Array.from({ length: poolSize }, hold)
      await until('every connection to be taken', () => {
        const { total, idle, waiting } = db.pools().app
        return total === poolSize && idle === 0 && waiting === 0
      })
    },
    async end() {
      release()
      await Promise.all(holders)
    },
  }
}

function lockedRows(): Fault {
  let client: pg.PoolClient
  return {
    async begin() {
      client = await owner.connect()
      await client.query(`begin; select from payments where status = 'confirmed' for update`)
    },
    async end() {
      await client.query('rollback')
      client.release()
    },
  }
}

const killedPostgres = (): Fault => ({
  begin: () => postgres.kill(),
  async end() {
    await postgres.start()
    await until('the api to be ready', async () => (await t.call('GET', '/readyz')).status === 200)
  },
})

const faults: [string, () => Fault][] = [
  ['the connection pool is exhausted', exhaustedPool],
  ['a lock is not released in time', lockedRows],
  ['Postgres is killed', killedPostgres],
]

const admin = (): string => memberOf(t.seed.orgs[0], 'org-admin').api_key
/** With 22 in the cents the provider sends no webhook, so only the engine can find the outcome. */
const bodyOf = (key: string): Json =>
  cardPayin({ amount: 50.22, target_amount: 50.22, client_reference: key })
// This database has an owner of its own, so the test app cannot check the audit rows of its responses.
const initiate = (key: string): Promise<CallAnswer> =>
  t.initiate(bodyOf(key), { headers: { 'idempotency-key': key }, unaudited: true })
const initiateElsewhere = async (key: string): Promise<{ status: number; body: Json }> => {
  const answer = await fetch(`${otherUrl}/v1/payments-init/initiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...credentialHeaders(admin()) },
    body: JSON.stringify(bodyOf(key)),
  })
  return { status: answer.status, body: await answer.json() }
}

/** Starts a payment per key; the fault begins when all of them are about to write what their provider answered. */
async function meet(fault: Fault, keys: readonly string[]): Promise<CallAnswer[]> {
  let waiting = 0
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const restore = interceptWrites(t.deps, {
    async later(commit) {
      waiting += 1
      if (waiting === keys.length) await fault.begin().then(begin)
      await begun
      return commit()
    },
  })
  try {
    return await Promise.all(keys.map(initiate))
  } finally {
    restore()
    await fault.end()
  }
}

const charges = async (paymentId: string): Promise<number> => {
  const { rows } = await owner.query<{ reference: string }>(
    'select reference::text from attempts where payment_id = $1',
    [paymentId],
  )
  const references = new Set(rows.map(({ reference }) => reference))
  return t.simulator.log().filter((entry) => references.has(entry.reference)).length
}

const keysOf = (name: string, wave: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${wave}-${index}`.replaceAll(' ', '-'))

describe.each(faults)('the second transaction fails because %s', (name, faultOf) => {
  const begun = new Map<string, string>()
  afterEach(() => begun.clear())

  it(
    `${runs} times: 200 with the payment id, repeats hear the same payment, and it is charged once`,
    async () => {
      for (let wave = 0; wave * waveSize < runs; wave++) {
        const keys = keysOf(name, wave, Math.min(waveSize, runs - wave * waveSize))
        const answers = await meet(faultOf(), keys)
        for (const [index, { status, body }] of answers.entries()) {
          expect([status, body.response?.status, body.response?.next_action]).toEqual([
            200,
            'processing',
            'check_status',
          ])
          begun.set(keys[index]!, body.response.payment_id)
        }
        for (const key of keys) {
          const [here, elsewhere] = [await initiate(key), await initiateElsewhere(key)]
          for (const { status, body } of [here, elsewhere])
            expect([status, body.response?.payment_id, body.response?.status]).toEqual([
              200,
              begun.get(key),
              'processing',
            ])
          expect(here.headers['idempotent-replayed']).toBe('true')
        }
      }
      expect(new Set(begun.values()).size).toBe(runs)
      for (const paymentId of begun.values()) expect(await charges(paymentId)).toBe(1)
    },
    Math.ceil(runs / waveSize) * waveLimitMs,
  )
})

describe('what the engine finds out', () => {
  it(
    'every payment whose outcome was lost completes, and is charged once',
    async () => {
      const { rows } = await owner.query<{ orgId: string; paymentId: string }>(
        'select org_id as "orgId", payment_id as "paymentId" from payments order by created_at',
      )
      expect(rows).toHaveLength(runs * faults.length)
      const clock = { now: () => new Date(Date.now() + sendDeadlineMs) }
      const overdue = { ...t.deps, clock, db: clockedDatabase(t.deps.db, clock) }
      for (const ids of rows) {
        const { loaded } = await advancePayment(overdue, ids)
        expect([loaded.payment.status, loaded.attempts.length]).toEqual(['completed', 1])
        expect(await charges(ids.paymentId)).toBe(1)
      }
      const [{ payment_id: repeated, status }] = [(await initiate('Postgres-is-killed-0-0')).body.response]
      expect([status, rows.some(({ paymentId }) => paymentId === repeated)]).toEqual(['completed', true])
    },
    runs * 1_000 + waveLimitMs,
  )
})
