import { createHmac } from 'node:crypto'
import type { ReceivedEvent } from '@switchyard/server/test/app/test-receiver.ts'
import type { Evidence } from './evidence.ts'
import type { Violation } from './violation.ts'
import type { Endpoint } from './receivers.ts'

type Received = readonly ReceivedEvent[]

const eventIdOf = ({ headers }: ReceivedEvent): string => String(headers['webhook-id'])

/** Every event must have reached every endpoint that subscribes to it, or be a dead letter. */
export function undelivered(evidence: Evidence, endpoints: readonly Endpoint[]): Violation[] {
  const arrived = new Set(evidence.received.map((event) => `${event.path} ${eventIdOf(event)}`))
  const dead = new Set(
    evidence.deliveries
      .filter(({ status }) => status === 'dead')
      .map(({ eventId, webhookId }) => `${webhookId} ${eventId}`),
  )
  return evidence.events.flatMap(({ eventId, eventType, orgId, paymentId }) =>
    endpoints
      .filter((endpoint) => endpoint.orgId === orgId && (endpoint.events?.includes(eventType) ?? true))
      .filter(
        ({ path, webhookId }) => !arrived.has(`${path} ${eventId}`) && !dead.has(`${webhookId} ${eventId}`),
      )
      .map(() => ({
        invariant: 'I11',
        subject: paymentId,
        problem: `${eventType} ${eventId} never reached an endpoint`,
      })),
  )
}

/** An event that is not in Postgres was delivered before it was committed. */
export function invented({ events, received }: Evidence): Violation[] {
  const known = new Set(events.map(({ eventId }) => eventId))
  return [...new Set(received.map(eventIdOf))]
    .filter((eventId) => !known.has(eventId))
    .map((eventId) => ({
      invariant: 'I11',
      subject: eventId,
      problem: 'an event was delivered that was never committed',
    }))
}

/** All attempts at delivering an event must have the same bytes and be signed with the endpoint's secret. */
export function changedBytes(endpoints: readonly Endpoint[], received: Received): Violation[] {
  const secrets = new Map(endpoints.map(({ path, secret }) => [path, secret]))
  return [...Map.groupBy(received, eventIdOf)].flatMap(([subject, tries]) => {
    const isChanged = new Set(tries.map(({ body }) => body)).size > 1
    const isUnsigned = tries.some(
      ({ path, body, headers }) =>
        headers['x-service-signature'] !==
        createHmac('sha256', secrets.get(path) ?? '')
          .update(body)
          .digest('hex'),
    )
    const problem = isChanged
      ? 'its attempts differ'
      : isUnsigned
        ? 'an attempt has a wrong signature'
        : undefined
    return problem === undefined ? [] : [{ invariant: 'I12', subject, problem }]
  })
}

/** Finds endpoints that receive far more attempts than their failures explain. */
export function sentTooOften(received: Received, kills: number): Violation[] {
  const perDelivery = Map.groupBy(received, (event) => `${event.path} ${eventIdOf(event)}`)
  const repeated = [...perDelivery.values()].filter((tries) => tries.length > 1)
  const withoutCause = repeated.reduce((sum, tries) => {
    const attempts = new Set(tries.map(({ headers }) => headers['x-service-attempt']))
    return sum + tries.length - attempts.size
  }, 0)
  const allowed = 20 + kills * 40
  return withoutCause <= allowed
    ? []
    : [
        {
          invariant: 'I12',
          subject: 'deliveries',
          problem: `${withoutCause} tries were sent again without a new number`,
        },
      ]
}
