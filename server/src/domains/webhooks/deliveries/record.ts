import type { Dispatcher } from 'undici'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { EgressPolicy } from '../../../lib/egress-guard.ts'
import type { KeyRing } from '../../../lib/key-ring.ts'
import type { Meter } from '../../../lib/meter.ts'
import type { SingleFlight } from '../../../lib/single-flight.ts'
import type { CreatedDelivery, StoredEvent, Webhook } from '../record.ts'
import type { Bulkheads } from './limit-calls.ts'
import type { PostLimits } from './post-event.ts'
import type { LocalBacklog } from './track-backlog.ts'

export interface DeliveryDeps {
  db: Database
  vault: Vault
  clock: Clock
  egressPolicy: EgressPolicy
  egressAgent: Dispatcher
  postLimits: PostLimits
  bulkheads: Bulkheads
  deliveryRecords: DeliveryRecords
  localBacklog: LocalBacklog
  joinAttempts: SingleFlight<number | null>
  deliveryScheduleMs: readonly number[]
  /** A number in [0, 1), for jitter. */
  chance(): number
  meter: Meter
}

/** Batches the concurrent reads and writes of deliveries into one round trip for each organisation. */
export interface DeliveryRecords {
  read(orgId: string, deliveryId: string): Promise<DeliveryToAttempt | undefined>
  /** False when another worker has recorded this attempt. */
  write(orgId: string, attempt: AttemptRecord): Promise<boolean>
}

export interface DeliveryToAttempt {
  delivery: DueDelivery
  /** Undefined when it was deleted. */
  endpoint: Webhook | undefined
}

export interface DueDelivery {
  deliveryId: string
  webhookId: string
  status: string
  attempts: number
  nextAttemptAt: Date | null
  eventId: string
  eventType: string
  eventData: string
  eventCreatedAt: Date
}

export interface AttemptRecord {
  deliveryId: string
  /** The number of attempts before this one. */
  seenAttempts: number
  status: 'pending' | 'succeeded' | 'dead'
  nextAttemptAt: Date | null
  requestHeaders: Record<string, string>
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  durationMs: number
  startedAt: Date
  endedAt: Date
}

export interface DeliveryReadDeps {
  db: Database
  cursorKey: KeyRing
}

export interface ReplayDeps {
  db: Database
  clock: Clock
}

export interface Delivery {
  deliveryId: string
  webhookId: string
  eventId: string
  eventType: string
  status: string
  attempts: number
  nextAttemptAt: Date | null
  lastResponseStatus: number | null
  createdAt: Date
  updatedAt: Date
}

export interface DeliveryAttempt {
  attemptNo: number
  requestHeaders: unknown
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  durationMs: number
  createdAt: Date
}

export interface DeliveryDetail {
  delivery: Delivery
  event: RecordedEvent
  attempts: DeliveryAttempt[]
}

export interface DeliveryFilters {
  webhookId?: string | undefined
  eventId?: string | undefined
  eventType?: string | undefined
  status?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

export interface RecordedEvent extends StoredEvent {
  resourceId: string
  sequence: number
}

export interface EventDetail {
  event: RecordedEvent
  deliveries: Delivery[]
}

export interface EventFilters {
  eventType?: string | undefined
  /** Matches an event with at least one delivery in this status. */
  status?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

export type EventName = Pick<StoredEvent, 'eventId' | 'eventType'>

export interface EndpointSpan {
  webhookId: string
  /** Null for all types. */
  eventTypes: readonly string[] | null
  since: Date
  until: Date
}

export interface PublishedEvent {
  eventId: string
  deliveries: CreatedDelivery[]
}
