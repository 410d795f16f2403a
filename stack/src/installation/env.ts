import type { Hex } from '../chain/json-rpc.ts'
import { chainEnv } from '../chain/start-chain.ts'
import type { Env } from '../programs.ts'
import { dashboardClientId } from '../services/identity.ts'
import { loopback } from '../services/ports.ts'

/** Takes the place of a service that was not started: nothing listens here. */
export const nowhereUrl = `http://${loopback}:1`

/** The programs of an installation on one machine listen on loopback only. */
export const localEnv: Env = {
  SWITCHYARD_ENV: 'dev',
  API_HOST: loopback,
  WORKER_HOST: loopback,
  METRICS_HOST: loopback,
}

/** A complete configuration but for the database and the ports: fixed secrets, no effective rate limit, no services. */
export const baseEnv: Env = {
  ...localEnv,
  LOG_LEVEL: 'warn',
  ENGINE_INGRESS_URL: nowhereUrl,
  JWT_ISSUER: nowhereUrl,
  JWT_AUDIENCE: 'switchyard',
  JWT_JWKS_URL: `${nowhereUrl}/jwks`,
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
  SMTP_URL: `smtp://${loopback}:1`,
  MAIL_FROM: 'Switchyard <no-reply@switchyard.test>',
  RATE_FEED_URL: `${nowhereUrl}/rates`,
  RATE_LIMIT_PER_SECOND: '10000000',
  RATE_LIMIT_BURST: '10000000',
  AUTH_FAILURES_PER_SECOND: '10000000',
  AUTH_FAILURES_BURST: '10000000',
}

type RunningServices = {
  engine?: { ingressUrl: string; adminUrl: string; identityKey: string } | undefined
  identity?: { issuer: string; audience: string; jwksUrl: string } | undefined
  mail?: { smtpUrl: string } | undefined
  simulatorUrl?: string | undefined
  chain?: { rpcUrl: string; token: Hex; settings?: object } | undefined
}

/** What api and worker are told of the services that run. */
export const serviceEnv = ({ engine, identity, mail, simulatorUrl, chain }: RunningServices): Env => ({
  ...(engine && {
    ENGINE_INGRESS_URL: engine.ingressUrl,
    ENGINE_ADMIN_URL: engine.adminUrl,
    ENGINE_IDENTITY_KEYS: engine.identityKey,
  }),
  ...(identity && {
    JWT_ISSUER: identity.issuer,
    JWT_AUDIENCE: identity.audience,
    JWT_JWKS_URL: identity.jwksUrl,
    OIDC_CLIENT_ID: dashboardClientId,
  }),
  ...(mail && { SMTP_URL: mail.smtpUrl }),
  ...(simulatorUrl !== undefined && { RATE_FEED_URL: `${simulatorUrl}/rates` }),
  ...(chain && chainEnv(chain, chain.settings)),
})
