import type { EventType } from './rules.ts'

export type WebhookStatus = 'active' | 'paused' | 'disabled'

export interface Webhook {
  orgId: string
  webhookId: string
  endpointUrl: string
  description: string | null
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

export interface NewEvent {
  eventId: string
  eventType: EventType
  resourceId: string
  sequence: number
  data: string
  createdAt: Date
}

export interface FanOutOptions {
  /** One endpoint instead of all. */
  webhookId?: string | null
  /** Also to endpoints that have not subscribed to the type. */
  isUnasked?: boolean
  /** Takes the place of dead letters for the same event and endpoint. */
  isReplay?: boolean
}
