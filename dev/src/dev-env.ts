import { join } from 'node:path'
import { chainEnv } from '@switchyard/stack/chain/start-chain.ts'
import type { DevPorts } from './dev-ports.ts'
import type { DevSecrets } from './dev-secrets.ts'
import type { DevServices } from './dev-services.ts'
import { loopback } from '@switchyard/stack/services/ports.ts'

export type Env = Record<string, string>

export const databaseName = 'switchyard'

export type DevEnv = {
  api: Env
  worker: Env
  simulator: Env
  /** For migrations and seed alone: the owner's URL passes row level security. */
  owner: Env
}

type DevEnvParts = { dataDir: string; ports: DevPorts; secrets: DevSecrets; services: DevServices }

export const simulatorUrl = (ports: DevPorts): string => `http://${loopback}:${ports.simulator}`

/** The sandbox account of the simulator, made up like everything else there. */
export const simulatedKyb = (simulator: string): Env => ({
  SUMSUB_BASE_URL: `${simulator}/sumsub`,
  SUMSUB_APP_TOKEN: 'sbx:switchyard-sandbox-token',
  SUMSUB_SECRET_KEY: 'switchyard-sandbox-secret',
  SUMSUB_WEBHOOK_SECRETS: 'switchyard-sandbox-webhook',
})

export function devEnv({ dataDir, ports, secrets, services }: DevEnvParts): DevEnv {
  const databaseUrl = (role: string, password: string) =>
    `postgres://${role}:${encodeURIComponent(password)}@${loopback}:${ports.postgres}/${databaseName}`
  const shared = {
    SWITCHYARD_ENV: 'dev',
    API_HOST: loopback,
    API_PORT: String(ports.api),
    METRICS_HOST: loopback,
    WORKER_HOST: loopback,
    WORKER_PORT: String(ports.worker),
    DATABASE_APP_URL: databaseUrl('switchyard_app', secrets.appPassword),
    DATABASE_SYSTEM_URL: databaseUrl('switchyard_system', secrets.systemPassword),
    ENGINE_INGRESS_URL: services.restate.ingressUrl,
    ENGINE_ADMIN_URL: services.restate.adminUrl,
    ENGINE_IDENTITY_KEYS: services.restate.identityKey,
    ENGINE_WORKER_URL: `http://${loopback}:${ports.worker}`,
    JWT_ISSUER: services.identity.issuer,
    JWT_AUDIENCE: services.identity.audience,
    JWT_JWKS_URL: services.identity.jwksUrl,
    SECRET_KEY: secrets.secretKey,
    API_KEY_PEPPER: secrets.apiKeyPepper,
    SMTP_URL: services.mail.smtpUrl,
    MAIL_FROM: 'Switchyard <no-reply@switchyard.localhost>',
    PUBLIC_URL: `http://${loopback}:${ports.api}`,
    RATE_FEED_URL: `${simulatorUrl(ports)}/rates`,
    ...simulatedKyb(simulatorUrl(ports)),
    ...(services.chain && chainEnv(services.chain)),
    // Spares each restart after a change the compiling of what did not change.
    NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  }
  const api = { ...shared, METRICS_PORT: String(ports.metrics) }
  return {
    api,
    worker: { ...shared, METRICS_PORT: String(ports.workerMetrics) },
    simulator: {
      SIMULATOR_HOST: loopback,
      SIMULATOR_PORT: String(ports.simulator),
      SIMULATOR_STATE_DIR: join(dataDir, 'simulator'),
      NODE_COMPILE_CACHE: shared.NODE_COMPILE_CACHE,
    },
    owner: { ...api, DATABASE_OWNER_URL: databaseUrl('postgres', secrets.ownerPassword) },
  }
}
