import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '@switchyard/server/kernel/db/database.ts'
import { migrateDatabase } from '@switchyard/server/kernel/db/migrate.ts'
import { statuses, transitions } from '@switchyard/server/domains/payments/lifecycle/rules.ts'
import { auditAcrossOrgs } from '@switchyard/server/kernel/ledger/audit.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import { seed } from './seed.ts'
import { freePort, loopback } from '../services/ports.ts'
import { startPostgres, type Postgres } from '../services/postgres.ts'
import { scratchDir } from '../testing/scratch-dir.ts'

let scratch: Awaited<ReturnType<typeof scratchDir>>
let postgres: Postgres
let simulator: Simulator
let owner: Client
let env: Record<string, string>

beforeAll(async () => {
  scratch = await scratchDir()
  const options = { dataDir: join(scratch.path, 'postgres'), port: await freePort(), fast: true }
  ;[postgres, simulator] = await Promise.all([startPostgres(options), startSimulator()])
  const roleUrl = (role: string) => `postgres://${role}:secret@${loopback}:${postgres.port}/postgres`
  const urls = { appUrl: roleUrl('switchyard_app'), systemUrl: roleUrl('switchyard_system') }
  await migrateDatabase({ ownerUrl: postgres.url, ...urls, log: () => undefined })
  owner = new Client({ connectionString: postgres.url })
  await owner.connect()
  env = {
    SWITCHYARD_ENV: 'dev',
    LOG_LEVEL: 'error',
    DATABASE_APP_URL: urls.appUrl,
    DATABASE_SYSTEM_URL: urls.systemUrl,
    ENGINE_INGRESS_URL: `http://${loopback}:1`,
    JWT_ISSUER: `http://${loopback}:1`,
    JWT_AUDIENCE: 'switchyard',
    JWT_JWKS_URL: `http://${loopback}:1/jwks`,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
    SMTP_URL: `smtp://${loopback}:1`,
    MAIL_FROM: 'Switchyard <no-reply@switchyard.test>',
    PUBLIC_URL: `http://${loopback}:1`,
    RATE_FEED_URL: `${simulator.url}/rates`,
    SEED_FILE: join(scratch.path, 'seed.json'),
    SIMULATOR_URL: simulator.url,
  }
}, 60_000)

afterAll(async () => {
  await owner.end()
  await simulator.stop()
  await postgres.stop()
  await scratch.remove()
})

async function rows<Row>(query: string): Promise<Row[]> {
  return (await owner.query(query)).rows as Row[]
}

test('a new installation has payments in every status, all of them explained by the ledger', async () => {
  const result = await seed(env)
  expect(result.orgs.map(({ members }) => members.length)).toEqual([4, 4])
  const found = await rows<{ status: string }>(
    `select distinct status from payments where org_id = '${result.orgs[0]?.org_id}'`,
  )
  expect(found.map(({ status }) => status).toSorted()).toEqual([...statuses].toSorted())
  const unposted = await rows(
    `select from payments p where status in ('completed', 'refunded')
     and not exists (select from ledger_transfers t where t.org_id = p.org_id and t.cause_id = p.payment_id)`,
  )
  expect(unposted).toEqual([])
})

test('the approved payout is not due yet, however fast the worker is', async () => {
  const waiting = await rows<{ due: boolean }>(
    `select due_at > now() + interval '29 days' as due from outbox join payments
     on payments.org_id = outbox.org_id and payment_id = outbox_id where status = 'confirmed'`,
  )
  expect(waiting).toEqual([{ due: true }])
})

test('a second seed adds nothing, and configures the webhook URLs of a simulator that has lost them', async () => {
  const count = () => rows(`select count(*) from payments union all select count(*) from provider_configs`)
  const before = await count()
  const forgetful = await startSimulator()
  try {
    const again = await seed({ ...env, SIMULATOR_URL: forgetful.url })
    expect(again.simulator).toBe(forgetful.url)
    expect(await count()).toEqual(before)
    const told = await fetch(`${forgetful.url}/pawapay/_config`)
    expect(await told.json()).toMatchObject({
      accounts: [{ webhook_url: expect.stringContaining(`http://${loopback}:1/v1/providers/pawapay/`) }],
    })
  } finally {
    await forgetful.stop()
  }
})

test('a year of payments breaks no promise, and has refunds, fallbacks, disputes and exceptions', async () => {
  const count = 3_000
  const result = await seed({ ...env, SEED_PAYMENTS: String(count) })
  expect(result.year).toBe(count)
  await owner.query('analyze')
  const db = connectDatabase({
    appUrl: env['DATABASE_APP_URL'] ?? '',
    systemUrl: env['DATABASE_SYSTEM_URL'] ?? '',
    poolSize: 1,
    statementTimeoutMs: 60_000,
  })
  try {
    const findings = await auditAcrossOrgs(db.readAcrossOrgs, transitions)
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
  } finally {
    await db.close()
  }
  const [made] = await rows<{ payments: number; refunded: number; fallbacks: number }>(
    `select count(*)::integer as payments, (count(*) filter (where status = 'refunded'))::integer as refunded,
       (select count(*)::integer from attempts a join payments b using (org_id, payment_id)
        where b.request_id = 'seed' and a.attempt_no = 2 and a.state = 'succeeded') as fallbacks
     from payments where request_id = 'seed'`,
  )
  expect(made?.payments).toBe(count)
  expect(made?.refunded).toBeGreaterThan(10)
  expect(made?.fallbacks).toBeGreaterThan(3)
  const [found] = await rows<{ disputes: number; exceptions: number }>(
    `select (select count(*)::integer from disputes) as disputes, (select count(*)::integer from exceptions) as exceptions`,
  )
  expect(found).toEqual({ disputes: 12, exceptions: 6 })
  await seed({ ...env, SEED_PAYMENTS: String(count) })
  expect(await rows(`select from payments where request_id = 'seed'`)).toHaveLength(count)
}, 120_000)
