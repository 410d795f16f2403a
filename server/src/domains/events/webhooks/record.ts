import type { RawBuilder } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { EgressPolicy } from '../../../lib/net/egress-guard.ts'
import type { EventData, EventType } from './events.ts'

export interface WebhookDeps {
  db: Database
  vault: Vault
  clock: Clock
  egressPolicy: EgressPolicy
}

type WebhookStatus = 'active' | 'paused' | 'disabled'

export interface Webhook {
  orgId: string
  webhookId: string
  endpointUrl: string
  description: string | null
  /** Null subscribes to every type. */
  events: string[] | null
  status: WebhookStatus
  secretSealed: Buffer
  previousSecretSealed: Buffer | null
  previousSecretUntil: Date | null
  failingSince: Date | null
  createdAt: Date
  updatedAt: Date
}

export type WebhookChange = Partial<
  Pick<
    Webhook,
    | 'endpointUrl'
    | 'description'
    | 'events'
    | 'status'
    | 'secretSealed'
    | 'previousSecretSealed'
    | 'previousSecretUntil'
    | 'failingSince'
  >
>

export interface RegisteredWebhook {
  webhook: Webhook
  /** The caller sees the secret in this response only. */
  secret: string
}

export interface SigningSecrets {
  current: string
  /** Signs as well until receivers have switched to the current secret. */
  previous: string | undefined
}

declare const described: unique symbol

/** JSON text that a schema in events.ts describes. Only build-event.ts makes it. */
export type EventJson = string & { readonly [described]: true }

export interface NewEvent {
  eventId: string
  eventType: EventType
  resourceId: string
  sequence: number
  data: EventJson
  createdAt: Date
}

/** An event with fields whose values only the database knows: those are SQL expressions over one row. */
export interface EventFromRow<Type extends EventType> {
  eventId: string
  eventType: Type
  resourceId: string
  createdAt: Date
  data: {
    [Field in keyof EventData<Type>]: EventData<Type>[Field] | RawBuilder<EventData<Type>[Field]>
  }
}

export interface StoredEvent {
  eventId: string
  eventType: string
  orgId: string
  createdAt: Date
  /** The JSON text as it was stored with the event. */
  data: string
}

export interface FanOutOptions {
  /** Delivers to one endpoint instead of all. */
  webhookId?: string | null
  /** Delivers also to endpoints that have not subscribed to the type. */
  ignoresSubscriptions?: boolean
  /** Marks dead letters of the same event and endpoint as replayed. */
  isReplay?: boolean
}

/** The values of the statement that creates the deliveries of events. */
export interface FanOut extends Required<Omit<FanOutOptions, 'isReplay'>> {
  orgId: string
  eventIds: string[]
  eventTypes: string[]
}

/** A delivery that the fan-out of an event has created. */
export interface CreatedDelivery {
  webhookId: string
  deliveryId: string
}
