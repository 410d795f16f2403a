import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { watchPausedJobs } from '../kernel/engine/paused-jobs.ts'
import { createRelayMetrics } from '../kernel/engine/relay-metrics.ts'
import { newId } from '../lib/ids.ts'
import { createMeter } from '../lib/flow/meter.ts'
import { mobileMoneyPayin, usePayments } from '../../test/worlds/test-payments.ts'
import { createStateGauges } from './state-gauges.ts'

const t = usePayments()
const root = join(import.meta.dirname, '../../..')
const stateRegistry = new Registry()

beforeAll(() => {
  const { registry } = t.deps.metrics
  createRelayMetrics(registry, t.deps.db)
  watchPausedJobs({ adminUrl: 'http://127.0.0.1:1', namespace: '', registry, log: t.deps.log }).stop()
  createStateGauges(registry, t.deps)
})

const value = async (registry: Registry, name: string, labels: Record<string, string> = {}) => {
  const metric = await registry.getSingleMetric(name)?.get()
  const found = metric?.values.find((sample) =>
    Object.entries(labels).every(([label, expected]) => sample.labels[label] === expected),
  )
  return found?.value
}

describe('the metrics of money', () => {
  it('count an attempt once for each outcome, and time the call to its provider', async () => {
    const { registry } = t.deps.metrics
    const labels = { provider: 'pawapay', method: 'mobile_money', direction: 'inbound', outcome: 'accepted' }
    const before = (await value(registry, 'switchyard_attempts_total', labels)) ?? 0
    expect((await t.initiate(mobileMoneyPayin())).status).toBe(200)
    expect(await value(registry, 'switchyard_attempts_total', labels)).toBe(before + 1)
    const text = await registry.metrics()
    expect(text).toMatch(
      /switchyard_provider_call_duration_seconds_count\{provider="pawapay",operation="collect"\} [1-9]/,
    )
    expect(text).not.toContain(t.seed.orgs[0]!.org_id)
  })

  it('show what waits in Postgres: unknown outcomes, exceptions, reviews and the age of rates', async () => {
    await t.owner.query(
      `insert into exceptions (org_id, exception_id, kind, summary, suggested_action, finding_key, created_at)
       values ($1, $2, 'missing_here', 's', 'a', $3, now() - interval '2 days')`,
      [t.seed.orgs[0]!.org_id, newId(), newId()],
    )
    await t.owner.query(
      `update attempts set state = 'unknown', created_at = now() - interval '2 hours' where provider = 'pawapay'`,
    )
    await t.owner.query(
      `insert into market_rates (currency, per_usd, source, as_of) values ('XTS', 1, 'feed', now() - interval '5 minutes')
       on conflict do nothing`,
    )
    createStateGauges(stateRegistry, t.deps)
    expect(await value(stateRegistry, 'switchyard_exceptions_open', { kind: 'missing_here' })).toBe(1)
    const age = await value(stateRegistry, 'switchyard_exceptions_oldest_age_seconds', {
      kind: 'missing_here',
    })
    expect(age).toBeGreaterThan(86_400)
    expect(
      await value(stateRegistry, 'switchyard_attempts_unknown', { provider: 'pawapay' }),
    ).toBeGreaterThan(0)
    expect(
      await value(stateRegistry, 'switchyard_attempts_unknown_oldest_age_seconds', { provider: 'pawapay' }),
    ).toBeGreaterThan(7_000)
    expect(await value(stateRegistry, 'switchyard_reviews_waiting')).toBe(0)
    expect(await value(stateRegistry, 'switchyard_rate_feed_age_seconds')).toBeGreaterThanOrEqual(0)
  })

  it('a gauge that cannot be read has no sample, and the others are still reported', async () => {
    const registry = new Registry()
    const broken = { ...t.deps.db, acrossOrgs: () => Promise.reject(new Error('down')) }
    createMeter(registry)
    createStateGauges(registry, { ...t.deps, db: broken })
    const text = await registry.metrics()
    expect(text).not.toMatch(/^switchyard_reviews_waiting/m)
    expect(text).toContain('switchyard_deliveries_total')
  })
})

/** By `npm run audit` and `deploy/backup/verify-backup`, for node_exporter's textfile collector. */
const writtenToFiles = ['audit', 'backup'].flatMap((name) => [
  `switchyard_${name}_last_success_timestamp_seconds`,
  `switchyard_${name}_last_run_timestamp_seconds`,
])
const namedMetrics = (text: string): string[] =>
  [...text.matchAll(/\b(?:switchyard|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name)

describe('every metric that is named exists', () => {
  const files = ['deploy/grafana', 'deploy/prometheus/alerts', 'docs/runbooks'].flatMap((directory) =>
    readdirSync(join(root, directory)).map((name) => join(directory, name)),
  )

  it.each(files)('%s', (file) => {
    const exists = new Set([
      ...writtenToFiles,
      ...t.deps.metrics.registry
        .getMetricsAsArray()
        .flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`]),
    ])
    const named = namedMetrics(readFileSync(join(root, file), 'utf8')).filter(
      (name) => name !== 'switchyard_app',
    )
    expect(named.filter((name) => !exists.has(name))).toEqual([])
  })
})
