import { z } from 'zod'
import { dateTime, uuid } from '../../../lib/requests/wire.ts'
import { buildExample } from './build-example.ts'
import { dataVariants, eventDataSchemas, eventTypes, type EventType } from './events.ts'

/** The parts of an OpenAPI 3.1 document that describe the events: one webhook and one component for each type. */
interface EventDescriptions {
  webhooks: Record<string, object>
  schemas: Record<string, object>
}

export const describeEvents = (): EventDescriptions => ({
  webhooks: Object.fromEntries(eventTypes.map((eventType) => [eventType, { post: requestOf(eventType) }])),
  schemas: Object.fromEntries(
    eventTypes.map((eventType) => [componentName(eventType), bodySchema(eventType)]),
  ),
})

/** `virtual_account.deposit` is VirtualAccountDepositEvent. */
const componentName = (eventType: EventType): string => `${inOneWord(eventType)}Event`

const inOneWord = (eventType: EventType): string =>
  eventType.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

function bodySchema(eventType: EventType): object {
  const [first, ...others] = dataVariants(eventType)
  const body = z.object({
    event_id: uuid,
    event_type: z.literal(eventType),
    org_id: uuid,
    created_at: dateTime,
    data: others.length === 0 ? first : z.union([first, ...others]),
  })
  // The input side leaves additional properties open: a receiver must accept fields that are added later.
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  return schema
}

const requestOf = (eventType: EventType): object => ({
  tags: ['Webhooks'],
  operationId: `receive${inOneWord(eventType)}`,
  summary: `Event ${eventType}`,
  description: eventDataSchemas[eventType].meta()?.description,
  security: [],
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${componentName(eventType)}` },
        example: buildExample(eventType),
      },
    },
  },
  responses: {
    '2XX': { description: 'The receiver has accepted the event. The body of the response is not inspected.' },
    default: { description: 'Any other response, or none within 10 seconds, is retried on the schedule.' },
  },
})

const header = (name: string, type: 'string' | 'integer', description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type },
})

const headers = [
  header('x-service-signature', 'string', 'Hex HMAC-SHA256 of the raw body under the whole secret_key.'),
  header('x-service-event-id', 'string', 'The event_id of the body.'),
  header('x-service-timestamp', 'integer', 'The time of this attempt in seconds since the epoch.'),
  header('x-service-attempt', 'integer', 'The number of this attempt, from 1.'),
  header('webhook-id', 'string', 'The event_id of the body, as Standard Webhooks names it.'),
  header('webhook-timestamp', 'integer', 'The time of this attempt, as Standard Webhooks names it.'),
  header(
    'webhook-signature',
    'string',
    'Standard Webhooks signatures, separated by spaces: one of each secret while a rotation overlaps.',
  ),
]
