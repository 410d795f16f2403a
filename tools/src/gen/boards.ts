/** The Grafana boards as code. `npm run gen` writes each to deploy/grafana; the uids are stable, so an import replaces. */
interface Panel {
  title: string
  description: string
  /** A unit of Grafana: s, short, percentunit, reqps. */
  unit: string
  queries: readonly { legend: string; expr: string }[]
}

interface Board {
  uid: string
  title: string
  description: string
  panels: readonly Panel[]
}

const initiate = '/v1/payments-init/initiate'
const requests = 'switchyard_http_request_duration_seconds'
const ended = 'outcome=~"succeeded|failed|declined|not_sent"'

const moneyPath: Board = {
  uid: 'switchyard-money',
  title: 'Switchyard: money path',
  description: 'From the request to the end of a payment, and what waits for a person.',
  panels: [
    {
      title: 'Initiations',
      description:
        'Requests to initiate a payment, by status. 502: every provider refused. 503: nothing was begun.',
      unit: 'reqps',
      queries: [
        { legend: '{{status}}', expr: `sum by (status) (rate(${requests}_count{route="${initiate}"}[5m]))` },
      ],
    },
    {
      title: 'Time to answer an initiation',
      description: 'Includes the call to the provider.',
      unit: 's',
      queries: [0.5, 0.95, 0.99].map((quantile) => ({
        legend: `p${quantile * 100}`,
        expr: `histogram_quantile(${quantile}, sum by (le) (rate(${requests}_bucket{route="${initiate}"}[5m])))`,
      })),
    },
    {
      title: 'Outcomes of attempts',
      description: 'What became of attempts. An accepted attempt is counted again when it succeeds or fails.',
      unit: 'short',
      queries: [
        { legend: '{{outcome}}', expr: 'sum by (outcome) (increase(switchyard_attempts_total[5m]))' },
      ],
    },
    {
      title: 'Unknown outcomes',
      description:
        'Attempts of which nobody knows whether money moved. They are polled and never sent again.',
      unit: 'short',
      queries: [{ legend: '{{provider}}', expr: 'max by (provider) (switchyard_attempts_unknown)' }],
    },
    {
      title: 'Age of the oldest unknown outcome',
      description: 'An alert fires after an hour; after a day it becomes an exception.',
      unit: 's',
      queries: [
        {
          legend: '{{provider}}',
          expr: 'max by (provider) (switchyard_attempts_unknown_oldest_age_seconds)',
        },
      ],
    },
    {
      title: 'Open exceptions',
      description: 'Findings that only a person can settle, by kind.',
      unit: 'short',
      queries: [{ legend: '{{kind}}', expr: 'max by (kind) (switchyard_exceptions_open)' }],
    },
    {
      title: 'Payments that wait for approval',
      description: 'Payouts that need a second person.',
      unit: 'short',
      queries: [{ legend: 'waiting', expr: 'max(switchyard_reviews_waiting)' }],
    },
    {
      title: 'Time since the ledger was last sound',
      description: 'Since the last audit that found every invariant to hold.',
      unit: 's',
      queries: [{ legend: 'audit', expr: 'time() - max(switchyard_audit_last_success_timestamp_seconds)' }],
    },
  ],
}

const providers: Board = {
  uid: 'switchyard-providers',
  title: 'Switchyard: providers',
  description: 'How each provider does, compared with the others and with its own past week.',
  panels: [
    {
      title: 'Share of attempts that succeed',
      description: 'Of the attempts that ended within the hour.',
      unit: 'percentunit',
      queries: [
        {
          legend: '{{provider}}',
          expr: `sum by (provider) (increase(switchyard_attempts_total{outcome="succeeded"}[1h])) / sum by (provider) (increase(switchyard_attempts_total{${ended}}[1h]))`,
        },
      ],
    },
    {
      title: 'The same over the past week',
      description: 'What is normal for the provider.',
      unit: 'percentunit',
      queries: [
        {
          legend: '{{provider}}',
          expr: `sum by (provider) (increase(switchyard_attempts_total{outcome="succeeded"}[1w])) / sum by (provider) (increase(switchyard_attempts_total{${ended}}[1w]))`,
        },
      ],
    },
    {
      title: 'Refusals',
      description:
        'Attempts that were declined or could not be sent; the next provider was tried where there is one.',
      unit: 'short',
      queries: [
        {
          legend: '{{provider}} {{outcome}}',
          expr: 'sum by (provider, outcome) (increase(switchyard_attempts_total{outcome=~"declined|not_sent|failed"}[5m]))',
        },
      ],
    },
    {
      title: 'Time that calls take',
      description: 'The 95th percentile for each provider and operation.',
      unit: 's',
      queries: [
        {
          legend: '{{provider}} {{operation}}',
          expr: 'histogram_quantile(0.95, sum by (le, provider, operation) (rate(switchyard_provider_call_duration_seconds_bucket[5m])))',
        },
      ],
    },
    {
      title: 'Calls',
      description: 'Calls to providers, inquiries included.',
      unit: 'reqps',
      queries: [
        {
          legend: '{{provider}} {{operation}}',
          expr: 'sum by (provider, operation) (rate(switchyard_provider_call_duration_seconds_count[5m]))',
        },
      ],
    },
    {
      title: 'Age of the exchange rates',
      description: 'The feed is fetched every five minutes.',
      unit: 's',
      queries: [{ legend: 'age', expr: 'max(switchyard_rate_feed_age_seconds)' }],
    },
  ],
}

