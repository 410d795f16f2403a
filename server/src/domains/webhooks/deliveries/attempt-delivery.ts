import type { Dispatcher } from 'undici'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { SingleFlight } from '../../../lib/single-flight.ts'
import { egressProblem, type EgressPolicy } from '../../../lib/egress-guard.ts'
import type { Endpoint } from '../find-endpoint.ts'
import { openSecrets } from '../open-secrets.ts'
import { recordEndpointHealth } from '../record-health.ts'
import { eventBody, nextDelayMs, signatureHeaders } from '../rules.ts'
import type { Bulkheads } from './limit-calls.ts'
import type { DeliveryRecords } from './record-deliveries.ts'
import { postEvent, type PostLimits, type PostResult } from './post-event.ts'
import type { LocalBacklog } from './track-backlog.ts'
import { buryDelivery, deleteDelivery, parkDelivery, type DueDelivery } from './store.ts'

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
}

const staleWaitMs = 1_000

interface Asked {
  orgId: string
  deliveryId: string
  /** It was asked for before, and had no room or no success. */
  hasWaited: boolean
}

/**
 * One attempt, or none if it is not the time. Answers when to come back; null when there is nothing left to do. An
 * engine that lost sight of an attempt and asks again joins it.
 */
export const attemptDelivery = (deps: DeliveryDeps, input: Asked): Promise<number | null> =>
  deps.joinAttempts(input.deliveryId, () => attemptOnce(deps, input))

async function attemptOnce(deps: DeliveryDeps, input: Asked): Promise<number | null> {
  const turn = await deps.localBacklog.during(input.orgId, () => takeTurn(deps, input))
  if (turn === null || typeof turn === 'number') return turn
  const { delivery, endpoint } = turn
  let hasAnswered = false
  try {
    const sent = await send(deps, endpoint, delivery)
    hasAnswered = sent.result.responseStatus !== null
    return await record(deps, endpoint, delivery, sent)
  } finally {
    turn.leave(hasAnswered)
  }
}

interface Turn {
  delivery: DueDelivery
  endpoint: Endpoint
  leave(hasAnswered: boolean): void
}

/** All that comes before the call: is it still to be made, is it the time, and is there room? */
async function takeTurn(
  deps: DeliveryDeps,
  { orgId, deliveryId, hasWaited }: Asked,
): Promise<Turn | number | null> {
  const due = await deps.deliveryRecords.read(orgId, deliveryId)
  if (due?.delivery.status !== 'pending') return null
  const { delivery, endpoint } = due
  if (!endpoint) return discard(deps, orgId, delivery)
  if (endpoint.status === 'paused') return park(deps, orgId, delivery)
  if (endpoint.status === 'disabled') return giveUp(deps, orgId, delivery)
  const earlyMs = (delivery.nextAttemptAt?.getTime() ?? 0) - deps.clock.now().getTime()
  if (earlyMs > 0) return earlyMs
  const entry = await deps.bulkheads.enter(orgId, delivery.webhookId, hasWaited)
  return 'waitMs' in entry
    ? entry.waitMs
    : { delivery, endpoint, leave: (hasAnswered) => entry.leave(hasAnswered) }
}

/** The job ends and the delivery waits in the database, until resumeEndpoint makes a new job of it. */
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

/** Any 2xx is the end; everything else waits for the schedule, and after it for a person. */
async function record(
  deps: DeliveryDeps,
  endpoint: Endpoint,
  delivery: DueDelivery,
  { headers, result, at }: Sent,
): Promise<number | null> {
  const { responseStatus } = result
  const hasArrived = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const delayMs = hasArrived
    ? undefined
    : nextDelayMs(deps.deliveryScheduleMs, delivery.attempts + 1, deps.chance())
  const now = deps.clock.now()
  const isWritten = await deps.deliveryRecords.write(endpoint.orgId, {
    deliveryId: delivery.deliveryId,
    seenAttempts: delivery.attempts,
    status: hasArrived ? 'succeeded' : delayMs === undefined ? 'dead' : 'pending',
    nextAttemptAt: delayMs === undefined ? null : new Date(now.getTime() + delayMs),
    requestHeaders: headers,
    ...result,
    startedAt: at,
    endedAt: now,
  })
  if (!isWritten) return staleWaitMs
  await recordEndpointHealth(deps, endpoint, hasArrived)
  return delayMs ?? null
}

/** Its endpoint was deleted after it was made, perhaps too late to be removed with the others. */
async function discard(deps: DeliveryDeps, orgId: string, delivery: DueDelivery): Promise<null> {
  await deps.db.batchInOrg(orgId, [deleteDelivery(orgId, delivery.deliveryId)])
  return null
}

async function giveUp(deps: DeliveryDeps, orgId: string, delivery: DueDelivery): Promise<null> {
  await deps.db.batchInOrg(orgId, [buryDelivery(orgId, delivery.deliveryId, delivery.attempts)])
  return null
}
