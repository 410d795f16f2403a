import { request } from 'undici'
import { z } from 'zod'
import { listDeployments } from '../../kernel/engine/deployments.ts'
import { countPausedJobs } from '../../kernel/engine/paused-jobs.ts'
import { engineServices } from '../services.ts'
import { addressOf, reasonOf } from '../watch-dependencies.ts'
import { failed, ok, skipped, warning, type Check, type CheckInput, type Finding } from './record.ts'

const testedEngine = '1.7'
const answerTimeoutMs = 3_000
const versionAnswer = z.object({ version: z.string() })

export const checkEngine: Check = async (examined) => {
  const { config, deps } = examined
  const address = addressOf(config.ENGINE_INGRESS_URL)
  const reason = await deps.probes['engine']?.().then(() => undefined, reasonOf)
  if (reason !== undefined)
    return [
      failed(
        'engine',
        `${address} cannot be reached (${reason})`,
        'Start Restate and check ENGINE_INGRESS_URL. Payments are still sent, but nothing is followed up.',
      ),
    ]
  if (config.ENGINE_ADMIN_URL === undefined)
    return [
      ok('engine', `${address} is healthy`),
      skipped('registration', 'ENGINE_ADMIN_URL is not set, so the engine cannot be asked about its workers'),
    ]
  const adminUrl = config.ENGINE_ADMIN_URL
  return Promise.all([
    versionFinding(adminUrl, address),
    registrationFinding(examined, adminUrl),
    pausedFinding(adminUrl, config.ENGINE_NAMESPACE),
  ])
}

async function versionFinding(adminUrl: string, address: string): Promise<Finding> {
  try {
    const response = await request(new URL('/version', adminUrl), {
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    const { version } = versionAnswer.parse(await response.body.json())
    return version.startsWith(`${testedEngine}.`)
      ? ok('engine', `${address} runs Restate ${version}`)
      : warning(
          'engine',
          `${address} runs Restate ${version}`,
          `This version is tested with ${testedEngine}.`,
        )
  } catch (error) {
    return unreachable('engine', adminUrl, error)
  }
}

async function registrationFinding({ config, deps }: CheckInput, adminUrl: string): Promise<Finding> {
  const fix = 'Start a worker of this version; it registers ENGINE_WORKER_URL with the engine.'
  try {
    const deployments = await listDeployments(adminUrl, config.ENGINE_NAMESPACE)
    const expected = engineServices(config.ENGINE_NAMESPACE, deps).length
    const most = Math.max(0, ...deployments.map(({ services }) => services))
    if (deployments.length === 0) return failed('registration', 'the engine knows no worker', fix)
    if (most < expected)
      return failed('registration', `the engine knows ${most} of ${expected} services`, fix)
    return ok('registration', `${deployments.length} deployments, ${expected} services`)
  } catch (error) {
    return unreachable('registration', adminUrl, error)
  }
}

async function pausedFinding(adminUrl: string, namespace: string): Promise<Finding> {
  try {
    const paused = await countPausedJobs({ adminUrl, namespace })
    const named = paused.map(({ service, jobs }) => `${jobs} of ${service}`).join(', ')
    return named === ''
      ? ok('paused jobs', 'none')
      : failed(
          'paused jobs',
          named,
          'Find the cause in the log of the worker, mend it, then resume them in the engine.',
        )
  } catch (error) {
    return unreachable('paused jobs', adminUrl, error)
  }
}

const unreachable = (check: string, adminUrl: string, error: unknown): Finding =>
  failed(check, `${addressOf(adminUrl)} cannot be asked (${reasonOf(error)})`, 'Check ENGINE_ADMIN_URL.')
