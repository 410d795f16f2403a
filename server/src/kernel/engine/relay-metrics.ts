import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { measureBacklogAcrossOrgs } from './outbox.ts'

export type HandOver = 'accepted' | 'refused' | 'unreachable'

export interface RelayMetrics {
  count(handOver: HandOver, service: string): void
}

/** The gauges read Postgres when they are scraped, so all workers report the same value: do not sum them. */
export function createRelayMetrics(registry: Registry, db: Pick<Database, 'readAcrossOrgs'>): RelayMetrics {
  const registers = [registry]
  const handedOver = new Counter({
    name: 'switchyard_outbox_handed_over_total',
    help: 'Jobs that the engine accepted from this relay',
    labelNames: ['service'],
    registers,
  })
  const refused = new Counter({
    name: 'switchyard_outbox_refused_total',
    help: 'Hand-overs that the engine refused, or that did not reach it; the job remains in the outbox',
    labelNames: ['service', 'reason'],
    registers,
  })
  const backlog = sharedWhilePending(() => measureBacklogAcrossOrgs(db.readAcrossOrgs))
  registry.registerMetric(
    new Gauge({
      name: 'switchyard_outbox_pending',
      help: 'Due jobs that the engine does not have yet and due deliveries, counted up to 100000',
      registers: [],
      async collect() {
        this.set((await backlog())?.pending ?? Number.NaN)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'switchyard_outbox_oldest_age_seconds',
      help: 'Age of the oldest due job that is not handed over, without deliveries, which may wait for their endpoint',
      registers: [],
      async collect() {
        this.set((await backlog())?.oldestAgeSeconds ?? Number.NaN)
      },
    }),
  )
  return {
    count(handOver, service) {
      if (handOver === 'accepted') handedOver.inc({ service })
      else refused.inc({ service, reason: handOver })
    },
  }
}

/** One query for both gauges of a scrape. Undefined after an error, so that the other metrics are still reported. */
function sharedWhilePending<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let pending: Promise<T | undefined> | undefined
  return () =>
    (pending ??= ask()
      .catch(() => undefined)
      .finally(() => (pending = undefined)))
}
