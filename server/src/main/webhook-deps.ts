import type { Database } from '../kernel/db/database.ts'
import { createEgressAgent } from '../lib/net/egress-guard.ts'
import type { AttemptEnd, DeliveryDeps } from '../domains/events/webhooks/deliveries/record.ts'
import { createBulkheads } from '../domains/events/webhooks/deliveries/limit-calls.ts'
import { defaultPostLimits } from '../domains/events/webhooks/deliveries/post-event.ts'
import { createDeliveryRecords } from '../domains/events/webhooks/deliveries/record-deliveries.ts'
import { createLocalBacklog } from '../domains/events/webhooks/deliveries/track-backlog.ts'
import { deliveryScheduleMs } from '../domains/events/webhooks/rules.ts'
import type { SigningSecrets } from '../domains/events/webhooks/record.ts'
import { createCache } from '../lib/flow/bounded-cache.ts'
import { singleFlight } from '../lib/flow/single-flight.ts'
import type { Config } from './config.ts'

const secretsLimit = 10_000
const secretsOpenMs = 10_000

/** How events leave for the webhooks of organisations. */
export function createWebhookDeps(db: Database, config: Config) {
  const egressPolicy = { allowLoopback: config.SWITCHYARD_ENV === 'dev', allowedPorts: config.WEBHOOK_PORTS }
  return {
    egressPolicy,
    egressAgent: createEgressAgent(egressPolicy, { proxyUrl: config.WEBHOOK_EGRESS_PROXY }),
    postLimits: defaultPostLimits,
    bulkheads: createBulkheads(),
    localBacklog: createLocalBacklog(),
    openedSecrets: createCache<SigningSecrets>({ limit: secretsLimit, ttlMs: secretsOpenMs }),
    shareAttempt: singleFlight<AttemptEnd>(),
    deliveryRecords: createDeliveryRecords(db, Math.ceil(config.DATABASE_POOL_SIZE / 4)),
    deliveryScheduleMs,
    chance: Math.random,
  } satisfies Partial<DeliveryDeps>
}
