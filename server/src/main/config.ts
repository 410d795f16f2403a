import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAddress, type Address } from 'viem'
import { z } from 'zod'
import { cardPolicies } from '../domains/organizations/record.ts'
import { chainList } from '../wallet/schema.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const secret = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length >= 32, 'must be at least 32 bytes in base64')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
const count = z.coerce.number().int().positive()
/** Neither a boolean nor a number of hops: whoever reaches the api directly could then choose their own address. */
const proxyNetworks = list.refine(
  (networks) => networks.every(isNetwork),
  'must list the addresses or networks of your proxies, such as 10.0.0.0/8,2001:db8::/32; a client whose connection comes from elsewhere cannot set its own address',
)

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isPrefix = prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
  return bits > 0 && isPrefix && rest.length === 0
}

const configSchema = z.object({
  SWITCHYARD_ENV: z.enum(['dev', 'production']).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  PUBLIC_URL: z.url().default('http://127.0.0.1:8080'),

  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: port.default(8080),
  WORKER_HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: port.default(9080),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port.default(9464),

  DATABASE_APP_URL: z.url(),
  DATABASE_SYSTEM_URL: z.url(),
  DATABASE_POOL_SIZE: count.default(20),
  /** Payment pages read through connections of their own: anybody can open them, and payments must not wait. */
  PAGE_DATABASE_POOL_SIZE: count.default(4),

  ENGINE_INGRESS_URL: z.url(),
  ENGINE_ADMIN_URL: z.url().optional(),
  ENGINE_WORKER_URL: z.url().optional(),
  ENGINE_NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9_]{0,40}$/)
    .default(''),
  ENGINE_IDENTITY_KEYS: list.default([]),

  JWT_ISSUER: z.url(),
  JWT_AUDIENCE: z.string().min(1),
  JWT_JWKS_URL: z.url(),
  JWT_ORG_CLAIM: z.string().min(1).default('org_id'),
  JWT_EMAIL_CLAIM: z.string().min(1).default('email'),
  JWT_EMAIL_VERIFIED_CLAIM: z.string().min(1).default('email_verified'),
  /** The `typ` header of access tokens (RFC 9068); other identity providers need `JWT`, see docs/operations.md. */
  JWT_TYPE: z.string().min(1).default('at+jwt'),
  JWT_MAX_AGE_SECONDS: count.default(24 * 60 * 60),
  JWT_ALGORITHMS: list.default(['ES256', 'RS256', 'PS256', 'EdDSA']),

  /** The dashboard's client at the identity provider; without it nobody can sign in. docs/dashboard.md. */
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Not set for a public client. */
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_SCOPE: z
    .string()
    .refine((scope) => scope.split(' ').includes('openid'), 'must include openid')
    .default('openid email'),

  SECRET_KEY: secret,
  API_KEY_PEPPER: secret,

  SMTP_URL: z.url(),
  MAIL_FROM: z.string().min(3),

  WEBHOOK_EGRESS_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  WEBHOOK_PORTS: list.transform((ports) => ports.map(Number)).default([443, 8443]),

  SUMSUB_APP_TOKEN: z.string().optional(),
  SUMSUB_SECRET_KEY: z.string().default(''),
  SUMSUB_WEBHOOK_SECRETS: list.default([]),
  SUMSUB_BASE_URL: z.url().default('https://api.sumsub.com'),
  SUMSUB_LEVEL: z.string().min(1).default('basic-kyb-level'),
  SUMSUB_COMPANY_INFO_IN: z.enum(['fixedInfo', 'info']).default('fixedInfo'),

  /** Returns `{ base: "USD", as_of, rates }`, with the units of each currency per dollar as decimal strings. */
  RATE_FEED_URL: z.url(),
  QUOTE_LIFETIME_SECONDS: count.default(900),

  UK_MODULUS_WEIGHTS: z.string().optional(),
  UK_MODULUS_SUBSTITUTIONS: z.string().default(''),
  /** Chains on which we have a wallet, as JSON; docs/ramps.md lists the fields. */
  CHAINS: z
    .string()
    .transform((text, context) => {
      try {
        return chainList.parse(JSON.parse(text))
      } catch {
        context.addIssue({ code: 'custom', message: 'must be a JSON list of chains, see docs/ramps.md' })
        return z.NEVER
      }
    })
    .default([]),
  WALLET_SEED: z.string().min(1).optional(),
  WALLET_SIGNER_URL: z.url().optional(),
  WALLET_ADDRESS: z
    .custom<Address>((value) => typeof value === 'string' && isAddress(value), 'must be an EVM address')
    .optional(),
  WALLET_DEPOSIT_XPUB: z.string().startsWith('xpub').optional(),

  /** The operator's screening service for wallet addresses, or `none`; docs/ramps.md describes its protocol. */
  SCREENER_URL: z.union([z.literal('none'), z.url({ protocol: /^https?$/ })]).optional(),
  SCREENER_TOKEN: z.string().min(1).optional(),

  /** hosted_only: no organisation may send card numbers to this installation; docs/pci.md. */
  CARDS: z.enum(cardPolicies).default('allowed'),

  RATE_LIMIT_PER_SECOND: count.default(100),
  RATE_LIMIT_BURST: count.default(200),
  /** For all credentials of an organisation together; five times the limit of one by default. */
  ORG_RATE_LIMIT_PER_SECOND: count.optional(),
  ORG_RATE_LIMIT_BURST: count.optional(),
  /** Failed authentication per IP address, which a whole office may share. */
  AUTH_FAILURES_PER_SECOND: count.default(1),
  AUTH_FAILURES_BURST: count.default(60),
  /** The limit of payment pages per IP address, which a whole office may share. */
  PAGE_RATE_LIMIT_PER_SECOND: count.default(10),
  PAGE_RATE_LIMIT_BURST: count.default(100),
  BODY_LIMIT_BYTES: count.default(256 * 1024),
  /** The proxies whose `X-Forwarded-For` is believed. Without any, the address of the connection counts. */
  TRUST_PROXY: proxyNetworks.default([]),
})

