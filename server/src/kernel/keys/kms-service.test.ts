import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startKms, type Kms } from '@switchyard/stack/services/kms.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { createVault } from '../db/vault.ts'
import { rewrapDataKeys } from '../../domains/records/data-keys/rewrap-data-keys.ts'
import { systemClock } from '../../lib/clock.ts'
import { readConfig } from '../../main/config.ts'
import { createDeps } from '../../main/deps.ts'
import { startTestPayments, mobileMoneyPayin, type TestPayments } from '../../../test/worlds/test-payments.ts'
import { createKmsService, type KmsOptions } from './kms-service.ts'

let port: number
let kms: Kms
let t: TestPayments
const logged: string[] = []
const logTo = new PassThrough().on('data', (chunk: Buffer) => logged.push(chunk.toString()))
const cacheSeconds = 2

const start = async (): Promise<void> => {
  kms = await startKms({ port, keyIds: ['key-1', 'key-2'] })
}
beforeAll(async () => {
  port = await freePort()
  await start()
  t = await startTestPayments({
    env: { ...kms.env, KMS_CACHE_SECONDS: String(cacheSeconds), LOG_LEVEL: 'trace' },
    logTo,
  })
})
afterEach(() => {
  kms.mode = 'serves'
})
afterAll(async () => {
  await t.close()
  await kms.stop()
})

const options = (change: Partial<KmsOptions> = {}): KmsOptions => ({
  keyId: 'key-1',
  endpoint: kms.url,
  region: 'eu-west-1',
  credentials: {
    accessKeyId: kms.env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: kms.env['AWS_SECRET_ACCESS_KEY'] ?? '',
    sessionToken: undefined,
  },
  cacheMs: 60_000,
  clock: systemClock,
  ...change,
})

describe('wrapping', () => {
  it('opens what it has wrapped, in its own context only', async () => {
    const service = createKmsService(options())
    const key = randomBytes(32)
    const wrapped = await service.wrap(key, 'a row')
    expect(wrapped.wrappedBy).toBe('kms:key-1')
    expect(wrapped.wrapped.includes(key)).toBe(false)
    expect(await service.unwrap(wrapped, 'a row')).toEqual(key)
    expect(await service.unwrap(wrapped, 'another row')).toBeUndefined()
    expect(await service.unwrap({ ...wrapped, wrappedBy: 'kms:key-2' }, 'a row')).toBeUndefined()
    expect(await service.unwrap({ ...wrapped, wrapped: randomBytes(90) }, 'a row')).toBeUndefined()
  })

  it.each([
    ['a key that does not exist', { keyId: 'key-9' }],
    ['another region', { region: 'us-east-1' }],
    ['a clock that is wrong', { clock: { now: () => new Date(Date.now() - 3_600_000) } }],
    [
      'a wrong secret',
      { credentials: { accessKeyId: 'AKIDSWITCHYARD', secretAccessKey: 'wrong', sessionToken: undefined } },
    ],
  ])(
    '%s: it says that the service is unavailable, because the operator can mend it',
    async (_name, change) => {
      const service = createKmsService(options(change))
      await expect(service.wrap(randomBytes(32), 'a row')).rejects.toMatchObject({ status: 503 })
    },
  )
})

const pay = () => t.initiate(mobileMoneyPayin())

/** Ends when the keys in memory have expired. */
const forget = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, cacheSeconds * 1_000 + 100))

describe('payments', () => {
  it('do not ask the KMS again for a key in memory, and go on for a time without it', async () => {
    expect((await pay()).status).toBe(200)
    const asked = kms.calls.length
    kms.mode = 'refuses'
    expect((await Promise.all([pay(), pay(), pay()])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(kms.calls.length - asked).toBeLessThanOrEqual(2)
  })

  it.each(['refuses', 'hangs', 'fails'] as const)(
    'that need a key while the KMS %s are answered with 503 within a limit, and work again by themselves',
    async (mode) => {
      await forget()
      kms.mode = mode
      const startedAt = performance.now()
      const answer = await pay()
      expect(answer.status).toBe(503)
      expect(answer.body.code).toBe('SERVICE_UNAVAILABLE')
      expect(performance.now() - startedAt).toBeLessThan(6_000)
      kms.mode = 'serves'
      expect((await pay()).status).toBe(200)
    },
  )

  it('that need a key while the KMS is gone are answered with 503, and work when it is back', async () => {
    await forget()
    const before = (await t.owner.query('select from payments')).rowCount
    await kms.stop()
    expect((await pay()).status).toBe(503)
    await start()
    expect((await pay()).status).toBe(200)
    // A 503 means that nothing was begun.
    expect((await t.owner.query('select from payments')).rowCount).toBe(Number(before) + 1)
  })
})

describe('another key', () => {
  it('wraps every data key again, and neither the former key nor SECRET_KEY is needed', async () => {
    const { rows } = await t.owner.query('select distinct wrapped_by from data_keys')
    expect(rows).toEqual([{ wrapped_by: 'kms:key-1' }])
    const vaultOf = async (env: Record<string, string>) => {
      const deps = await createDeps(readConfig({ ...envOf(t), ...kms.env, ...env }))
      return { deps, vault: createVault(deps.db, deps.keys.service) }
    }
    const orgId = t.seed.orgs[0]?.org_id ?? ''
    const sealed = await t.deps.vault.seal(orgId, 'sample', 'kept')
    const next = await vaultOf({ KMS_KEY_ID: 'key-2' })
    expect(await rewrapDataKeys(next.deps)).toBeGreaterThan(0)
    kms.calls.length = 0
    const other = await vaultOf({ KMS_KEY_ID: 'key-2', SECRET_KEY: randomBytes(32).toString('base64') })
    expect(await other.vault.open(orgId, 'sample', sealed)).toBe('kept')
    expect(kms.calls.every((call) => call.endsWith('key-2'))).toBe(true)
    await next.deps.close()
    await other.deps.close()
  })
})

const envOf = ({ config }: TestPayments): Record<string, string> => ({
  SWITCHYARD_ENV: 'dev',
  LOG_LEVEL: 'silent',
  DATABASE_APP_URL: config.DATABASE_APP_URL,
  DATABASE_SYSTEM_URL: config.DATABASE_SYSTEM_URL,
  ENGINE_INGRESS_URL: config.ENGINE_INGRESS_URL,
  JWT_ISSUER: config.JWT_ISSUER,
  JWT_AUDIENCE: config.JWT_AUDIENCE,
  JWT_JWKS_URL: config.JWT_JWKS_URL,
  PUBLIC_URL: config.PUBLIC_URL,
  SMTP_URL: config.SMTP_URL,
  MAIL_FROM: config.MAIL_FROM,
  RATE_FEED_URL: config.RATE_FEED_URL,
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
})

it('neither the secret of the KMS nor a data key is in a log line', () => {
  expect(logged.length).toBeGreaterThan(0)
  expect(logged.join('')).not.toContain(kms.env['AWS_SECRET_ACCESS_KEY'])
})
