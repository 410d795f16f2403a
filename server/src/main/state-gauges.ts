import { Gauge, type Registry } from 'prom-client'
import { countOpenAcrossOrgs } from '../domains/people/exceptions/reads.ts'
import { countUnknown } from '../domains/payments/attempts/reads.ts'
import { countAwaiting } from '../domains/payments/reviews/reads.ts'
import { countInForce } from '../domains/compliance/suspensions/reads.ts'
import { getRateAge } from '../domains/pricing/rates/reads.ts'
import type { Deps } from './deps.ts'

type ReadValue<Value> = () => Promise<Value | undefined>
interface Sample {
  labels: Record<string, string>
  value: number
}

const freshMs = 10_000

/**
 * What waits in Postgres, read when it is scraped. All workers report the same values, so take the maximum of them
 * and do not sum them.
 */
export function createStateGauges(registry: Registry, deps: Pick<Deps, 'db' | 'clock'>): void {
  const unknown = cached(() => countUnknown(deps))
  const exceptions = cached(() => countOpenAcrossOrgs(deps))
  const reviews = cached(() => countAwaiting(deps))
  const rateAge = cached(() => getRateAge(deps))
  const byProvider = (value: (row: { count: number; oldestAgeSeconds: number }) => number) => async () =>
    (await unknown())?.map((row) => ({ labels: { provider: row.provider }, value: value(row) }))
  const byKind = (value: (row: { count: number; oldestAgeSeconds: number }) => number) => async () =>
    (await exceptions())?.map((row) => ({ labels: { kind: row.kind }, value: value(row) }))
  const add = (name: string, help: string, labelNames: string[], read: ReadValue<Sample[]>): void =>
    addGauge(registry, { name, help, labelNames }, read)

  add(
    'switchyard_attempts_unknown',
    'Attempts whose outcome nobody knows',
    ['provider'],
    byProvider(({ count }) => count),
  )
  add(
    'switchyard_attempts_unknown_oldest_age_seconds',
    'Age of the oldest attempt whose outcome nobody knows',
    ['provider'],
    byProvider(({ oldestAgeSeconds }) => oldestAgeSeconds),
  )
  add(
    'switchyard_exceptions_open',
    'Findings that wait for a person',
    ['kind'],
    byKind(({ count }) => count),
  )
  add(
    'switchyard_exceptions_oldest_age_seconds',
    'Age of the oldest finding that waits for a person',
    ['kind'],
    byKind(({ oldestAgeSeconds }) => oldestAgeSeconds),
  )
  const suspensions = cached(() => countInForce(deps))
  add('switchyard_suspensions_in_force', 'What the operator has suspended', ['kind'], async () =>
    (await suspensions())?.map(({ kind, count }) => ({ labels: { kind }, value: count })),
  )
  add('switchyard_reviews_waiting', 'Payments that wait for an approval', [], single(reviews))
  add('switchyard_rate_feed_age_seconds', 'Age of the newest exchange rate', [], single(rateAge))
}

const single = (read: ReadValue<number | undefined>) => async (): Promise<Sample[] | undefined> => {
  const value = await read()
  return value === undefined ? undefined : [{ labels: {}, value }]
}

/** A gauge that could not be read has no samples, so that an alert can fire on its absence. */
function addGauge(
  registry: Registry,
  options: { name: string; help: string; labelNames: string[] },
  read: ReadValue<Sample[]>,
): void {
  registry.registerMetric(
    new Gauge({
      ...options,
      registers: [],
      async collect() {
        const samples = await read()
        this.reset()
        if (samples === undefined) this.remove({})
        for (const { labels, value } of samples ?? []) this.set(labels, value)
      },
    }),
  )
}

/** One query for the gauges of a scrape and for scrapes in quick succession. Undefined after an error. */
function cached<Value>(ask: () => Promise<Value>): ReadValue<Value> {
  let last: { at: number; value: Promise<Value | undefined> } | undefined
  return () => {
    if (!last || performance.now() - last.at > freshMs)
      last = { at: performance.now(), value: ask().catch(() => undefined) }
    return last.value
  }
}
