import { count, httpUrl, list, oneOf, port, postgresUrl, proxyNetworks, setting, text, url } from './kinds.ts'
import { z } from 'zod'
import { requiredClaims } from '../../lib/crypto/required-claims.ts'

const api = { usedBy: ['api'] } as const
const worker = { usedBy: ['worker'] } as const
const both = { usedBy: ['api', 'worker'] } as const

const ratioMessage = 'must be a number from 0 to 1'

/** Where each process listens by default, apart so that both run on one machine. */
export const metricsPorts = { api: 9464, worker: 9465 } as const

export const processSettings = {
  SWITCHYARD_ENV: setting(
    oneOf(['dev', 'production']).default('production'),
    '`production` refuses weak secrets and plain http; `dev` is for a machine of your own',
  ),
  LOG_LEVEL: setting(
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'the least severity that is logged',
  ),
  PUBLIC_URL: setting(
    url.default('http://127.0.0.1:8080'),
    'the address at which customers and providers reach the api; https in production',
    { example: 'https://pay.example.com' },
  ),
  SECURITY_CONTACT: setting(
    z
      .url({ protocol: /^(?:mailto|https)$/, error: 'must be a URL that starts with mailto: or https://' })
      .optional(),
    'where a vulnerability is reported to; the api shows it in `/.well-known/security.txt`',
    { ...api, example: 'mailto:security@example.com' },
  ),
  API_HOST: setting(z.string().default('127.0.0.1'), 'the address on which the api listens', {
    ...api,
    example: '0.0.0.0',
  }),
  API_PORT: setting(port.default(8080), 'the port on which the api listens', api),
  WORKER_HOST: setting(
    z.string().default('127.0.0.1'),
    'the address on which the worker listens for the engine',
    {
      ...worker,
      example: '0.0.0.0',
    },
  ),
  WORKER_PORT: setting(port.default(9080), 'the port on which the worker listens for the engine', worker),
  METRICS_HOST: setting(
    z.string().default('127.0.0.1'),
    'the address on which a process serves `/metrics` and `/readyz`; keep it private',
    { ...both, example: '0.0.0.0' },
  ),
  METRICS_PORT: setting(
    port.optional(),
    `the port on which a process serves \`/metrics\` and \`/readyz\`; without it ${metricsPorts.api} for the api and ${metricsPorts.worker} for the worker`,
    { ...both, example: '9464' },
  ),
  MAX_CLOCK_SKEW_SECONDS: setting(
    count.default(2),
    'a process whose clock differs by more from the database’s, while the clock of another one does not, is not ready',
    both,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    httpUrl.optional(),
    'the collector of traces (OTLP over HTTP); without it nothing is traced. `OTEL_EXPORTER_OTLP_HEADERS` is passed on',
    { ...both, example: 'http://collector.internal:4318' },
  ),
  TRACE_SAMPLE_RATIO: setting(
    z.coerce.number(ratioMessage).min(0, ratioMessage).max(1, ratioMessage).default(1),
    'the share of requests and jobs that are traced, from 0 to 1',
    { ...both, example: '0.1' },
  ),
  TRUST_PROXY: setting(
    proxyNetworks.default([]),
    'the proxies whose `X-Forwarded-For` is believed; without any, the address of the connection counts',
    { ...api, example: '10.0.0.0/8,2001:db8::/32' },
  ),
}

export const databaseSettings = {
  DATABASE_APP_URL: setting(
    postgresUrl,
    'the database as the role `switchyard_app`, which sees one organisation at a time',
    { example: 'postgres://switchyard_app:PASSWORD@db.internal:5432/switchyard', isSecret: true },
  ),
  DATABASE_SYSTEM_URL: setting(
    postgresUrl,
    'the database as the role `switchyard_system`, for work that spans organisations',
    { example: 'postgres://switchyard_system:PASSWORD@db.internal:5432/switchyard', isSecret: true },
  ),
  DATABASE_POOL_SIZE: setting(count.default(20), 'connections for each process and role', both),
  PAGE_DATABASE_POOL_SIZE: setting(
    count.default(4),
    'connections of payment pages: anybody can open one, and payments must not wait for them',
    api,
  ),
}

/** Only commands connect as the owner of the database. */
export const ownerSettings = {
  DATABASE_OWNER_URL: setting(
    postgresUrl,
    'the database as its owner; only `migrate` and `archive` need it, and `doctor` to read what other roles may not',
    {
      example: 'postgres://owner:PASSWORD@db.internal:5432/switchyard',
      usedBy: ['commands'],
      isSecret: true,
    },
  ),
}

const retentionMonthsMessage = 'must be a whole number of months, at least 3'
const retentionMonths = z.coerce
  .number(retentionMonthsMessage)
  .int(retentionMonthsMessage)
  .min(3, retentionMonthsMessage)
  .optional()
const retentionSetting = (what: string, example: string) =>
  setting(
    retentionMonths,
    `for how many months ${what} stay in the database; \`npm run archive\` moves older months to files, and without this setting none`,
    { usedBy: ['commands'], example },
  )

/** Read by `archive` alone. */
export const archiveSettings = {
  ARCHIVE_DIRECTORY: setting(
    text.optional(),
    'the directory for archives of old months; back it up like the database',
    { usedBy: ['commands'], example: '/var/lib/switchyard/archive' },
  ),
  RETENTION_EVENTS_MONTHS: retentionSetting('events', '24'),
  RETENTION_AUDIT_LOG_MONTHS: retentionSetting('entries of the audit log', '84'),
  RETENTION_INQUIRIES_MONTHS: retentionSetting('inquiries at providers', '24'),
  RETENTION_RATE_QUOTES_MONTHS: retentionSetting('quoted rates', '24'),
}

