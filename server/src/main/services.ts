import { analyticsService } from '../domains/analytics/workflow.ts'
import { reopenReseals } from '../domains/data-keys/requeue-reseals.ts'
import { dataKeyService } from '../domains/data-keys/workflow.ts'
import { reopenDeliveries } from '../domains/webhooks/deliveries/requeue-deliveries.ts'
import { deliveryService } from '../domains/webhooks/deliveries/workflow.ts'
import { reopenDisbursements } from '../domains/escrow/disbursements/requeue-disbursements.ts'
import { disbursementService } from '../domains/escrow/disbursements/workflow.ts'
import { notificationService } from '../domains/notifications/workflow.ts'
import { reopenNotifications } from '../domains/notifications/requeue-notifications.ts'
import { reopenPayments } from '../domains/payments/requeue-payments.ts'
import { paymentService } from '../domains/payments/workflow.ts'
import { reopenLinks } from '../domains/payment-links/requeue-links.ts'
import { linkService } from '../domains/payment-links/workflow.ts'
import { reopenRamps } from '../domains/ramps/requeue-ramps.ts'
import { rampService } from '../domains/ramps/workflow.ts'
import { rateService } from '../domains/rates/workflow.ts'
import { reconciliationService } from '../domains/reconciliation/workflow.ts'
import { reopenRefunds } from '../domains/payments/refunds/requeue-refunds.ts'
import { refundService } from '../domains/payments/refunds/workflow.ts'
import { reopenRemovals } from '../domains/webhooks/requeue-removals.ts'
import { webhookService } from '../domains/webhooks/workflow.ts'
import type { RecurringJob } from '../engine/schedule.ts'
import type { EngineService } from '../engine/service.ts'
import type { Deps } from './deps.ts'

/** Every durable service of the worker. */
export const engineServices = (namespace: string, deps: Deps): EngineService[] => [
  notificationService(namespace, deps),
  paymentService(namespace, deps),
  linkService(namespace, deps),
  rampService(namespace, deps),
  deliveryService(namespace, deps),
  webhookService(namespace, deps),
  refundService(namespace, deps),
  rateService(namespace, deps),
  reconciliationService(namespace, deps),
  analyticsService(namespace, deps),
  dataKeyService(namespace, deps),
  disbursementService(namespace, deps),
]

/** What happens again and again, without anybody asking. */
export const recurringJobs: readonly RecurringJob[] = [
  { service: 'Analytics', handler: 'fold', everyMs: 60_000 },
  { service: 'Rates', handler: 'refresh', everyMs: 5 * 60_000 },
  { service: 'Reconciliation', handler: 'nightly', everyMs: 24 * 60 * 60_000 },
]

/** For each kind of open work in Postgres, how it is handed to the engine again. */
export const reopenWork: Readonly<Record<string, (deps: Pick<Deps, 'db'>) => Promise<number>>> = {
  notifications: reopenNotifications,
  payments: reopenPayments,
  'payment links': reopenLinks,
  ramps: reopenRamps,
  refunds: reopenRefunds,
  deliveries: reopenDeliveries,
  'removals of endpoints': reopenRemovals,
  'data keys': reopenReseals,
  disbursements: reopenDisbursements,
}
