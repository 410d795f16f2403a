import { request } from 'undici'
import { z } from 'zod'
import type { Log } from '../../lib/log.ts'

export interface RegistrationOptions {
  adminUrl: string
  workerUrl: string
  /** One of the worker's services, to detect an engine that has lost its data. */
  serviceName: string
  /** Overwrites the deployment at the same address. For development, where code changes in place. */
  replace: boolean
  log: Log
  /** How long to wait for an engine that is still starting. */
  patienceMs?: number
  checkEveryMs?: number
}

export interface Registration {
  stop(): void
}

const defaultPatienceMs = 5 * 60_000
const firstRetryMs = 250
const longestRetryMs = 5_000
const answerTimeoutMs = 10_000
const defaultCheckEveryMs = 5_000

const registered = z.object({ id: z.string() })

/** The engine rejected the registration, so a retry would not help. */
class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused'
}

/** Registers the worker's address, waiting for an engine that is still starting. Returns the id of the deployment. */
export async function registerWorker(options: RegistrationOptions): Promise<string> {
  const deadline = performance.now() + (options.patienceMs ?? defaultPatienceMs)
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
    try {
      return await register(options)
    } catch (error) {
      if (error instanceof RegistrationRefused || performance.now() + retryMs > deadline) throw error
      options.log.warn({ err: error, dependency: 'engine' }, 'the worker is not registered yet')
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

/**
 * Checks periodically whether the engine still knows the worker and registers again if not, so that an engine that
 * lost its data recovers without a restart of the workers.
 */
export function maintainRegistration(options: RegistrationOptions): Registration {
  let isBusy = false
  const check = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      if (await isUnknown(options)) {
        await register(options)
        options.log.warn({ dependency: 'engine' }, 'the engine had lost the worker, which registered again')
      }
    } catch (error) {
      options.log.warn({ err: error, dependency: 'engine' }, 'the worker could not check its registration')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => {
    check().catch(() => undefined)
  }, options.checkEveryMs ?? defaultCheckEveryMs)
  return { stop: () => clearInterval(timer) }
}

/** A changed worker is a new deployment at a new address; running jobs remain on the old one. */
async function register({ adminUrl, workerUrl, replace }: RegistrationOptions): Promise<string> {
  const response = await request(new URL('/deployments', adminUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: workerUrl, force: replace }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  const body = await response.body.text()
  if (response.statusCode < 300) return registered.parse(JSON.parse(body)).id
  const message = `the engine did not register the worker: ${response.statusCode} ${body}`
  // The engine answers 5xx when it cannot reach the worker yet.
  throw response.statusCode < 500 ? new RegistrationRefused(message) : new Error(message)
}

async function isUnknown({ adminUrl, serviceName }: RegistrationOptions): Promise<boolean> {
  const response = await request(new URL(`/services/${encodeURIComponent(serviceName)}`, adminUrl), {
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  await response.body.dump()
  if (response.statusCode !== 404 && response.statusCode >= 300)
    throw new Error(`the engine answered ${response.statusCode}`)
  return response.statusCode === 404
}
