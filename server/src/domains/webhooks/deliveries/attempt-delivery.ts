import { egressProblem } from '../../../lib/egress-guard.ts'
import { openSecrets } from '../open-secrets.ts'
import { recordEndpointHealth } from '../record-endpoint-health.ts'
import type { Webhook } from '../record.ts'
import { eventBody, nextDelayMs, signatureHeaders } from '../rules.ts'
import { postEvent, type PostResult } from './post-event.ts'
import type { DeliveryDeps, DueDelivery } from './record.ts'
import { deadLetterDelivery, deleteDelivery, parkDelivery } from './store.ts'

const staleWaitMs = 1_000

interface AttemptRequest {
  orgId: string
  deliveryId: string
  /** An earlier call was rejected by the bulkhead or its attempt failed. */
  hasWaited: boolean
}

/**
 * Makes one attempt if it is due. Returns the delay until the next call, or null when the delivery needs no more. A
 * second call while an attempt is running, such as a retry by the engine, shares its result.
 */
export const attemptDelivery = (deps: DeliveryDeps, input: AttemptRequest): Promise<number | null> =>
  deps.joinAttempts(input.deliveryId, () => attemptOnce(deps, input))

async function attemptOnce(deps: DeliveryDeps, input: AttemptRequest): Promise<number | null> {
  const turn = await deps.localBacklog.during(input.orgId, () => takeTurn(deps, input))
  if (turn === null || typeof turn === 'number') return turn
  const { delivery, endpoint } = turn
  let hasResponded = false
  try {
    const sent = await send(deps, endpoint, delivery)
    hasResponded = sent.result.responseStatus !== null
    return await record(deps, endpoint, delivery, sent)
  } finally {
    turn.leave(hasResponded)
  }
}

interface Turn {
  delivery: DueDelivery
  endpoint: Webhook
  leave(hasResponded: boolean): void
}

/** Enters the bulkhead for an attempt that is due. Without an attempt it returns what attemptDelivery returns. */
async function takeTurn(
  deps: DeliveryDeps,
  { orgId, deliveryId, hasWaited }: AttemptRequest,
): Promise<Turn | number | null> {
  const due = await deps.deliveryRecords.read(orgId, deliveryId)
  if (due?.delivery.status !== 'pending') return null
  const { delivery, endpoint } = due
  if (!endpoint) return discard(deps, orgId, delivery)
  if (endpoint.status === 'paused') return park(deps, orgId, delivery)
  if (endpoint.status === 'disabled') return deadLetter(deps, orgId, delivery)
  const earlyMs = (delivery.nextAttemptAt?.getTime() ?? 0) - deps.clock.now().getTime()
  if (earlyMs > 0) return earlyMs
  const entry = await deps.bulkheads.enter(orgId, delivery.webhookId, hasWaited)
  return 'waitMs' in entry
    ? entry.waitMs
    : { delivery, endpoint, leave: (hasResponded) => entry.leave(hasResponded) }
}

/** Ends the job. resumeDeliveries enqueues the delivery again when the endpoint is active. */
async function park(deps: DeliveryDeps, orgId: string, delivery: DueDelivery): Promise<number | null> {
  const [parked = []] = await deps.db.batchInOrg(orgId, [parkDelivery(orgId, delivery)])
  return parked.length > 0 ? null : staleWaitMs
}

interface Sent {
  headers: Record<string, string>
  result: PostResult
  at: Date
}

async function send(deps: DeliveryDeps, endpoint: Webhook, delivery: DueDelivery): Promise<Sent> {
  const at = deps.clock.now()
  const body = eventBody({
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    orgId: endpoint.orgId,
    createdAt: delivery.eventCreatedAt,
    data: delivery.eventData,
  })
  const secrets = await openSecrets(deps, endpoint)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Switchyard-Webhooks/1.0',
    ...signatureHeaders(secrets, { eventId: delivery.eventId, body, attempt: delivery.attempts + 1, at }),
  }
  const problem = egressProblem(endpoint.endpointUrl, deps.egressPolicy)
  const result =
    problem === undefined
      ? await postEvent(deps, endpoint.endpointUrl, { headers, body })
      : { responseStatus: null, responseBody: null, error: `endpoint_url ${problem}`, durationMs: 0 }
  return { headers, result, at }
}

/** A 2xx response ends the delivery. Any other result is retried on the schedule, and at its end dead-lettered. */
async function record(
  deps: DeliveryDeps,
  endpoint: Webhook,
  delivery: DueDelivery,
  { headers, result, at }: Sent,
): Promise<number | null> {
  const { responseStatus } = result
  const hasSucceeded = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const delayMs = hasSucceeded
    ? undefined
    : nextDelayMs(deps.deliveryScheduleMs, delivery.attempts + 1, deps.chance())
  const now = deps.clock.now()
  const isWritten = await deps.deliveryRecords.write(endpoint.orgId, {
    deliveryId: delivery.deliveryId,
    seenAttempts: delivery.attempts,
    status: hasSucceeded ? 'succeeded' : delayMs === undefined ? 'dead' : 'pending',
    nextAttemptAt: delayMs === undefined ? null : new Date(now.getTime() + delayMs),
    requestHeaders: headers,
    ...result,
    startedAt: at,
    endedAt: now,
  })
  if (!isWritten) return staleWaitMs
  deps.meter.delivery(hasSucceeded ? 'succeeded' : delayMs === undefined ? 'dead' : 'retrying')
  await recordEndpointHealth(deps, endpoint, hasSucceeded)
  return delayMs ?? null
}

/** Deletes a delivery of a deleted endpoint, which may have been created after the removal of the others. */
async function discard(deps: DeliveryDeps, orgId: string, delivery: DueDelivery): Promise<null> {
  await deps.db.batchInOrg(orgId, [deleteDelivery(orgId, delivery.deliveryId)])
  return null
}

async function deadLetter(deps: DeliveryDeps, orgId: string, delivery: DueDelivery): Promise<null> {
  await deps.db.batchInOrg(orgId, [deadLetterDelivery(orgId, delivery.deliveryId, delivery.attempts)])
  return null
}