const machinery: Board = {
  uid: 'switchyard-machinery',
  title: 'Switchyard: machinery',
  description: 'The outbox, the engine, deliveries, connections and processes.',
  panels: [
    {
      title: 'Outbox',
      description: 'Due jobs that the engine does not have yet.',
      unit: 'short',
      queries: [{ legend: 'pending', expr: 'max(switchyard_outbox_pending)' }],
    },
    {
      title: 'Age of the oldest due job',
      description: 'Above a minute the engine accepts no work.',
      unit: 's',
      queries: [{ legend: 'age', expr: 'max(switchyard_outbox_oldest_age_seconds)' }],
    },
    {
      title: 'Jobs handed over and refused',
      description: 'A refused job stays in the outbox.',
      unit: 'reqps',
      queries: [
        { legend: '{{service}}', expr: 'sum by (service) (rate(switchyard_outbox_handed_over_total[5m]))' },
        {
          legend: '{{service}} {{reason}}',
          expr: 'sum by (service, reason) (rate(switchyard_outbox_refused_total[5m]))',
        },
      ],
    },
    {
      title: 'Paused jobs',
      description: 'Jobs that used up their attempts and wait for a person.',
      unit: 'short',
      queries: [{ legend: '{{service}}', expr: 'max by (service) (switchyard_engine_paused_jobs)' }],
    },
    {
      title: 'Deliveries of webhooks',
      description: 'Attempts to deliver an event, by result.',
      unit: 'reqps',
      queries: [{ legend: '{{result}}', expr: 'sum by (result) (rate(switchyard_deliveries_total[5m]))' }],
    },
    {
      title: 'Database connections',
      description: 'Requests that wait mean that a pool is too small or a statement too slow.',
      unit: 'short',
      queries: [
        {
          legend: '{{pool}} {{state}}',
          expr: 'sum by (pool, state) (switchyard_database_connections)',
        },
      ],
    },
    {
      title: 'Requests in progress',
      description: 'By process.',
      unit: 'short',
      queries: [{ legend: '{{instance}}', expr: 'sum by (instance) (switchyard_http_requests_in_flight)' }],
    },
    {
      title: 'Memory and event loop',
      description: 'Resident memory and the 99th percentile of the delay of the event loop.',
      unit: 'short',
      queries: [
        { legend: '{{instance}} bytes', expr: 'process_resident_memory_bytes{job=~"switchyard-.*"}' },
        { legend: '{{instance}} lag', expr: 'nodejs_eventloop_lag_p99_seconds{job=~"switchyard-.*"}' },
      ],
    },
    {
      title: 'Request log entries lost',
      description: 'Entries are dropped when the database is slow; no request waits for them.',
      unit: 'short',
      queries: [{ legend: 'lost', expr: 'sum(increase(switchyard_request_log_dropped_total[1h]))' }],
    },
  ],
}

export const boards: readonly Board[] = [moneyPath, providers, machinery]

const panelWidth = 12
const panelHeight = 8

/** The JSON that Grafana imports. It names no data source by id; the viewer chooses one. */
export function boardFile({ uid, title, description, panels }: Board): string {
  const datasource = { type: 'prometheus', uid: '${datasource}' }
  const board = {
    uid,
    title,
    description,
    tags: ['switchyard'],
    schemaVersion: 41,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' }],
    },
    panels: panels.map((panel, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: panel.title,
      description: panel.description,
      datasource,
      gridPos: {
        x: (index % 2) * panelWidth,
        y: Math.floor(index / 2) * panelHeight,
        w: panelWidth,
        h: panelHeight,
      },
      fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
      targets: panel.queries.map(({ expr, legend }, at) => ({
        refId: 'ABCDEFGH'.charAt(at),
        datasource,
        expr,
        legendFormat: legend,
      })),
    })),
  }
  return JSON.stringify(board, null, 2)
}
