import { z } from 'zod'
import { eventDataSchemas, type EventType } from './events.ts'

/** The part of JSON Schema that the schemas of events use. */
interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  example?: unknown
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Values that make an example plausible, by the name of the field. */
const byName: Readonly<Record<string, unknown>> = {
  currency: 'NGN',
  target_currency: 'NGN',
  provider: 'paystack',
  client_reference: 'order-1042',
  failure: null,
  refunded_amount: 0,
  total_fees: 15.25,
  fees_currency: 'NGN',
  metadata: { order: '1042' },
  user_id: 'user-17',
  description: 'Invoice 1042',
  reference: 'order-1042',
  reason: 'fraudulent',
  provider_reason: 'fraudulent',
  label: 'Foundation',
  due_date: '2026-06-30',
  pause: null,
  country: 'NG',
}

const lastStatuses: Readonly<Partial<Record<EventType, Readonly<Record<string, unknown>>>>> = {
  'payment.completed': { status: 'completed', previous_status: 'processing' },
  'payment.failed': {
    status: 'failed',
    previous_status: 'processing',
    failure: { code: 'INSUFFICIENT_FUNDS', message: 'The payer’s account does not cover the amount.' },
  },
  'payment.refunded': { status: 'refunded', previous_status: 'completed', refunded_amount: 1500.25 },
  'payment.processing': { status: 'processing', previous_status: 'confirmed' },
  'transaction.updated': { status: 'pending', previous_status: 'processing' },
  'virtual_account.withdrawal': { type: 'debit' },
  'kyb.rejected': { kyb_status: 'rejected', reason: 'The document has expired.' },
  'kyb.approved': { reason: null },
  'escrow.milestone_updated': { status: 'approved', previous_status: 'submitted' },
  'escrow.disbursement_failed': { status: 'disbursing', previous_status: 'disbursing' },
  'dispute.opened': { state: 'needs_response', previous_state: null },
  'dispute.updated': { state: 'under_review', previous_state: 'needs_response' },
  'dispute.closed': { state: 'won', previous_state: 'under_review' },
  'provider.health_changed': { payment_method: 'card', health: 'down', previous_health: 'healthy' },
  'payout_batch.paused': {
    pause: { code: 'INSUFFICIENT_FUNDS', message: 'The balance does not cover the next payout.' },
  },
}

type ExampleBody = {
  event_id: string
  event_type: EventType
  org_id: string
  created_at: string
  data: Record<string, unknown>
}

/** The id of everything that the example names, and the time of everything that happens in it. */
interface Setting {
  id: string
  at: Date
}
const documented: Setting = {
  id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
  at: new Date('2026-03-01T09:30:00.000Z'),
}

/** A body as a receiver gets it, made from the schema of the event. */
export function buildExample(eventType: EventType, setting = documented): ExampleBody {
  const options = { io: 'input', unrepresentable: 'any' } as const
  const schema = z.toJSONSchema(eventDataSchemas[eventType], options) as Schema // Zod types it more widely
  const { test: _, ...fields } = valueOf(schema, setting) as Record<string, unknown> // the schema is that of an object
  return {
    event_id: setting.id,
    event_type: eventType,
    org_id: setting.id,
    created_at: setting.at.toISOString(),
    data: { ...fields, ...lastStatuses[eventType] },
  }
}

function valueOf(schema: Schema, setting: Setting): unknown {
  if (schema.format === 'uuid') return setting.id
  if (schema.format === 'date-time') return setting.at.toISOString()
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const branch = schema.anyOf?.find(({ type }) => type !== 'null')
  if (branch) return valueOf(branch, setting)
  switch (schema.type ?? 'string') {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [
          name,
          name in byName ? byName[name] : valueOf(field, setting),
        ]),
      )
    case 'array':
      return schema.items ? [valueOf(schema.items, setting)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return setting.id
  }
}
