import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { metricsPort, readConfig, readMigrationConfig } from './config.ts'
import { settingGroups } from './settings/groups.ts'
import { notesOf } from './settings/kinds.ts'
import { StartError } from './start-error.ts'

const secret = (): string => randomBytes(32).toString('base64')
const needed = {
  DATABASE_APP_URL: 'postgres://app@127.0.0.1/switchyard',
  DATABASE_SYSTEM_URL: 'postgres://system@127.0.0.1/switchyard',
  ENGINE_INGRESS_URL: 'http://127.0.0.1:8081',
  JWT_ISSUER: 'https://identity.example.com',
  JWT_AUDIENCE: 'switchyard',
  JWT_JWKS_URL: 'https://identity.example.com/jwks',
  PUBLIC_URL: 'https://pay.example.com',
  SECRET_KEY: secret(),
  API_KEY_PEPPER: secret(),
  SMTP_URL: 'smtp://127.0.0.1',
  MAIL_FROM: 'no-reply@example.com',
  RATE_FEED_URL: 'https://rates.example.com/usd.json',
  SCREENER_URL: 'https://screener.example.com/addresses',
}
let scratch: Awaited<ReturnType<typeof scratchDir>>
beforeAll(async () => {
  scratch = await scratchDir()
})
afterAll(() => scratch.remove())

async function fileWith(text: string): Promise<string> {
  const path = join(scratch.path, randomBytes(4).toString('hex'))
  await writeFile(path, text)
  return path
}

