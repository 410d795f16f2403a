import { join } from 'node:path'
import type { CrashPoint } from './crash-points/points.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startProgram, type Env, type Program } from '@switchyard/stack/programs.ts'
import { credentialHeaders, testEnv, type Json } from '../app/test-app.ts'
import type { TestPayments } from '../worlds/test-payments.ts'

const crashPointsDir = join(import.meta.dirname, 'crash-points')

/** Limits of seconds instead of an installation's minutes. */
const patience = { SEND_DEADLINE_MS: '1500', NOT_FOUND_FINAL_AFTER_MS: '500' }

/** The configuration of a process that works on the same database, engine and providers as the test's app. */
export async function paymentEnv(t: TestPayments): Promise<Env> {
  const { pathname } = new URL(t.config.DATABASE_APP_URL)
  return {
    ...testEnv(pathname.slice(1), t.identity),
    ...patience,
    LOG_LEVEL: 'warn',
    PUBLIC_URL: t.config.PUBLIC_URL,
    RATE_FEED_URL: t.config.RATE_FEED_URL,
    DATABASE_POOL_SIZE: '4',
    API_PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
  }
}

/** A worker with its relay, in a process of its own. */
export async function startPaymentWorker(t: TestPayments, changes: Env = {}): Promise<Program> {
  const port = await freePort()
  const env: Env = { ...(await paymentEnv(t)), ...changes }
  const program = await startProgram(join(crashPointsDir, 'hurried-worker.ts'), {
    ...env,
    WORKER_PORT: String(port),
    ENGINE_WORKER_URL: `http://127.0.0.1:${port}`,
  })
  await program.untilReady(`http://127.0.0.1:${env['METRICS_PORT']}/readyz`)
  return program
}

interface CrashingApi {
  program: Program
  /** True when the api answered, false when the connection broke. */
  initiate: (credential: string, body: Json, key?: string) => Promise<boolean>
}

/** An api that is killed or stopped when its first payment reaches the point. */
export async function startCrashingApi(
  t: TestPayments,
  point: CrashPoint,
  signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL',
): Promise<CrashingApi> {
  const env = await paymentEnv(t)
  const program = await startProgram(join(crashPointsDir, 'crashing-api.ts'), {
    ...env,
    CRASH_POINT: point,
    CRASH_SIGNAL: signal,
  })
  const url = `http://127.0.0.1:${env['API_PORT']}`
  await program.untilReady(`${url}/readyz`)
  return {
    program,
    initiate: async (credential, body, key) => {
      try {
        await fetch(`${url}/v1/payments-init/initiate`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...credentialHeaders(credential),
            ...(key !== undefined && { 'idempotency-key': key }),
          },
          body: JSON.stringify(body),
        })
        return true
      } catch {
        return false
      }
    },
  }
}
