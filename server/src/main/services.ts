import { z } from 'zod'
import { makePartitionsAhead } from '../kernel/db/archive/partitions.ts'
import { analyticsService } from '../domains/records/analytics/workflow.ts'
import { auditLogService } from '../domains/records/audit-log/workflow.ts'
import { balanceService } from '../domains/pricing/balances/workflow.ts'
import { requeueReseals } from '../domains/records/data-keys/requeue-reseals.ts'
import { dataKeyService } from '../domains/records/data-keys/workflow.ts'
import { requeueDisputes } from '../domains/after/disputes/requeue-disputes.ts'
import { disputeService } from '../domains/after/disputes/workflow.ts'
import { requeueDisbursements } from '../domains/products/escrow/disbursements/requeue-disbursements.ts'
import { disbursementService } from '../domains/products/escrow/disbursements/workflow.ts'
import { requeueNotifications } from '../domains/people/notifications/requeue-notifications.ts'
import { notificationService } from '../domains/people/notifications/workflow.ts'
import { linkService } from '../domains/parties/payment-links/workflow.ts'
import { requeueRefunds } from '../domains/payments/refunds/requeue-refunds.ts'
import { refundService } from '../domains/payments/refunds/workflow.ts'
import { requeuePayments } from '../domains/payments/supervision/requeue-payments.ts'
import { paymentService } from '../domains/payments/supervision/workflow.ts'
import { requeueUnreadable } from '../domains/payments/reads/search/requeue-unreadable.ts'
import { searchService } from '../domains/payments/reads/search/workflow.ts'
import { requeueBatches } from '../domains/products/payout-batches/requeue-batches.ts'
import { payoutBatchService } from '../domains/products/payout-batches/workflow.ts'
import { requeueErasures } from '../domains/office/privacy/requeue-erasures.ts'
import { privacyService } from '../domains/office/privacy/workflow.ts'
import { requeueRamps } from '../domains/products/ramps/requeue-ramps.ts'
import { rampService } from '../domains/products/ramps/workflow.ts'
import { rateService } from '../domains/pricing/rates/workflow.ts'
import { reconciliationService } from '../domains/after/reconciliation/workflow.ts'
import { requestLogService } from '../domains/office/request-log/workflow.ts'
import { requeueSimulations } from '../domains/routing/simulations/requeue-simulations.ts'
import { simulationService } from '../domains/routing/simulations/workflow.ts'
import { routingSignalService } from '../domains/routing/signals/workflow.ts'
import { requeueDeliveries } from '../domains/events/webhooks/deliveries/requeue-deliveries.ts'
import { deliveryService } from '../domains/events/webhooks/deliveries/workflow.ts'
import { requeueRemovals } from '../domains/events/webhooks/requeue-removals.ts'
import { webhookService } from '../domains/events/webhooks/workflow.ts'
import { requeueRuns } from '../domains/compliance/sanctions/runs/requeue-runs.ts'
import { sanctionsService } from '../domains/compliance/sanctions/runs/workflow.ts'
import type { RecurringJob } from '../kernel/engine/schedule.ts'
import { defineService, type EngineScope, type EngineService } from '../kernel/engine/service.ts'
import { purgeExpiredKeys } from '../http/idempotency/purge-expired-keys.ts'
import type { Deps } from './deps.ts'

const purging = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 30_000 }

/** Idempotency belongs to http/, which knows no engine, so its only job is defined here. */
const idempotencyService = (engine: EngineScope, deps: Pick<Deps, 'db' | 'clock'>): EngineService =>
  defineService<{ purge: object }>(engine, 'Idempotency', {
    purge: {
      input: z.object({}),
      async run(context) {
        await context.step('purge', purging, () => purgeExpiredKeys(deps))
      },
    },
  })

/** The same holds for db/. */
const partitionService = (engine: EngineScope, deps: Pick<Deps, 'db'>): EngineService =>
  defineService<{ makeAhead: object }>(engine, 'Partitions', {
    makeAhead: {
      input: z.object({}),
      async run(context) {
        await context.step('make ahead', purging, () => makePartitionsAhead(deps.db))
      },
    },
  })

export const engineScope = (
  namespace: string,
  { ingress, clockWatch }: Pick<Deps, 'ingress' | 'clockWatch'>,
): EngineScope => ({ namespace, ingress, isClockRight: () => clockWatch.isKnownRight() })

/** Every durable service that the worker serves. */
export function engineServices(namespace: string, deps: Deps): EngineService[] {
  const engine = engineScope(namespace, deps)
  return [
    notificationService(engine, deps),
    paymentService(engine, deps),
    searchService(engine, deps),
    payoutBatchService(engine, deps),
    linkService(engine, deps),
    rampService(engine, deps),
    deliveryService(engine, deps),
    webhookService(engine, deps),
    refundService(engine, deps),
    disputeService(engine, deps),
    rateService(engine, deps),
    reconciliationService(engine, deps),
    analyticsService(engine, deps),
    auditLogService(engine, deps),
    balanceService(engine, deps),
    dataKeyService(engine, deps),
    privacyService(engine, deps),
    disbursementService(engine, deps),
    idempotencyService(engine, deps),
    partitionService(engine, deps),
    requestLogService(engine, deps),
    routingSignalService(engine, deps),
    simulationService(engine, deps),
    sanctionsService(engine, deps),
  ]
}

/** Jobs that the worker starts on a schedule. */
export const recurringJobs: readonly RecurringJob[] = [
  { service: 'Analytics', handler: 'fold', everyMs: 60_000 },
  { service: 'PaymentLinks', handler: 'expire', everyMs: 5_000 },
  { service: 'AuditLog', handler: 'seal', everyMs: 5_000 },
  { service: 'PaymentSearch', handler: 'record', everyMs: 5_000 },
  { service: 'DataKeys', handler: 'rewrap', everyMs: 30_000 },
  { service: 'Idempotency', handler: 'purge', everyMs: 10 * 60_000 },
  { service: 'Notifications', handler: 'purge', everyMs: 60 * 60_000 },
  { service: 'Partitions', handler: 'makeAhead', everyMs: 60 * 60_000 },
  { service: 'RequestLog', handler: 'purge', everyMs: 10 * 60_000 },
  { service: 'RoutingSignals', handler: 'purge', everyMs: 60 * 60_000 },
  { service: 'Privacy', handler: 'retain', everyMs: 24 * 60 * 60_000 },
  { service: 'Balances', handler: 'fold', everyMs: 5_000 },
  { service: 'Rates', handler: 'refresh', everyMs: 5 * 60_000 },
  { service: 'Reconciliation', handler: 'nightly', everyMs: 24 * 60 * 60_000 },
  { service: 'Reconciliation', handler: 'disputes', everyMs: 6 * 60 * 60_000 },
]

/** For each kind of open work in Postgres, the operation that puts it back into the outbox. */
export const requeueWork: Readonly<Record<string, (deps: Pick<Deps, 'db' | 'clock'>) => Promise<number>>> = {
  notifications: requeueNotifications,
  payments: requeuePayments,
  'unreadable search details': requeueUnreadable,
  'payout batches': requeueBatches,
  ramps: requeueRamps,
  refunds: requeueRefunds,
  disputes: requeueDisputes,
  deliveries: requeueDeliveries,
  'webhook removals': requeueRemovals,
  'data keys': requeueReseals,
  erasures: requeueErasures,
  disbursements: requeueDisbursements,
  'routing simulations': requeueSimulations,
  'sanctions screening': requeueRuns,
}
