import { Gauge, type Registry } from 'prom-client'
import { request } from 'undici'
import { z } from 'zod'
import type { Log } from '../../lib/log.ts'

interface PausedJobsOptions {
  adminUrl: string
  namespace: string
  registry: Registry
  log: Log
  checkEveryMs?: number
}

const defaultCheckEveryMs = 60_000
const answerTimeoutMs = 10_000

const answerSchema = z.object({ rows: z.array(z.object({ service: z.string(), jobs: z.number() })) })

/** Reports the jobs that used up their attempts, which the engine pauses until a person resumes or cancels them. */
export function watchPausedJobs(options: PausedJobsOptions): { stop(): void } {
  const gauge = new Gauge({
    name: 'switchyard_engine_paused_jobs',
    help: 'Jobs that used up their attempts and are paused until a person resumes or cancels them',
    labelNames: ['service'],
    registers: [options.registry],
  })
  const check = async (): Promise<void> => {
    const paused = await countPausedJobs(options)
    gauge.reset()
    for (const { service, jobs } of paused) {
      gauge.set({ service }, jobs)
      options.log.error({ service, count: jobs }, 'jobs are paused in the engine and need manual review')
    }
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) =>
      options.log.warn({ err: error, dependency: 'engine' }, 'paused jobs could not be counted'),
    )
  }, options.checkEveryMs ?? defaultCheckEveryMs)
  return { stop: () => clearInterval(timer) }
}

export async function countPausedJobs({
  adminUrl,
  namespace,
}: Pick<PausedJobsOptions, 'adminUrl' | 'namespace'>): Promise<{ service: string; jobs: number }[]> {
  const query = `select target_service_name as service, count(*) as jobs from sys_invocation
    where status = 'paused' and starts_with(target_service_name, '${namespace}') group by target_service_name`
  const response = await request(new URL('/query', adminUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  const body = await response.body.text()
  if (response.statusCode >= 300) throw new Error(`the engine answered ${response.statusCode}`)
  return answerSchema.parse(JSON.parse(body)).rows
}
