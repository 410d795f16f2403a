import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startKms, type Kms } from '@switchyard/stack/services/kms.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { createVault } from '../db/vault.ts'
import { rewrapDataKeys } from '../../domains/records/data-keys/rewrap-data-keys.ts'
import { readConfig } from '../../main/config.ts'
import { createDeps } from '../../main/deps.ts'
import { startTestPayments, mobileMoneyPayin, type TestPayments } from '../../../test/worlds/test-payments.ts'
import type { KeyService } from '../../lib/crypto/key-service.ts'
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
  vi.unstubAllEnvs()
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
  ...change,
})

/** A service that is closed when its test ends. */
async function open(change: Partial<KmsOptions> = {}): Promise<KeyService> {
  const service = await createKmsService(options(change))
  onTestFinished(() => service.close())
  return service
}

async function expectUnavailable(service: KeyService): Promise<void> {
  await expect(service.wrap(randomBytes(32), 'a row')).rejects.toMatchObject({ status: 503 })
}

describe('wrapping', () => {
  it('opens what it has wrapped, in its own context only', async () => {
    const service = await open()
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
    [
      'a wrong secret',
      { credentials: { accessKeyId: 'AKIDSWITCHYARD', secretAccessKey: 'wrong', sessionToken: undefined } },
    ],
    [
      'an unknown access key',
      { credentials: { accessKeyId: 'AKIDANOTHER', secretAccessKey: 'wrong', sessionToken: undefined } },
    ],
  ])('%s: it says that the service is unavailable, because the operator can mend it', async (_name, change) =>
    expectUnavailable(await open(change)),
  )

  it('signs by the clock of the KMS if ours is wrong', async () => {
    const ahead = await startKms({ port: await freePort(), keyIds: ['key-1'], clockAheadMs: 3_600_000 })
    onTestFinished(() => ahead.stop())
    const service = await open({ endpoint: ahead.url })
    expect((await service.wrap(randomBytes(32), 'a row')).wrappedBy).toBe('kms:key-1')
  })

  it('a call is retried once and no more often', async () => {
    kms.mode = 'fails'
    const before = kms.requestCount
    await expectUnavailable(await open())
    expect(kms.requestCount - before).toBe(2)
  })
})

describe('the credentials of a role', () => {
  const stub = (env: Record<string, string>): void => {
    const noFiles = { AWS_SHARED_CREDENTIALS_FILE: '/dev/null', AWS_CONFIG_FILE: '/dev/null' }
    for (const [name, value] of Object.entries({ ...noFiles, ...env })) vi.stubEnv(name, value)
  }

  it('are used where no access key is set, and asked for once', async () => {
    stub(kms.roleEnv)
    const service = await open({ credentials: undefined })
    const key = randomBytes(32)
    const before = kms.requestCount
    const wrapped = await service.wrap(key, 'a row')
    expect(await service.unwrap(wrapped, 'a row')).toEqual(key)
    expect(kms.requestCount - before).toBe(3)
  })

  it('that do not arrive end a call at its limit, and later calls ask for them again', async () => {
    stub(kms.roleEnv)
    kms.mode = 'hangs'
    const service = await open({ credentials: undefined })
    await expectUnavailable(service)
    kms.mode = 'serves'
    expect((await service.wrap(randomBytes(32), 'a row')).wrappedBy).toBe('kms:key-1')
  })

  it('that nobody has: it says that the service is unavailable', async () => {
    stub({ AWS_EC2_METADATA_DISABLED: 'true' })
    await expectUnavailable(await open({ credentials: undefined }))
  })
})

const pay = () => t.initiate(mobileMoneyPayin())

/** Ends when the keys in memory have expired. */
const waitForCache = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, cacheSeconds * 1_000 + 100))

describe('payments', () => {
  it('do not ask the KMS again for a key in memory, and go on for a time without it', async () => {
    expect((await pay()).status).toBe(200)
    const asked = kms.calls.length
    kms.mode = 'refuses'
    expect((await Promise.all([pay(), pay(), pay()])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(kms.calls.length - asked).toBeLessThanOrEqual(2)
  })

  it.each(['refuses', 'hangs', 'fails'] as const)(
    'that need a key while the KMS %s are answered with 503, and work again by themselves',
    async (mode) => {
      await waitForCache()
      kms.mode = mode
      const answer = await pay()
      expect(answer.status).toBe(503)
      expect(answer.body.code).toBe('SERVICE_UNAVAILABLE')
      kms.mode = 'serves'
      expect((await pay()).status).toBe(200)
    },
  )

  it('that need a key while the KMS is gone are answered with 503, and work when it is back', async () => {
    await waitForCache()
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
