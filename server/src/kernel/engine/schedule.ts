import type { Database } from '../db/database.ts'
import { derivedId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { enqueueOnce } from './outbox.ts'

export interface RecurringJob {
  service: string
  handler: string
  everyMs: number
}

interface Schedule {
  stop(): void
}

const tickMs = 1_000
const installationOrgId = '00000000-0000-0000-0000-000000000000'

/**
 * Every worker enqueues each job once per interval under an id that is derived from its name and the interval, so
 * that it runs once however many workers there are.
 */
export function startSchedule(options: { db: Database; log: Log; jobs: readonly RecurringJob[] }): Schedule {
  const enqueued = new Map<RecurringJob, number>()
  const tick = async (): Promise<void> => {
    for (const job of options.jobs) {
      const interval = Math.floor(Date.now() / job.everyMs)
      if (enqueued.get(job) === interval) continue
      await options.db.acrossOrgs((tx) =>
        enqueueOnce(tx, installationOrgId, {
          ...job,
          outboxId: intervalId(`${job.service}.${job.handler}`, interval),
          payload: {},
        }),
      )
      enqueued.set(job, interval)
    }
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) =>
      options.log.warn({ err: error, process: 'schedule' }, 'a recurring job could not be enqueued'),
    )
  }, tickMs)
  return { stop: () => clearInterval(timer) }
}

const intervalId = (name: string, interval: number): string => derivedId(`${name} ${interval}`)
