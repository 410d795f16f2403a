import { egressProblem } from '../../../../lib/net/egress-guard.ts'
import { openSecrets } from '../open-secrets.ts'
import { recordEndpointHealth } from '../record-endpoint-health.ts'
import { eventBody, nextDelayMs, signatureHeaders } from '../rules.ts'
import type { Visitor } from './limit-calls.ts'
import { postEvent, type PostResult } from './post-event.ts'
import type {
  AttemptEnd,
  AttemptRecord,
  DeliveryDeps,
  DeliveryToAttempt,
  DueDelivery,
  Endpoint,
} from './record.ts'
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
export async function attemptDelivery(deps: DeliveryDeps, input: AttemptRequest): Promise<number | null> {
  const { orgId, deliveryId, hasWaited } = input
  const end = await deps.joinAttempts(deliveryId, () =>
    attemptOnce(deps, {
      orgId,
      visitor: hasWaited ? 'returning' : 'new',
      outboxId: null,
      read: () => deps.deliveryRecords.read(orgId, deliveryId),
      write: (attempt) => deps.deliveryRecords.write(attempt),
    }),
  )
  if (end === 'rejected') return staleWaitMs
  return end === 'recorded' ? null : end
}

interface ClaimedRequest {
  orgId: string
  deliveryId: string
  outboxId: string
  due: DeliveryToAttempt | undefined
}

/** Makes the first attempt of a delivery that this process has claimed in the outbox and read with the claim. */
export const attemptClaimed = (
  deps: DeliveryDeps,
  { orgId, deliveryId, outboxId, due }: ClaimedRequest,
): Promise<AttemptEnd> =>
  deps.joinAttempts(deliveryId, () =>
    attemptOnce(deps, {
      orgId,
      visitor: 'claimed',
      outboxId,
      read: () => due,
      write: (attempt, leave) => deps.deliveryRecords.writeClaimed(attempt, leave),
    }),
  )

interface Visit {
  orgId: string
  visitor: Visitor
  outboxId: string | null
  read(): Promise<DeliveryToAttempt | undefined> | DeliveryToAttempt | undefined
  /** `leave` ends the call for the bulkhead, which otherwise lasts until the write has ended. */
  write(attempt: AttemptRecord, leave: () => void): Promise<boolean>
}

async function attemptOnce(deps: DeliveryDeps, visit: Visit): Promise<AttemptEnd> {
  const turn = await deps.localBacklog.during(visit.orgId, () => takeTurn(deps, visit))
  if (turn === null || typeof turn !== 'object') return turn
  let hasResponded = false
  try {
    const sent = await send(deps, turn.endpoint, turn.delivery)
    hasResponded = sent.result.responseStatus !== null
    return await record(deps, visit, turn, sent)
  } finally {
    turn.leave(hasResponded)
  }
}

interface Turn {
  delivery: DueDelivery
  endpoint: Endpoint
  leave(hasResponded: boolean): void
}

/** Enters the bulkhead for an attempt that is due. Without an attempt it returns how this visit ends. */
async function takeTurn(deps: DeliveryDeps, visit: Visit): Promise<Turn | AttemptEnd> {
  const { orgId, visitor } = visit
  const read = visit.read()
  const due = read instanceof Promise ? await read : read
  if (due?.delivery.status !== 'pending') return null
  const { delivery, endpoint } = due
  if (!endpoint) return discard(deps, orgId, delivery)
  if (endpoint.status === 'paused') return park(deps, orgId, delivery)
  if (endpoint.status === 'disabled') return deadLetter(deps, orgId, delivery)
  const earlyMs = (delivery.nextAttemptAt?.getTime() ?? 0) - deps.clock.now().getTime()
  if (earlyMs > 0) return earlyMs
  const entry = await deps.bulkheads.enter(orgId, delivery.webhookId, visitor)
  if ('leave' in entry) return { delivery, endpoint, leave: (hasResponded) => entry.leave(hasResponded) }
  return visitor === 'claimed' ? 'rejected' : entry.waitMs
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

async function send(deps: DeliveryDeps, endpoint: Endpoint, delivery: DueDelivery): Promise<Sent> {
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
  visit: Visit,
  turn: Turn,
  { headers, result, at }: Sent,
): Promise<AttemptEnd> {
  const { delivery, endpoint } = turn
  const { responseStatus } = result
  const hasSucceeded = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const delayMs = hasSucceeded
    ? undefined
    : nextDelayMs(deps.deliveryScheduleMs, delivery.attempts + 1, deps.chance())
  const now = deps.clock.now()
  const attempt: AttemptRecord = {
    orgId: visit.orgId,
    deliveryId: delivery.deliveryId,
    outboxId: visit.outboxId,
    seenAttempts: delivery.attempts,
    status: hasSucceeded ? 'succeeded' : delayMs === undefined ? 'dead' : 'pending',
    nextAttemptAt: delayMs === undefined ? null : new Date(now.getTime() + delayMs),
    requestHeaders: headers,
    ...result,
    startedAt: at,
    endedAt: now,
  }
  const isWritten = await visit.write(attempt, () => turn.leave(responseStatus !== null))
  if (!isWritten) return staleWaitMs
  deps.meter.delivery(hasSucceeded ? 'succeeded' : delayMs === undefined ? 'dead' : 'retrying')
  await recordEndpointHealth(deps, endpoint, hasSucceeded)
  return delayMs ?? (visit.outboxId === null ? null : 'recorded')
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
