import { egressProblem } from '../../../../lib/net/egress-guard.ts'
import { openSecrets } from '../open-secrets.ts'
import { recordEndpointHealth } from '../record-endpoint-health.ts'
import { eventBody, nextDelayMs, signatureHeaders } from '../rules.ts'
import type { CallOrigin } from './limit-calls.ts'
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
  const end = await deps.shareAttempt(deliveryId, () =>
    attemptOnce(deps, {
      orgId,
      origin: hasWaited ? 'returning' : 'new',
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
  deps.shareAttempt(deliveryId, () =>
    attemptOnce(deps, {
      orgId,
      origin: 'claimed',
      outboxId,
      read: () => due,
      write: (attempt, release) => deps.deliveryRecords.writeClaimed(attempt, release),
    }),
  )

interface AttemptRun {
  orgId: string
  origin: CallOrigin
  outboxId: string | null
  read(): Promise<DeliveryToAttempt | undefined> | DeliveryToAttempt | undefined
  /** `release` frees the slot of the bulkhead before the write has ended. */
  write(attempt: AttemptRecord, release: () => void): Promise<boolean>
}

async function attemptOnce(deps: DeliveryDeps, run: AttemptRun): Promise<AttemptEnd> {
  const admitted = await deps.localBacklog.during(run.orgId, () => admit(deps, run))
  if (admitted === null || typeof admitted !== 'object') return admitted
  let hasResponded = false
  try {
    const sent = await send(deps, admitted.endpoint, admitted.delivery)
    hasResponded = sent.result.responseStatus !== null
    return await record(deps, run, admitted, sent)
  } finally {
    admitted.release(hasResponded)
  }
}

interface AdmittedAttempt {
  delivery: DueDelivery
  endpoint: Endpoint
  release(hasResponded: boolean): void
}

/** Enters the bulkhead for an attempt that is due. Without an attempt it returns how this run ends. */
async function admit(deps: DeliveryDeps, run: AttemptRun): Promise<AdmittedAttempt | AttemptEnd> {
  const { orgId, origin } = run
  const read = run.read()
  const due = read instanceof Promise ? await read : read
  if (due?.delivery.status !== 'pending') return null
  const { delivery, endpoint } = due
  if (!endpoint) return discard(deps, orgId, delivery)
  if (endpoint.status === 'paused') return park(deps, orgId, delivery)
  if (endpoint.status === 'disabled') return deadLetter(deps, orgId, delivery)
  if (delivery.dueInMs !== null && delivery.dueInMs > 0) return delivery.dueInMs
  const admission = await deps.bulkheads.enter(orgId, delivery.webhookId, origin)
  if ('release' in admission)
    return { delivery, endpoint, release: (hasResponded) => admission.release(hasResponded) }
  return origin === 'claimed' ? 'rejected' : admission.waitMs
}

/** Ends the job. resumeDeliveries enqueues the delivery again when the endpoint is active. */
async function park(deps: DeliveryDeps, orgId: string, delivery: DueDelivery): Promise<number | null> {
  const [parked = []] = await deps.db.batchInOrg(orgId, [parkDelivery(orgId, delivery)])
  return parked.length > 0 ? null : staleWaitMs
}

interface SentRequest {
  headers: Record<string, string>
  result: PostResult
  at: Date
}

async function send(deps: DeliveryDeps, endpoint: Endpoint, delivery: DueDelivery): Promise<SentRequest> {
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
  run: AttemptRun,
  admitted: AdmittedAttempt,
  { headers, result, at }: SentRequest,
): Promise<AttemptEnd> {
  const { delivery, endpoint } = admitted
  const { responseStatus } = result
  const hasSucceeded = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const delayMs = hasSucceeded
    ? undefined
    : nextDelayMs(deps.deliveryScheduleMs, delivery.attempts + 1, deps.chance())
  const now = deps.clock.now()
  const attempt: AttemptRecord = {
    orgId: run.orgId,
    deliveryId: delivery.deliveryId,
    outboxId: run.outboxId,
    expectedAttempts: delivery.attempts,
    status: hasSucceeded ? 'succeeded' : delayMs === undefined ? 'dead' : 'pending',
    retryInMs: delayMs ?? null,
    requestHeaders: headers,
    ...result,
    startedAt: at,
    endedAt: now,
  }
  const isWritten = await run.write(attempt, () => admitted.release(responseStatus !== null))
  if (!isWritten) return staleWaitMs
  deps.meter.delivery(hasSucceeded ? 'succeeded' : delayMs === undefined ? 'dead' : 'retrying')
  await recordEndpointHealth(deps, endpoint, hasSucceeded)
  return delayMs ?? (run.outboxId === null ? null : 'recorded')
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
