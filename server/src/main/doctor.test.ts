import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startMailbox, type Mailbox } from '@switchyard/stack/services/mailbox.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { createHttpClient } from '../connectors/kit/http-client.ts'
import { feedRateSource } from '../domains/pricing/rates/refresh-rates.ts'
import { noReceiver } from '../kernel/engine/outbox.ts'
import { newId } from '../lib/ids.ts'
import { testEnv } from '../../test/app/test-app.ts'
import { storeInstallationKeys, usePayments } from '../../test/worlds/test-payments.ts'
import { startTestWorker, type TestWorker } from '../../test/app/test-worker.ts'
import { readConfig } from './config.ts'
import { migrationsFinding, partitionsFinding, skewFinding, standbyFinding } from './doctor/check-database.ts'
import { judgeCertificate, nodeFinding } from './doctor/check-machine.ts'
import type { Finding } from './doctor/record.ts'
import { isHealthy, reportOf, runDoctor } from './doctor/run-doctor.ts'

const t = usePayments()
let mailbox: Mailbox
let worker: TestWorker
let env: Record<string, string>

beforeAll(async () => {
  mailbox = await startMailbox(await freePort())
  worker = await startTestWorker(t)
  env = {
    ...testEnv(new URL(t.config.DATABASE_APP_URL).pathname.slice(1), t.identity),
    PUBLIC_URL: t.url,
    SMTP_URL: mailbox.smtpUrl,
    RATE_FEED_URL: `${t.simulator.url}/rates`,
  }
})

afterAll(async () => {
  await worker.stop()
  await mailbox.stop()
})

const examine = (change: Record<string, string> = {}): Promise<Finding[]> => {
  const config = readConfig({ ...env, ...change })
  const rateSource = feedRateSource(createHttpClient(), config.RATE_FEED_URL)
  return runDoctor({ config, deps: { ...t.deps, rateSource } })
}

const stateOf = (findings: readonly Finding[], check: string) =>
  findings.find((finding) => finding.check === check)

describe('a sound installation', () => {
  it('passes every check, and each line names what was checked', async () => {
    const findings = await examine()
    expect(findings.filter(({ state }) => state === 'failed' || state === 'skipped')).toEqual([
      expect.objectContaining({ check: 'sign-in', state: 'skipped' }),
    ])
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'node',
        'disk',
        'postgres',
        'migrations',
        'role switchyard_app',
        'role switchyard_system',
        'row level security',
        'clock',
        'standby',
        'transaction ids',
        'outbox',
        'operators',
        'engine',
        'registration',
        'paused jobs',
        'mail server',
        'identity provider',
        'rate feed',
        'provider pawapay',
        'public address',
      ]),
    )
    expect(isHealthy(findings)).toBe(true)
    expect(reportOf(findings)).toMatch(/\n\d+ ok, \d+ warnings, 0 failed\n$/)
  })
})

describe('operators', () => {
  const findingWith = async (count: number): Promise<Finding | undefined> => {
    const [operator] = await t.deps.db.acrossOrgs(t.deps.listOperators)
    if (!operator) throw new Error('the seed has no operator')
    const listOperators = () => Promise.resolve(Array.from({ length: count }, () => operator))
    const config = readConfig(env)
    return stateOf(await runDoctor({ config, deps: { ...t.deps, listOperators } }), 'operators')
  }

  it('one of them decides alone, which is a warning; of two it is not', async () => {
    expect(await findingWith(1)).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('only one'),
    })
    expect(await findingWith(2)).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('there are 2'),
    })
  })
})

