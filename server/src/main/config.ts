import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { settings } from './settings/groups.ts'
import { notesOf } from './settings/kinds.ts'
import { databaseSettings, metricsPorts, ownerSettings } from './settings/processes.ts'
import { StartError } from './start-error.ts'

const configSchema = z.object(settings)

export type Config = z.infer<typeof configSchema> & { SCREENER_URL: string }

const databaseSchema = z.object(databaseSettings).pick({ DATABASE_APP_URL: true, DATABASE_SYSTEM_URL: true })
const migrationSchema = databaseSchema.extend(ownerSettings)

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const config = readSettings(configSchema, env)
  if (config.SWITCHYARD_ENV === 'production') {
    const problems = [...weakSecrets(config), ...plainHttp(config), ...missingScreening(config.SCREENER_URL)]
    if (problems.length > 0) throw new StartError(problems)
  }
  return { ...config, SCREENER_URL: config.SCREENER_URL ?? 'none' }
}

export const readMigrationConfig = (env: NodeJS.ProcessEnv = process.env): z.infer<typeof migrationSchema> =>
  readSettings(migrationSchema, env)

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
  if (config.SECRET_KEY.equals(config.API_KEY_PEPPER))
    problems.push('SECRET_KEY and API_KEY_PEPPER must differ.')
  for (const name of ['SECRET_KEY', 'API_KEY_PEPPER'] as const)
    if (new Set(config[name]).size < 8)
      problems.push(`${name} is not random: make one with \`openssl rand -base64 32\`.`)
  return problems
}

/** Over plain http, anybody on the network could replace the keys that verify tokens, or read a payment page. */
const plainHttp = (config: Pick<Config, 'JWT_JWKS_URL' | 'PUBLIC_URL'>): string[] =>
  (['JWT_JWKS_URL', 'PUBLIC_URL'] as const)
    .filter((name) => !config[name].startsWith('https://'))
    .map((name) => `${name} must be https in production; http is for SWITCHYARD_ENV=dev.`)
