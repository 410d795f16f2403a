import { join } from 'node:path'
import { localEnv, serviceEnv } from '../installation/env.ts'
import type { Env } from '../programs.ts'
import { simulatedKyb } from '../seeds/simulated-kyb.ts'
import { databaseName } from '../services/database-url.ts'
import { loopback } from '../services/ports.ts'
import type { DevPorts } from './ports.ts'
import type { DevSecrets } from './secrets.ts'
import type { DevServices } from './services.ts'

export type DevEnv = {
  api: Env
  worker: Env
  simulator: Env
  /** For migrations and the seed only: the owner bypasses row-level security. */
  owner: Env
}

type DevEnvParts = { dataDir: string; ports: DevPorts; secrets: DevSecrets; services: DevServices }

export const simulatorUrl = (ports: DevPorts): string => `http://${loopback}:${ports.simulator}`

export function devEnv({ dataDir, ports, secrets, services }: DevEnvParts): DevEnv {
  const databaseUrl = (role: string, password: string) =>
    `postgres://${role}:${encodeURIComponent(password)}@${loopback}:${ports.postgres}/${databaseName}`
  const shared = {
    ...localEnv,
    API_PORT: String(ports.api),
    WORKER_PORT: String(ports.worker),
    DATABASE_APP_URL: databaseUrl('switchyard_app', secrets.appPassword),
    DATABASE_SYSTEM_URL: databaseUrl('switchyard_system', secrets.systemPassword),
    ...serviceEnv({
      engine: services.restate,
      identity: services.identity,
      mail: services.mail,
      simulatorUrl: simulatorUrl(ports),
      chain: services.chain,
    }),
    ENGINE_WORKER_URL: `http://${loopback}:${ports.worker}`,
    SECRET_KEY: secrets.secretKey,
    API_KEY_PEPPER: secrets.apiKeyPepper,
    PERSON_KEYS_DIR: join(dataDir, 'person-keys'),
    MAIL_FROM: 'Switchyard <no-reply@switchyard.localhost>',
    PUBLIC_URL: `http://${loopback}:${ports.api}`,
    ...simulatedKyb(simulatorUrl(ports)),
    // A restart after a change then compiles only what has changed.
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
