import type { Dispatcher } from 'undici'
import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Cache } from '../../../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { EgressPolicy } from '../../../../lib/net/egress-guard.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import type { Meter } from '../../../../lib/flow/meter.ts'
import type { SingleFlight } from '../../../../lib/flow/single-flight.ts'
import type { CreatedDelivery, SigningSecrets, StoredEvent, Webhook } from '../record.ts'
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
  /** Keeps the secrets of an endpoint open for the deliveries that follow each other closely. */
  openedSecrets: Cache<SigningSecrets>
  localBacklog: LocalBacklog
  shareAttempt: SingleFlight<AttemptEnd>
  deliveryScheduleMs: readonly number[]
  /** A number in [0, 1), for jitter. */
  chance(): number
  meter: Meter
}

/**
 * The delay until the next attempt, or null when the delivery needs no more. Of a claimed delivery also `recorded`, when
 * its row in the outbox was dropped with the record of the attempt, and `rejected`, when it found no slot.
 */
export type AttemptEnd = number | null | 'recorded' | 'rejected'

/** Batches the concurrent reads and writes of deliveries into one round trip. */
export interface DeliveryRecords {
  read(orgId: string, deliveryId: string): Promise<DeliveryToAttempt | undefined>
  /** False when another worker has recorded this attempt. */
  write(attempt: AttemptRecord): Promise<boolean>
  /**
   * The same for a claimed delivery, whose row in the outbox is dropped with the record if the attempt has ended the
   * delivery. The database commits what it has received, even if this process dies; `onReceived` is called then.
   */
  writeClaimed(attempt: AttemptRecord, onReceived: () => void): Promise<boolean>
}

export interface DeliveryToAttempt {
  delivery: DueDelivery
  /** Undefined when it was deleted. */
  endpoint: Endpoint | undefined
}

/** What an attempt needs of an endpoint. */
export type Endpoint = Pick<
  Webhook,
  | 'orgId'
  | 'webhookId'
  | 'endpointUrl'
  | 'status'
  | 'secretSealed'
  | 'previousSecretSealed'
  | 'previousSecretUntil'
  | 'failingSince'
>

/** The columns that a claim reads beside those of the outbox. All are null when the delivery was deleted. */
export type ClaimedColumns = Omit<DueDelivery, 'deliveryId' | 'status' | 'attempts'> &
  Omit<Endpoint, 'orgId' | 'webhookId' | 'status'> & {
    deliveryId: string | null
    deliveryStatus: string
    madeAttempts: number
    /** Null when the endpoint was deleted. */
    endpointStatus: Endpoint['status'] | null
  }

export interface DueDelivery {
  deliveryId: string
  webhookId: string
  status: string
  attempts: number
  /** How long until its next attempt is due by the database's clock; negative once it is, null if it has no time. */
  dueInMs: number | null
  eventId: string
  eventType: string
  eventData: string
  eventCreatedAt: Date
}

export interface AttemptRecord {
  orgId: string
  deliveryId: string
  /** The row of a claimed delivery in the outbox. */
  outboxId: string | null
  /** The number of attempts before this one. */
  expectedAttempts: number
  status: 'pending' | 'succeeded' | 'dead'
  retryInMs: number | null
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
