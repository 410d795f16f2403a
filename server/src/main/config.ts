import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { toSecret, type Secret } from '../lib/crypto/secrets.ts'
import { settings } from './settings/groups.ts'
import { notesOf } from './settings/kinds.ts'
import { archiveSettings, databaseSettings, metricsPorts, ownerSettings } from './settings/processes.ts'
import { StartError } from './start-error.ts'

const configSchema = z.object(settings)

export type Config = z.infer<typeof configSchema> & {
  SCREENER_URL: string
  /** The files of secrets that are read again while the process runs. */
  KEY_FILES: Partial<Record<'SECRET_KEY' | 'API_KEY_PEPPER', string>>
}

const databaseSchema = z.object(databaseSettings).pick({ DATABASE_APP_URL: true, DATABASE_SYSTEM_URL: true })
const migrationSchema = databaseSchema.extend(ownerSettings)
const archiveSchema = migrationSchema.extend(archiveSettings)

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const config = readSettings(configSchema, env)
  const keyFiles = readKeyFiles(config.KEY_SERVICE, env)
  const kmsProblems = incompleteKms(config)
  if (kmsProblems.length > 0) throw new StartError(kmsProblems)
  if (config.SWITCHYARD_ENV === 'production') {
    const problems = [...weakSecrets(config), ...plainHttp(config), ...missingScreening(config.SCREENER_URL)]
    if (problems.length > 0) throw new StartError(problems)
  }
  return { ...config, SCREENER_URL: config.SCREENER_URL ?? 'none', KEY_FILES: keyFiles }
}

function readKeyFiles(service: Config['KEY_SERVICE'], env: NodeJS.ProcessEnv): Config['KEY_FILES'] {
  if (service === 'environment') return {}
  const { SECRET_KEY_FILE: secretKey = '', API_KEY_PEPPER_FILE: pepper = '' } = env
  if (service === 'file' && (secretKey === '' || pepper === ''))
    throw new StartError(['KEY_SERVICE is file, so SECRET_KEY_FILE and API_KEY_PEPPER_FILE must name files.'])
  return {
    ...(secretKey !== '' && { SECRET_KEY: secretKey }),
    ...(pepper !== '' && { API_KEY_PEPPER: pepper }),
  }
}

/** A KMS can be set without being used for wrapping, so that what it has wrapped can be opened. */
function incompleteKms(config: z.infer<typeof configSchema>): string[] {
  const isNeeded = config.KEY_SERVICE === 'kms' || config.KMS_KEY_ID !== undefined
  if (!isNeeded) return []
  const missing = (['KMS_KEY_ID', 'AWS_REGION'] as const)
    .filter((name) => config[name] === undefined)
    .map((name) => `${name} is not set. It is ${notesOf(settings[name]).description}.`)
  return [...missing, ...incompleteAccessKey(config)]
}

/** Without an access key the credentials are those of a role, and half an access key must not lead there. */
function incompleteAccessKey(config: z.infer<typeof configSchema>): string[] {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = config
  const isAbsent = id === undefined && secret === undefined && token === undefined
  if (isAbsent || (id !== undefined && secret !== undefined)) return []
  return [
    'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together. Set none of them to use the role of the pod, the container or the machine.',
  ]
}

export const readMigrationConfig = (env: NodeJS.ProcessEnv = process.env): z.infer<typeof migrationSchema> =>
  readSettings(migrationSchema, env)

export const readArchiveConfig = (env: NodeJS.ProcessEnv = process.env): z.infer<typeof archiveSchema> =>
  readSettings(archiveSchema, env)

/** For commands that only read the database and need no secret. */
export const readDatabaseConfig = (env: NodeJS.ProcessEnv = process.env): z.infer<typeof databaseSchema> =>
  readSettings(databaseSchema, env)

export const metricsPort = (config: Config, name: keyof typeof metricsPorts): number =>
  config.METRICS_PORT ?? metricsPorts[name]