describe('what is broken is found, with its fix', () => {
  const undo: string[] = []
  afterEach(async () => {
    for (const statement of undo.splice(0)) await t.owner.query(statement)
  })

  it.each([
    ['mail server', { SMTP_URL: 'smtp://127.0.0.1:1' }, '127.0.0.1:1 cannot be used'],
    ['identity provider', { JWT_JWKS_URL: 'http://127.0.0.1:1/keys' }, '127.0.0.1:1 cannot be used'],
    ['rate feed', { RATE_FEED_URL: 'http://127.0.0.1:1/rates' }, '127.0.0.1:1 cannot be used'],
    ['public address', { PUBLIC_URL: 'http://127.0.0.1:1' }, 'does not answer (ECONNREFUSED)'],
    ['egress proxy', { WEBHOOK_EGRESS_PROXY: 'http://127.0.0.1:1' }, 'cannot be reached (ECONNREFUSED)'],
    ['registration', { ENGINE_NAMESPACE: 'nobody_' }, 'the engine knows no worker'],
    ['registration', { ENGINE_ADMIN_URL: 'http://127.0.0.1:1' }, '127.0.0.1:1 cannot be asked'],
    ['certificate RATE_FEED_URL', { RATE_FEED_URL: 'https://127.0.0.1:1/rates' }, 'is not trusted'],
  ])('%s, with %j', async (check, change, detail) => {
    const finding = stateOf(await examine(change), check)
    expect(finding).toMatchObject({ state: 'failed', detail: expect.stringContaining(detail) })
    expect(finding?.fix).toMatch(/\.$/)
  })

  it('the file of person keys that an organisation needs is missing', async () => {
    const dataKeyId = newId()
    await t.owner.query(
      `insert into data_keys (org_id, data_key_id, wrapped_key, wrapped_by, person_keys_id)
       select org_id, $1, wrapped_key, wrapped_by, $1 from data_keys limit 1`,
      [dataKeyId],
    )
    undo.push(`delete from data_keys where data_key_id = '${dataKeyId}'`)
    expect(stateOf(await examine({ PERSON_KEYS_DIR: '/nowhere' }), 'person keys')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('1 of 1 files are missing'),
    })
    expect(stateOf(await examine(), 'person keys')).toMatchObject({ state: 'failed' })
  })

  it('a table whose row level security is not forced', async () => {
    await t.owner.query('alter table payments no force row level security')
    undo.push('alter table payments force row level security')
    expect(stateOf(await examine(), 'row level security')).toMatchObject({
      state: 'failed',
      detail: 'is not forced on payments',
    })
  })

  it('a policy that shows the payments of all', async () => {
    await t.owner.query('create policy leak on payments for select using (true)')
    undo.push('drop policy leak on payments')
    expect(stateOf(await examine(), 'row level security')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('payments.leak is not a policy of the migrations'),
    })
  })

  it('a role that owns a table', async () => {
    await t.owner.query('create table planted (id integer)')
    await t.owner.query('alter table planted owner to switchyard_app')
    undo.push('drop table planted')
    expect(stateOf(await examine(), 'role switchyard_app')).toMatchObject({
      state: 'failed',
      detail: 'switchyard_app owns 1 tables',
    })
  })

  it('a job that has been due for an hour', async () => {
    const outboxId = newId()
    await t.owner.query(
      `insert into outbox (org_id, outbox_id, service, handler, payload, due_at, is_ready, receiver, leased_until)
       values ($1, $2, 'Rates', 'refresh', '{}', now() - interval '1 hour', true, $3, now() + interval '1 hour')`,
      [t.seed.orgs[0]!.org_id, outboxId, noReceiver],
    )
    undo.push(`delete from outbox where outbox_id = '${outboxId}'`)
    expect(stateOf(await examine(), 'outbox')).toMatchObject({ state: 'failed' })
  })

  it('keys that a provider refuses', async () => {
    const credentials = { secretKey: 'sk_test_nobody', baseUrl: `${t.simulator.url}/paystack` }
    expect((await storeInstallationKeys(t, 'paystack', credentials)).status).toBe(200)
    expect(stateOf(await examine(), 'provider paystack')).toMatchObject({ state: 'failed' })
  })
})

describe('judgements', () => {
  const facts = {
    synchronousStandbys: 'ANY 1 (b, c)',
    connectedStandbys: 2,
    isStandby: false,
    version: '18.1',
    majorVersion: 18,
    now: new Date(),
    migrations: [],
    unprotectedTables: [],
    foreignPolicies: [],
    sizeBytes: 1,
    transactionAge: 1,
    partitionsUntil: new Date(Date.now() + 90 * 86_400_000),
  }
  it.each([
    ['a clock that is a little off', skewFinding(-2_000), 'warning'],
    ['a clock that is far off', skewFinding(90_000), 'failed'],
    ['an exact clock', skewFinding(-20), 'ok'],
    ['no standby', standbyFinding({ ...facts, synchronousStandbys: '' }), 'warning'],
    ['a standby that is gone', standbyFinding({ ...facts, connectedStandbys: 0 }), 'failed'],
    ['two standbys', standbyFinding(facts), 'ok'],
    ['a standby as primary', standbyFinding({ ...facts, isStandby: true }), 'failed'],
    ['a database without migrations', migrationsFinding(facts), 'failed'],
    ['partitions for three months', partitionsFinding(facts), 'ok'],
    [
      'partitions for a month',
      partitionsFinding({ ...facts, partitionsUntil: new Date(Date.now() + 30 * 86_400_000) }),
      'warning',
    ],
    [
      'no partition for today',
      partitionsFinding({ ...facts, partitionsUntil: new Date(Date.now() - 86_400_000) }),
      'failed',
    ],
    ['an old Node', nodeFinding('22.1.0'), 'failed'],
    [
      'a certificate that ends soon',
      judgeCertificate('c', 'h', new Date(Date.now() + 86_400_000)),
      'warning',
    ],
    ['a certificate of a year', judgeCertificate('c', 'h', new Date(Date.now() + 365 * 86_400_000)), 'ok'],
  ] as const)('%s', (_title, finding, state) => {
    expect(finding.state).toBe(state)
  })
})

it('the command prints JSON and exits with 1 when something failed', async () => {
  const file = new URL('switchyard-server.ts', import.meta.url).pathname
  const run = promisify(execFile)(process.execPath, [file, 'doctor', '--json'], {
    env: { PATH: process.env['PATH'], ...env, SMTP_URL: '' },
  })
  const failure: { code: number; stdout: string } = await run.then(
    () => ({ code: 0, stdout: '' }),
    (error: { code: number; stdout: string }) => error,
  )
  expect(failure.code).toBe(1)
  expect(JSON.parse(failure.stdout)).toEqual({
    healthy: false,
    findings: [
      expect.objectContaining({ check: 'settings', detail: expect.stringMatching(/^SMTP_URL is not set/) }),
    ],
  })
}, 60_000)