export const engineSettings = {
  ENGINE_INGRESS_URL: setting(httpUrl, 'the ingress of Restate, where jobs are handed over', {
    example: 'http://restate.internal:8080',
  }),
  ENGINE_ADMIN_URL: setting(
    httpUrl.optional(),
    'the admin address of Restate, where the worker registers itself; without it, register the worker as part of its deployment',
    { example: 'http://restate.internal:9070' },
  ),
  ENGINE_WORKER_URL: setting(
    httpUrl.optional(),
    'the address of this version of the worker, as the engine reaches it',
    { ...worker, example: 'http://worker-1-4-0.internal:9080' },
  ),
  ENGINE_NAMESPACE: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9_]{0,40}$/, 'must be at most 40 letters, digits and underscores')
      .default(''),
    'a prefix of service names, for installations that share an engine',
    { example: 'staging_' },
  ),
  ENGINE_IDENTITY_KEYS: setting(
    list.default([]),
    'the public keys with which the engine signs its calls; production needs one',
    { ...worker, example: 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f' },
  ),
}

export const mailSettings = {
  SMTP_URL: setting(url, 'the mail server', {
    ...worker,
    example: 'smtps://user:PASSWORD@mail.example.com:465',
    isSecret: true,
  }),
  MAIL_FROM: setting(z.string().min(3, 'must be a mail address'), 'the sender of notices', {
    ...worker,
    example: 'Example Pay <no-reply@example.com>',
  }),
}

export const limitSettings = {
  RATE_LIMIT_PER_SECOND: setting(count.default(100), 'requests for each credential', api),
  RATE_LIMIT_BURST: setting(count.default(200), 'requests that a credential may send at once', api),
  ORG_RATE_LIMIT_PER_SECOND: setting(
    count.optional(),
    'requests for all credentials of an organisation together; five times the limit of one without it',
    { ...api, example: '500' },
  ),
  ORG_RATE_LIMIT_BURST: setting(count.optional(), 'requests that an organisation may send at once', {
    ...api,
    example: '1000',
  }),
  AUTH_FAILURES_PER_SECOND: setting(
    count.default(1),
    'failed authentications for each IP address, which a whole office may share; a valid credential passes all the same',
    api,
  ),
  AUTH_FAILURES_BURST: setting(
    count.default(60),
    'failed authentications that an address may cause at once',
    api,
  ),
  PAGE_RATE_LIMIT_PER_SECOND: setting(count.default(10), 'payment pages for each IP address', api),
  PAGE_RATE_LIMIT_BURST: setting(count.default(100), 'payment pages that an address may open at once', api),
  BODY_LIMIT_BYTES: setting(count.default(256 * 1024), 'the largest body of a request', api),
}

export const identitySettings = {
  JWT_ISSUER: setting(url, 'the identity provider, as its tokens name it', {
    ...api,
    example: 'https://identity.example.com/',
  }),
  JWT_AUDIENCE: setting(text, 'the audience of access tokens for this api', {
    ...api,
    example: 'switchyard',
  }),
  JWT_JWKS_URL: setting(url, 'the keys that verify tokens; https in production', {
    ...api,
    example: 'https://identity.example.com/.well-known/jwks.json',
  }),
  JWT_ORG_CLAIM: setting(text.default('org_id'), 'the claim that names the organisation', api),
  JWT_EMAIL_CLAIM: setting(text.default('email'), 'the claim with the mail address', api),
  JWT_EMAIL_VERIFIED_CLAIM: setting(
    text.default('email_verified'),
    'the claim that says whether the address is verified',
    api,
  ),
  JWT_TYPE: setting(
    text.default('at+jwt'),
    'the `typ` header of access tokens (RFC 9068); other identity providers need `JWT`',
    api,
  ),
  JWT_MAX_AGE_SECONDS: setting(count.default(24 * 60 * 60), 'the greatest age and lifetime of a token', api),
  JWT_ALGORITHMS: setting(
    list.default(['ES256', 'RS256', 'PS256', 'EdDSA']),
    'the algorithms with which tokens may be signed',
    api,
  ),
  REQUIRED_CLAIMS: setting(
    z
      .string()
      .transform((value, context) => {
        try {
          return requiredClaims.parse(JSON.parse(value))
        } catch {
          context.addIssue({
            code: 'custom',
            message: 'must be a JSON object of roles, see docs/operations.md',
          })
          return z.NEVER
        }
      })
      .default({}),
    'the claims that members of a role must have signed in with, as JSON; one of the values of each is enough',
    { ...api, example: '{"org-admin":{"amr":["mfa","hwk"]}}' },
  ),
  OIDC_CLIENT_ID: setting(
    text.optional(),
    "the dashboard's client at the identity provider; without it nobody can sign in",
    { ...api, example: 'switchyard-dashboard' },
  ),
  OIDC_CLIENT_SECRET: setting(text.optional(), 'the secret of that client; not set for a public client', {
    ...api,
    example: 'SECRET',
    isSecret: true,
  }),
  OIDC_SCOPE: setting(
    z
      .string()
      .refine((scope) => scope.split(' ').includes('openid'), 'must include openid')
      .default('openid email'),
    'the scopes that a sign-in asks for',
    api,
  ),
}