/** Reads the environment. `NAME_FILE` is the path of a file with the value, for secrets that are mounted as files. */
function readSettings<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: NodeJS.ProcessEnv,
): z.infer<z.ZodObject<Shape>> {
  const problems: string[] = []
  const values: Record<string, string | undefined> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = readValue(name, env, problems)
    if (value !== undefined && value !== '') values[name] = value
  }
  if (problems.length > 0) throw new StartError(problems)
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  throw new StartError(
    parsed.error.issues.map(({ path: [name], message }) => sentence(schema, values, String(name), message)),
  )
}

function readValue(name: string, env: NodeJS.ProcessEnv, problems: string[]): string | undefined {
  const file = env[`${name}_FILE`]
  if (file === undefined || file === '') return env[name]
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    problems.push(`${name}_FILE names ${file}, which cannot be read (${reason}).`)
    return undefined
  }
}

/** No value is quoted, because it may be a secret in the wrong variable. */
function sentence(
  schema: z.ZodObject,
  values: Record<string, string | undefined>,
  name: string,
  message: string,
): string {
  const field = schema.shape[name]
  if (values[name] !== undefined || !(field instanceof z.ZodType)) return `${name} ${message}.`
  const { description, example } = notesOf(field)
  return `${name} is not set. It is ${description}${example === undefined ? '' : `, such as ${example}`}.`
}

function missingScreening(screenerUrl: string | undefined): string[] {
  if (screenerUrl === undefined)
    return [
      'SCREENER_URL is not set: set it to the address of your screening service, or to `none` to send crypto to addresses that nobody has screened.',
    ]
  return screenerUrl === 'none' || screenerUrl.startsWith('https:')
    ? []
    : ['SCREENER_URL must use https, because its answers decide where crypto is sent.']
}

function weakSecrets(config: z.infer<typeof configSchema>): string[] {
  const problems: string[] = []
  if (config.WALLET_SEED !== undefined)
    problems.push('WALLET_SEED is for development: use WALLET_SIGNER_URL, in front of a KMS or an HSM.')
  problems.push(...openSigner(config))
  const peppers = new Set(config.API_KEY_PEPPER.map(({ id }) => id))
  if (config.SECRET_KEY.some(({ id }) => peppers.has(id)))
    problems.push('SECRET_KEY and API_KEY_PEPPER must differ.')
  for (const name of ['SECRET_KEY', 'API_KEY_PEPPER'] as const)
    if (config[name].some((secret) => isWeak(secret, notesOf(settings[name]).example)))
      problems.push(
        `${name} is not random, or is the example of the documentation: make one with \`openssl rand -base64 32\`.`,
      )
  return problems
}

/** A remote signer authenticates us and we authenticate it: otherwise anybody who reaches it could empty the wallet. */
function openSigner(config: z.infer<typeof configSchema>): string[] {
  const { WALLET_SIGNER_URL: url } = config
  if (url === undefined) return []
  const parts = ['WALLET_SIGNER_CA', 'WALLET_SIGNER_CLIENT_CERT', 'WALLET_SIGNER_CLIENT_KEY'] as const
  return [
    ...(url.startsWith('https://') ? [] : ['WALLET_SIGNER_URL must be https in production.']),
    ...parts
      .filter((name) => config[name] === undefined)
      .map((name) => `${name} is not set: the signer and we must know each other by certificates.`),
  ]
}

const isWeak = ({ id, bytes }: Secret, example = ''): boolean =>
  new Set(bytes).size < 8 || toSecret(Buffer.from(example, 'base64')).id === id

/** Over plain http, anybody on the network could replace the keys that verify tokens, or read a payment page. */
const plainHttp = (config: Pick<Config, 'JWT_JWKS_URL' | 'PUBLIC_URL' | 'KMS_ENDPOINT'>): string[] =>
  (['JWT_JWKS_URL', 'PUBLIC_URL', 'KMS_ENDPOINT'] as const)
    .filter((name) => config[name]?.startsWith('https://') === false)
    .map((name) => `${name} must be https in production; http is for SWITCHYARD_ENV=dev.`)