describe('readConfig', () => {
  it('defaults to production and uses the default of every other setting', () => {
    expect(readConfig(needed)).toMatchObject({ SWITCHYARD_ENV: 'production', API_PORT: 8080 })
  })

  it('reads a value from a file, which takes precedence over the variable', async () => {
    const file = await fileWith('  smtp://mail.example.com\n')
    expect(readConfig({ ...needed, SMTP_URL_FILE: file }).SMTP_URL).toBe('smtp://mail.example.com')
  })

  const withKms = { ...needed, KEY_SERVICE: 'kms', KMS_KEY_ID: 'alias/one', AWS_REGION: 'eu-west-1' }

  it.each([{}, { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' }])(
    'a KMS is used with a role or with an access key: %j',
    (change) => {
      expect(readConfig({ ...withKms, ...change })).toMatchObject({ KMS_KEY_ID: 'alias/one', ...change })
    },
  )

  it.each([
    [{ AWS_REGION: '' }, 'AWS_REGION is not set. It is the region of the KMS.'],
    [{ AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE' }, 'must be set together'],
    [{ AWS_SESSION_TOKEN: 'token' }, 'must be set together'],
  ])('the settings of a KMS must be complete: %j', (change, problem) => {
    expect(() => readConfig({ ...withKms, ...change })).toThrow(problem)
  })

  it('reports everything that is missing or invalid in one error', () => {
    const { JWT_ISSUER: _issuer, ...rest } = needed
    expect(() => readConfig({ ...rest, API_PORT: 'often' })).toThrow(
      new StartError([
        'API_PORT must be a port from 0 to 65535.',
        'JWT_ISSUER is not set. It is the identity provider, as its tokens name it, such as https://identity.example.com/.',
      ]),
    )
  })

  it.each([
    ['the same secret twice', { API_KEY_PEPPER: needed.SECRET_KEY }, 'must differ'],
    ['a secret that is too short', { SECRET_KEY: 'c2hvcnQ=' }, 'SECRET_KEY must be at least 32 bytes'],
    [
      'the example of the documentation',
      { SECRET_KEY: 'q0dGmE7fM2hK5tWjz1uYpRnXv8sLcBa4e6iZoDwTg3U=' },
      'is not random',
    ],
    ['one that is not random', { SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }, 'is not random'],
    [
      'keys over plain http',
      { JWT_JWKS_URL: 'http://identity.example.com/jwks' },
      'JWT_JWKS_URL must be https',
    ],
    ['a public address without TLS', { PUBLIC_URL: 'http://pay.example.com' }, 'PUBLIC_URL must be https'],
    ['no public address', { PUBLIC_URL: undefined }, 'PUBLIC_URL must be https'],
    ['to run without a decision about screening', { SCREENER_URL: undefined }, 'SCREENER_URL is not set'],
    ['a screener without TLS', { SCREENER_URL: 'http://screener.example.com' }, 'must use https'],
    ['a seed of a wallet', { WALLET_SEED: 'test test test' }, 'is for development'],
    ['a signer without TLS', { WALLET_SIGNER_URL: 'http://signer' }, 'WALLET_SIGNER_URL must be https'],
    ['a signer of any authority', { WALLET_SIGNER_URL: 'https://signer' }, 'WALLET_SIGNER_CA is not set'],
    [
      'a signer that does not know us',
      { WALLET_SIGNER_URL: 'https://signer', WALLET_SIGNER_CA: 'x', WALLET_SIGNER_CLIENT_CERT: 'x' },
      'WALLET_SIGNER_CLIENT_KEY is not set',
    ],
  ])('production refuses %s', (_title, change, reason) => {
    expect(() => readConfig({ ...needed, ...change })).toThrow(reason)
  })

  it('reads the networks of the proxies', () => {
    const networks = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']
    expect(readConfig({ ...needed, TRUST_PROXY: networks.join(', ') }).TRUST_PROXY).toEqual(networks)
    expect(readConfig(needed).TRUST_PROXY).toEqual([])
  })

  it.each([
    'true',
    'false',
    'on',
    '1',
    '0',
    '*',
    'loopback',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10/8',
    '10.0.0.0/8/8',
  ])('refuses %j as the networks of the proxies', (value) => {
    expect(() => readConfig({ ...needed, TRUST_PROXY: value })).toThrow(
      'TRUST_PROXY must list the addresses or networks of your proxies',
    )
  })

  it('names a file that cannot be read', () => {
    expect(() => readConfig({ ...needed, SMTP_URL_FILE: '/nowhere/smtp' })).toThrow(
      'SMTP_URL_FILE names /nowhere/smtp, which cannot be read (ENOENT).',
    )
  })

  it('quotes no value, because it may be a secret in the wrong variable', () => {
    const misplaced = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'
    const everywhere = Object.fromEntries(Object.keys(needed).map((name) => [name, misplaced]))
    expect(() => readConfig(everywhere)).toThrow(StartError)
    expect(() => readConfig(everywhere)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(misplaced) }),
    )
  })

  it('gives the api and the worker different ports for metrics, unless one is set', () => {
    const config = readConfig(needed)
    expect(metricsPort(config, 'api')).not.toBe(metricsPort(config, 'worker'))
    expect(metricsPort(readConfig({ ...needed, METRICS_PORT: '7' }), 'worker')).toBe(7)
  })

  it('production runs without a screener only when the setting says so', () => {
    expect(readConfig({ ...needed, SCREENER_URL: 'none' }).SCREENER_URL).toBe('none')
    const { SCREENER_URL: _url, ...undecided } = needed
    expect(readConfig({ ...undecided, SWITCHYARD_ENV: 'dev' }).SCREENER_URL).toBe('none')
  })
})

it('dev accepts plain http', () => {
  const local = { JWT_JWKS_URL: 'http://127.0.0.1:1/jwks', PUBLIC_URL: 'http://127.0.0.1:2' }
  expect(readConfig({ ...needed, ...local, SWITCHYARD_ENV: 'dev' })).toMatchObject(local)
})

describe('readMigrationConfig', () => {
  it('requires only the owner and the two roles, also from files', async () => {
    const owner = 'postgres://owner:s3cret@127.0.0.1/switchyard'
    const { DATABASE_APP_URL, DATABASE_SYSTEM_URL } = needed
    expect(
      readMigrationConfig({
        DATABASE_APP_URL,
        DATABASE_SYSTEM_URL,
        DATABASE_OWNER_URL_FILE: await fileWith(owner),
      }),
    ).toEqual({ DATABASE_APP_URL, DATABASE_SYSTEM_URL, DATABASE_OWNER_URL: owner })
    expect(() => readMigrationConfig({ DATABASE_APP_URL })).toThrow('DATABASE_OWNER_URL')
  })
})

describe('the notes of the settings', () => {
  const all = Object.values(settingGroups).flatMap((group) => Object.entries<z.ZodType>(group))

  it.each(all)('%s has a description, and an example that it accepts', (_name, schema) => {
    const { description, example } = notesOf(schema)
    expect(description).not.toMatch(/^$|\.$|\|/)
    const hasDefault = schema.safeParse(undefined).data !== undefined
    expect(hasDefault || example !== undefined).toBe(true)
    if (example !== undefined) expect(schema.safeParse(example).success).toBe(true)
  })
})
