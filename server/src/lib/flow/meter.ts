import { Counter, Histogram, type Registry } from 'prom-client'

interface AttemptLabels {
  provider: string
  method: string
  direction: string
  /** The state that the attempt has reached. */
  outcome: string
}

type DeliveryResult = 'succeeded' | 'retrying' | 'dead'

/** Counts what happens to money. No label names an organisation, because their number has no bound. */
export interface Meter {
  attempt(labels: AttemptLabels): void
  providerCall(provider: string, operation: string, seconds: number): void
  delivery(result: DeliveryResult): void
}

export function createMeter(registry: Registry): Meter {
  const registers = [registry]
  const attempts = new Counter({
    name: 'switchyard_attempts_total',
    help: 'Attempts that reached an outcome, counted once for each: an accepted attempt later succeeds or fails',
    labelNames: ['provider', 'method', 'direction', 'outcome'],
    registers,
  })
  const calls = new Histogram({
    name: 'switchyard_provider_call_duration_seconds',
    help: 'Time that a provider takes for a call',
    labelNames: ['provider', 'operation'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  })
  const deliveries = new Counter({
    name: 'switchyard_deliveries_total',
    help: 'Attempts to deliver an event to a webhook, by result; dead: the last retry failed',
    labelNames: ['result'],
    registers,
  })
  return {
    attempt: (labels) => attempts.inc({ ...labels }),
    providerCall: (provider, operation, seconds) => calls.observe({ provider, operation }, seconds),
    delivery: (result) => deliveries.inc({ result }),
  }
}