export type Config = z.infer<typeof configSchema> & { SCREENER_URL: string }

/** Only migrations connect as the owner of the database. */
const migrationSchema = configSchema
  .pick({ DATABASE_APP_URL: true, DATABASE_SYSTEM_URL: true })
  .extend({ DATABASE_OWNER_URL: z.url() })

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const config = readSettings(configSchema, env)
  const screenerUrl = config.SCREENER_URL ?? 'none'
  if (config.SWITCHYARD_ENV === 'production') {
    refuseWeakSecrets(config)
    refusePlainHttp(config)
    refuseWithoutScreening(config.SCREENER_URL)
  }
  return { ...config, SCREENER_URL: screenerUrl }
}

export const readMigrationConfig = (env: NodeJS.ProcessEnv = process.env): z.infer<typeof migrationSchema> =>
  readSettings(migrationSchema, env)

/** Reads the environment. `NAME_FILE` is the path of a file with the value, for secrets that are mounted as files. */
function readSettings<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: NodeJS.ProcessEnv,
): z.infer<z.ZodObject<Shape>> {
  const values: Record<string, string | undefined> = {}
  for (const name of Object.keys(schema.shape)) {
    const file = env[`${name}_FILE`]
    const value = file === undefined ? env[name] : readFileSync(file, 'utf8').trim()
    if (value !== undefined && value !== '') values[name] = value
  }
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`the configuration is not usable:\n  ${problems.join('\n  ')}`)
}

function refuseWithoutScreening(screenerUrl: string | undefined): void {
  if (screenerUrl === undefined)
    throw new Error(
      'SCREENER_URL is not set: set it to the address of your screening service, or to `none` to send crypto to addresses that nobody has screened',
    )
  if (screenerUrl !== 'none' && !screenerUrl.startsWith('https:'))
    throw new Error('SCREENER_URL must use https, because its answers decide where crypto is sent')
}

function refuseWeakSecrets(config: z.infer<typeof configSchema>): void {
  if (config.WALLET_SEED !== undefined)
    throw new Error('WALLET_SEED is for development: use WALLET_SIGNER_URL, in front of a KMS or an HSM')
  if (config.SECRET_KEY.equals(config.API_KEY_PEPPER))
    throw new Error('SECRET_KEY and API_KEY_PEPPER must differ')
  for (const name of ['SECRET_KEY', 'API_KEY_PEPPER'] as const)
    if (new Set(config[name]).size < 8)
      throw new Error(`${name} is not random: make one with \`openssl rand -base64 32\``)
}

/** Over plain http, anybody on the network could replace the keys that verify tokens, or read a payment page. */
function refusePlainHttp(config: Pick<Config, 'JWT_JWKS_URL' | 'PUBLIC_URL'>): void {
  for (const name of ['JWT_JWKS_URL', 'PUBLIC_URL'] as const)
    if (!config[name].startsWith('https://'))
      throw new Error(`${name} must be https in production; http is for SWITCHYARD_ENV=dev`)
}
